import Router, { type RouterMiddleware } from '@koa/router';
import type { Context, Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { CardNumber, reais } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import {
  NOTICE_MANNERS,
  type NoticeManner,
  type PageOutcome,
  type SandboxGateway,
} from './sandbox-gateway.ts';
import type { SandboxCharge } from './sandbox-ledger.ts';
import {
  type CardField,
  foreignPage,
  missingPage,
  NO_FAULTS,
  type PageState,
  paymentPage,
} from './sandbox-page.ts';
import { PAGE_POLICY } from './sandbox-style.ts';

const parse = bodyParser({
  enableTypes: ['form'],
  formLimit: '16kb',
  queryString: { parameterLimit: 64 },
} as bodyParser.Options);

/** What is no form, or compressed, counts as an empty one, for the page to complain of. */
const parseForm: Middleware = async (ctx, next) => {
  if (ctx.get('Content-Encoding') !== '') ctx.request.body = {};
  await parse(ctx as never, async () => {}).catch(() => {
    ctx.request.body = {};
  });
  await next();
};

const METHODS = { card: 'credit', pix: 'pix', boleto: 'boleto' } as const;

type Fields = Readonly<Record<string, unknown>>;

const fieldOf = (fields: Fields, name: string): string | undefined => {
  if (!Object.hasOwn(fields, name)) return undefined;
  const value = fields[name];
  // Sent twice, it says nothing that could be relied on.
  return typeof value === 'string' ? value.trim() : '';
};

const manner = (text: unknown): NoticeManner =>
  NOTICE_MANNERS.find((each) => each === text) ?? 'once';

const show = (ctx: Context, status: number, page: string): void => {
  // With `no-referrer`, the API's own policy, browsers would send `Origin: null` with the page's own form.
  ctx.set({ 'Content-Security-Policy': PAGE_POLICY, 'Referrer-Policy': 'same-origin' });
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = page;
};

const PROBLEMS: Readonly<Partial<Record<PageOutcome, string>>> = {
  declined: 'O cartão foi recusado. Confira os dados ou use outra forma de pagamento.',
  insufficient_funds: 'O cartão não tem saldo ou limite suficiente. Use outra forma de pagamento.',
  failed: 'O pagamento não pôde ser processado agora, e nada foi cobrado. Tente novamente.',
};

/** What is wrong with the card that was typed. A program that simply pays by card sends none, and is let through. */
const cardFaults = (fields: Fields, thisMonth: string): PageState['faults'] => {
  if (fieldOf(fields, 'number') === undefined) return {};
  const faults: Partial<Record<CardField, string>> = {};
  const text = (name: CardField): string => fieldOf(fields, name) ?? '';
  if (CardNumber.parse(text('number')) === undefined) faults.number = 'Confira o número do cartão.';
  if (text('holder').length < 2) faults.holder = 'Escreva o nome como está no cartão.';
  const [, month, year] = /^(0[1-9]|1[0-2])\/?(\d\d)$/.exec(text('expiry')) ?? [];
  if (month === undefined) faults.expiry = 'Escreva mês e ano, como 09/30.';
  else if (`20${year}-${month}` < thisMonth) faults.expiry = 'O cartão está vencido.';
  if (!/^\d{3,4}$/.test(text('cvv'))) faults.cvv = 'O código tem 3 ou 4 dígitos.';
  return faults;
};

export interface SandboxPages {
  readonly gateway: SandboxGateway;
  readonly clock: Clock;
  /** The address under which browsers see the pages. */
  readonly publicUrl: string;
  /** Whether the bearer of an `Authorization` header may see the charges of a sale; undefined where no client has such a token. */
  readonly mayRead: (authorization: string, saleId: number) => Promise<boolean | undefined>;
}

/** Whether a page of another site made the browser send this. Programs send neither of the headers. */
const isFromOtherSite = (ctx: Context, publicUrl: string): boolean => {
  const origin = ctx.get('Origin');
  const isOwn =
    origin === new URL(publicUrl).origin ||
    (URL.canParse(origin) && new URL(origin).host === ctx.host);
  return (origin !== '' && !isOwn) || /^(cross|same)-site$/i.test(ctx.get('Sec-Fetch-Site'));
};

const back = (ctx: Context, { id }: SandboxCharge): void => {
  ctx.status = 303;
  ctx.redirect(`/sandbox/pay/${id}`);
};

const pay = async (
  ctx: Context,
  charge: SandboxCharge,
  fields: Fields,
  { gateway, clock }: SandboxPages,
): Promise<void> => {
  const named = fieldOf(fields, 'method') ?? '';
  const method = Object.hasOwn(METHODS, named) ? METHODS[named as keyof typeof METHODS] : undefined;
  const notice = manner(fields['notice']);
  const typed = {
    notice,
    holder: fieldOf(fields, 'holder') ?? '',
    expiry: fieldOf(fields, 'expiry') ?? '',
  };
  const refuse = async (problem: string, faults: PageState['faults'] = {}) =>
    show(ctx, 422, await paymentPage(charge, { ...typed, faults, problem }));
  if (method === undefined || (charge.only !== undefined && charge.only !== method))
    return refuse('Escolha uma das formas de pagamento.');
  const faults = method === 'credit' ? cardFaults(fields, clock.today().slice(0, 7)) : {};
  if (Object.keys(faults).length > 0) return refuse('Confira os dados do cartão.', faults);
  const number = CardNumber.parse(fieldOf(fields, 'number') ?? '')?.reveal();
  const outcome = await gateway.payOnPage(
    charge.id,
    method,
    method === 'credit' ? number : undefined,
    notice,
  );
  const problem = PROBLEMS[outcome];
  if (problem !== undefined) return refuse(problem);
  back(ctx, charge);
};

/** The pages on which people pay, and the ledger for tests. */
export const sandboxRoutes = (pages: SandboxPages): Middleware => {
  const { gateway, publicUrl, mayRead } = pages;
  const router = new Router();

  const found = async (ctx: Context): Promise<SandboxCharge | undefined> => {
    const { id = '' } = (ctx as unknown as { params: { id?: string } }).params;
    const charge = /^[\w-]{1,100}$/.test(id) ? await gateway.look(id) : undefined;
    if (charge === undefined) show(ctx, 404, missingPage());
    return charge;
  };

  router.get('/sandbox/pay/:id', async (ctx) => {
    const charge = await found(ctx);
    if (charge !== undefined)
      show(
        ctx,
        200,
        await paymentPage(charge, { ...NO_FAULTS, notice: manner(ctx.query['notice']) }),
      );
  });

  router.post('/sandbox/pay/:id', parseForm as unknown as RouterMiddleware, async (ctx) => {
    if (isFromOtherSite(ctx, publicUrl)) return show(ctx, 403, foreignPage());
    const charge = await found(ctx);
    if (charge === undefined) return;
    const fields = (ctx.request.body ?? {}) as Fields;
    const action = fieldOf(fields, 'action');
    if (charge.status !== 'open') return back(ctx, charge);
    if (action === 'pay') return pay(ctx, charge, fields, pages);
    if (action !== 'refuse') {
      return show(
        ctx,
        422,
        await paymentPage(charge, { ...NO_FAULTS, problem: 'Escolha pagar ou recusar.' }),
      );
    }
    await gateway.refuseOnPage(charge.id, manner(fields['notice']));
    back(ctx, charge);
  });

  router.get('/sandbox/charges', async (ctx) => {
    const asked = String(ctx.query['transaction_id'] ?? '');
    const id = /^[1-9]\d{0,14}$/.test(asked) ? Number(asked) : 0;
    const isReader = await mayRead(ctx.get('Authorization'), id);
    if (isReader === undefined) {
      ctx.status = 401;
      ctx.set('WWW-Authenticate', 'Bearer');
      ctx.body = { success: false, response: 'Token não encontrado', status_code: '401' };
      return;
    }
    // What is another channel's looks like what is not there.
    const charges = isReader ? await gateway.chargesOf(id) : [];
    ctx.body = { charges: charges.map(shown) };
  });

  return router.routes() as unknown as Middleware;
};

const shown = ({ id, reference, status, amount, method, returned }: SandboxCharge): object => ({
  id,
  reference,
  status,
  amount: reais(amount),
  method: method ?? null,
  returned: reais(returned),
});
