import { inDays } from '../support/today.ts';
import { median, spread, times } from './figures.ts';
import { type Contender, lineOf, Rounds, type Sample, warmUp } from './rounds.ts';
import { CREATE, ticketSales } from './sales-contenders.ts';
import type { Settings } from './settings.ts';
import { Stage } from './stage.ts';

const QUOTE = 'ours: a quote of a ticket';
const PHONE = 'ours: a quote of a phone';
const TICKET = 'ours: Ingresso create';
const ECHO = 'Koa + Ajv, echo';

/** The target: the rate of quotes over that of ticket sales. */
const LEAST = 2.5;

const rate = ({ perSecond }: Sample): number => perSecond;

/** The ticket of the sales beside it: one plan. */
const TICKET_BODY = JSON.stringify({
  product: { code: 'INGRESSO' },
  amounts: { insuredAmount: 1_886 },
  attributes: { eventDate: inDays(60) },
});

/** Two plans with a coverage each, in up to twelve installments: an answer of 2.7 KB. */
const PHONE_BODY = JSON.stringify({
  product: { code: 'CELULAR' },
  coverages: [{ code: 'QUEBRA_TELA' }],
  amounts: { insuredAmount: 3_200 },
});

const HEADERS = { 'Content-Type': 'application/json' };

/**
 * Quotes over HTTP, beside ticket sales and a bare Koa that validates and echoes the same body.
 *
 * @returns whether the target holds
 */
export const compareQuoteRequests = async (
  say: (line: string) => void,
  settings: Settings,
): Promise<boolean> => {
  const stage = new Stage();
  try {
    const { process: ours, tokens } = await stage.service(await stage.database());
    const echo = await stage.start(['test/benchmark/contenders/koa-echo.ts'], {});
    const quotesOf = (body: string) =>
      tokens.map((token) => ({
        url: `${ours.url}/private/integration/quotes`,
        headers: { ...HEADERS, Authorization: `Bearer ${token}` },
        body,
      }));
    const contenders: readonly Contender[] = [
      { name: QUOTE, pid: ours.pid, requests: quotesOf(TICKET_BODY) },
      { name: PHONE, pid: ours.pid, requests: quotesOf(PHONE_BODY) },
      { name: TICKET, pid: ours.pid, requests: ticketSales(`${ours.url}${CREATE}`, tokens) },
      {
        name: ECHO,
        pid: echo.pid,
        requests: [{ url: echo.url, headers: HEADERS, body: TICKET_BODY }],
      },
    ];
    await warmUp(contenders);
    let held = true;
    for (const connections of settings.connections) {
      const plan = { ...settings, connections, databasePid: stage.postgres.pid };
      const found = await new Rounds().run(contenders, plan);
      say(`${connections} connection${connections === 1 ? '' : 's'}:`);
      for (const { name } of contenders) say(lineOf(name, found.of(name)));
      const besideSales = found.ratios(QUOTE, TICKET, rate);
      const isHeldTo = connections === 32;
      if (isHeldTo) held = median(besideSales) >= LEAST;
      const verdict = isHeldTo ? `${held ? 'held' : 'MISSED'}, at least ${LEAST}: ` : '';
      say(`  ${verdict}${QUOTE} / ${TICKET}: ${spread(besideSales, times)}`);
      say(`  ${QUOTE} / ${ECHO}: ${spread(found.ratios(QUOTE, ECHO, rate), times)}`);
      settings.record(`quotes over HTTP at ${connections}`, found.all);
    }
    return held;
  } finally {
    await stage.close();
  }
};
