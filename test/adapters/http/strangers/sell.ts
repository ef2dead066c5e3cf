/** Sells all four products with `fetch` alone, as the partner's guide says. */
import { randomUUID } from 'node:crypto';

const { API = '', CHANNEL_LINK = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const RUN = randomUUID().slice(0, 8); // In a shop: the number of the order.

type Fields = Record<string, unknown>;

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a partner without types reads answers like this
  readonly body: any;
}

/** An answer of 400 and above. Programs decide by its code. */
class Refused extends Error {
  readonly answer: Answered;
  readonly code: string | null;

  constructor(answer: Answered) {
    super(`${answer.status} ${answer.headers.get('X-Error-Code')}`);
    this.answer = answer;
    this.code = answer.headers.get('X-Error-Code');
  }
}

/** A day in São Paulo, so many days from today. */
const day = (offset: number): string =>
  new Date(Date.now() + offset * 86_400_000 - 3 * 3_600_000).toISOString().slice(0, 10);

const say = (...words: readonly unknown[]): void => {
  process.stdout.write(`${words.join(' ')}\n`);
};

const wait = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

const exchange = async (method: string, path: string, body?: Fields, token?: string) => {
  const response = await fetch(`${API}${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  const { status, headers } = response;
  const answer: Answered = { status, headers, body: text === '' ? {} : JSON.parse(text) };
  if (!response.ok) throw new Refused(answer);
  return answer;
};

let token = '';
const logIn = async (): Promise<void> => {
  const credentials = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
  token = (await exchange('POST', '/seguros/auth/token', credentials)).body.access_token;
};

/** Seconds to wait before the same request; undefined if it must not be repeated. */
const pauseAfter = (error: unknown, attempt: number): number | undefined => {
  const backOff = 2 ** attempt;
  if (!(error instanceof Refused)) return backOff; // No answer, or a time-out.
  const { status, headers } = error.answer;
  const retryAfter = headers.get('Retry-After');
  const mayRepeat =
    [429, 500, 502, 503, 504].includes(status) || (status === 409 && retryAfter !== null);
  return mayRepeat ? Number(retryAfter ?? backOff) : undefined;
};

/** Sends a request until it has an answer; `body` names its sale, so that it sells once. */
const call = async (method: string, path: string, body?: Fields): Promise<Answered> => {
  let hasLoggedIn = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await exchange(method, path, body, token);
    } catch (error) {
      if (error instanceof Refused && error.answer.status === 401 && !hasLoggedIn) {
        hasLoggedIn = true;
        await logIn();
        continue;
      }
      const seconds = pauseAfter(error, attempt);
      if (seconds === undefined || attempt >= 6) throw error;
      await wait(seconds);
    }
  }
};

const refusalOf = async (promise: Promise<Answered>): Promise<Refused> => {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
  throw new Error('the sale was not refused');
};

await logIn();
say('logged in');

const { body: products } = await call('GET', '/private/integration/products');
const ids = Object.fromEntries(
  products.data.map(({ code, id }: { code: string; id: number }) => [code, id]),
);
say('products', ...Object.keys(ids).sort());

const ticketSale = (name: string, changes: Fields = {}): Fields => ({
  ...{ externalSaleId: `${RUN}-${name}`, productId: ids['INGRESSO'], channelLink: CHANNEL_LINK },
  ...{ nomeCompleto: 'Maria da Silva', cpfCnpj: '52998224725', dataNascimento: '1990-05-17' },
  ...{ email: 'maria@example.com', telefone: '11987654321', logradouro: 'Rua das Flores, 100' },
  ...{ bairro: 'Centro', cidade: 'São Paulo', uf: 'SP', cep: '01001000' },
  ...{ dataPagamento: day(0), formaPagamento: 'pix', tipoIngresso: 'inteira' },
  ...{ numeroIngresso: 'ABC-123', dataEvento: day(30), valorIngresso: 1_886, valorSeguro: 188.6 },
  ...changes,
});

const INGRESSO = '/seguros/ingresso-protegido/create';
const { body: ticket } = await call('POST', INGRESSO, ticketSale('ticket'));
say('INGRESSO', ticket.data.status);

const { headers, body: again } = await call('POST', INGRESSO, ticketSale('ticket'));
const isSame = again.data.transaction_id === ticket.data.transaction_id;
say('repeated', headers.get('Idempotent-Replayed'), isSame ? 'the same sale' : 'another sale');

const faulty = await refusalOf(
  call('POST', INGRESSO, ticketSale('corrected', { cpfCnpj: '52998224726' })),
);
say('faulty', faulty.answer.status, faulty.answer.headers.get('X-Error-Fields'));
const { body: corrected } = await call('POST', INGRESSO, ticketSale('corrected'));
say('corrected', corrected.data.status);

const card = (number: string): Fields => ({
  ...{ flag: 'visa', number, cvv: '123', expiryMonth: '12', expiryYear: '39' },
});

const { iof_rate } = products.data.find(({ code }: { code: string }) => code === 'ARTISTA');
const { body: artist } = await call('POST', '/seguros/artista-protegido/create', {
  ...{ externalSaleId: `${RUN}-artist`, productId: ids['ARTISTA'], channelLink: CHANNEL_LINK },
  ...{ nameOrRazao: 'Maria da Silva', cpfOrCnpj: '52998224725', birthDate: '1990-05-17' },
  ...{ email: 'maria@example.com', phone: '11987654321', eventName: 'Festival' },
  ...{ venueName: 'Parque', eventDescription: 'Apresentação musical' },
  ...{ assemblyStartDate: day(10), eventStartDate: day(11), eventEndDate: day(12) },
  ...{ disassemblyEndDate: day(13), standArea: 20, lossLimit: 10_000 },
  ...{ premiumNet: 100, premiumTaxes: Math.round(100 * iof_rate) / 100 },
  address: {
    ...{ street: 'Rua das Flores', number: '100', district: 'Centro', city: 'São Paulo' },
    ...{ state: 'SP', postcode: '01001000', ibgeCode: '3550308' },
  },
  payment: { modeCode: '2', totalInstallmentNumber: 1, creditCard: card('4111111111111111') },
});
say('ARTISTA', artist.response.data.status);

const phoneSale = (name: string, changes: Fields = {}): Fields => ({
  ...{ externalSaleId: `${RUN}-${name}`, productId: ids['CELULAR'], channelLink: CHANNEL_LINK },
  ...{ plan: { code: 'ANUAL' }, nameOrRazao: 'Maria da Silva', cpfOrCnpj: '52998224725' },
  ...{ email: 'maria@example.com', phone: '11987654321' },
  ...changes,
});

const CELULAR = '/seguros/seguro-celular/create';
const { body: phone } = await call('POST', CELULAR, phoneSale('phone-link'));
say('CELULAR', phone.data.status);
// Only in the test environment: a program pays as the customer would.
const form = new URLSearchParams({ action: 'pay', method: 'pix' });
await (await fetch(phone.link, { method: 'POST', body: form })).text();
const status = `/seguros/seguro-celular/status/${RUN}-phone-link`;
while ((await call('GET', status)).body.data.status !== 'issued') await wait(0.1);
say('CELULAR issued, paid at the link');

const declined = await refusalOf(
  call('POST', CELULAR, phoneSale('phone-declined', { creditCard: card('4000000000000002') })),
);
say('declined', declined.answer.status, declined.code);
const byCard = { creditCard: card('4111111111111111') };
const { body: paid } = await call('POST', CELULAR, phoneSale('phone-card', byCard));
say('CELULAR', paid.data.status, 'by card');

const { body: trip } = await call('POST', '/private/integration/sale', {
  externalSaleId: `${RUN}-trip`,
  product: { code: 'LUA_DE_MEL' },
  insured: { name: 'Maria da Silva', cpfOrCnpj: '52998224725', email: 'maria@example.com' },
  coverage: { startDate: day(20), endDate: day(34) },
  payment: { status: 'paid', method: 'pix' },
});
say('LUA_DE_MEL', trip.data.status);

const CANCEL = `/private/integration/sale/${RUN}-trip/cancel`;
const { body: preview } = await call('POST', CANCEL, { preview: true });
const refundTotal: number = preview.response.data.cancellation.refund.total;
const { body: cancelled } = await call('POST', CANCEL, { refundTotal });
const isAll = refundTotal === trip.data.amounts.total;
say(cancelled.response.data.status, isAll ? 'everything goes back' : refundTotal);

const seen = new Map<string, readonly string[]>();
for (let after = ''; !seen.get('trip')?.includes('sale.cancelled'); ) {
  const query = new URLSearchParams({ limit: '200', ...(after !== '' && { after }) });
  const { body: feed } = await call('GET', `/private/integration/events?${query}`);
  for (const { type, data } of feed.data) {
    const name: string = data.external_sale_id ?? '';
    const own = name.slice(RUN.length + 1);
    if (name.startsWith(RUN)) seen.set(own, [...(seen.get(own) ?? []), type]);
  }
  after = feed.next_cursor;
  if (!feed.has_more) await wait(0.1);
}
say('feed', ...[...seen.keys()].sort());
