import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { CardNumber, centsFromText, formatDate, toReais } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type { DescribePurchase } from '../../../application/servicing/describe-purchase.ts';
import { PAGE_POLICY } from './sandbox-assets.ts';
import {
  type Fields,
  fillTestCard,
  findCardFaults,
  readField,
  readForm,
  readNoticeManner,
  readTyped,
} from './sandbox-form.ts';
import type { PageOutcome, SandboxGateway } from './sandbox-gateway.ts';
import { renderForeignOriginPage, renderMissingPage, type Shown } from './sandbox-layout.ts';
import { methodsOf, receivedOf, type SandboxCharge } from './sandbox-ledger.ts';
import { renderOutcomePage, renderRefundPage } from './sandbox-outcome.ts';
import { NO_FAULTS, type PageState, renderPaymentPage } from './sandbox-page.ts';

const METHODS = { card: 'credit', pix: 'pix', boleto: 'boleto' } as const;

/** Header that every error of the service has. Its codes are listed in the partner's guide. */
const ERROR_CODE_HEADER = 'X-Error-Code';

/** @param errorCode of a page with an error */
const showPage = (ctx: Context, status: number, page: string, errorCode?: string): void => {
  if (errorCode !== undefined) ctx.set(ERROR_CODE_HEADER, errorCode);
  // The API sends `no-referrer`, with which browsers send `Origin: null` for the page's own form.
  ctx.set({ 'Content-Security-Policy': PAGE_POLICY, 'Referrer-Policy': 'same-origin' });
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = page;
};

/** Relative, as each link and form of the pages: a proxy may serve them below a path. */
const redirectToPage = (ctx: Context, { id }: SandboxCharge): void => {
  ctx.status = 303;
  ctx.redirect(id);
};

interface Problem {
  readonly code: string;
  readonly text: string;
}

const PROBLEMS: Readonly<Partial<Record<PageOutcome, Problem>>> = {
  declined: {
    code: 'card_declined',
    text: 'O cartão foi recusado. Confira os dados ou use outra forma de pagamento.',
  },
  insufficient_funds: {
    code: 'insufficient_funds',
    text: 'O cartão não tem saldo ou limite suficiente. Use outra forma de pagamento.',
  },
  expired_card: {
    code: 'expired_card',
    text: 'O cartão está vencido, segundo o emissor. Use outra forma de pagamento.',
  },
  failed: {
    code: 'gateway_unavailable',
    text: 'O pagamento não pôde ser processado agora, e nada foi cobrado. Tente novamente.',
  },
};

const VALIDATION_FAILED = 'validation_failed';

export interface SandboxPages {
  readonly gateway: SandboxGateway;
  readonly clock: Clock;
  readonly describePurchase: DescribePurchase;
  /** Base URL of the pages, as browsers see it. */
  readonly publicUrl: string;
  /**
   * Whether the bearer of an `Authorization` header may read the charges of a sale. Undefined if
   * the token is invalid.
   */
  readonly mayRead: (authorization: string, saleId: number) => Promise<boolean | undefined>;
}

/** Whether a browser sent this form from a page of another site. Programs send neither header. */
const isFromOtherSite = (ctx: Context, publicUrl: string): boolean => {
  const origin = ctx.get('Origin');
  const isOwn =
    origin === new URL(publicUrl).origin ||
    (URL.canParse(origin) && new URL(origin).host === ctx.host);
  return (origin !== '' && !isOwn) || /^(cross|same)-site$/i.test(ctx.get('Sec-Fetch-Site'));
};

/** Gathers what a page shows of a charge. */
const showing = async (
  charge: SandboxCharge,
  { clock, describePurchase }: SandboxPages,
): Promise<Shown> => ({
  charge,
  purchase: await describePurchase(charge.saleId),
  today: clock.today(),
  dayOf: (at) => formatDate(clock.dayOf(at)),
});

const payCharge = async (
  ctx: Context,
  charge: SandboxCharge,
  fields: Fields,
  pages: SandboxPages,
): Promise<void> => {
  const { gateway, clock } = pages;
  const name = readField(fields, 'method') ?? '';
  const method = Object.hasOwn(METHODS, name) ? METHODS[name as keyof typeof METHODS] : undefined;
  const notice = readNoticeManner(fields['notice']);
  const show = async (code: string, faulty: Partial<PageState>): Promise<void> => {
    const state = { ...NO_FAULTS, notice, typed: readTyped(fields), ...(method && { method }) };
    const page = await renderPaymentPage(await showing(charge, pages), { ...state, ...faulty });
    showPage(ctx, 422, page, code);
  };

  if (method === undefined || !methodsOf(charge).includes(method))
    return show(VALIDATION_FAILED, { problem: 'Escolha uma das formas de pagamento.' });
  const faults = method === 'credit' ? findCardFaults(fields, clock.today().slice(0, 7)) : {};
  if (Object.keys(faults).length > 0) return show(VALIDATION_FAILED, { faults });

  const number = CardNumber.parse(readField(fields, 'number') ?? '')?.reveal();
  const card = method === 'credit' ? number : undefined;
  const paid = readField(fields, 'amount');
  const amount = paid === undefined ? undefined : centsFromText(paid);
  if (paid !== undefined && (amount === undefined || amount === 0))
    return show(VALIDATION_FAILED, { faults: { amount: 'Escreva o valor pago como 80,00.' } });
  const problem = PROBLEMS[await gateway.payOnPage(charge.id, method, card, notice, amount)];
  if (problem !== undefined) return show(problem.code, { problem: problem.text });
  redirectToPage(ctx, charge);
};

/** Takes the account that the payer of a boleto names, or lets the time for it pass. */
const nameAccount = async (
  ctx: Context,
  charge: SandboxCharge,
  fields: Fields,
  pages: SandboxPages,
): Promise<void> => {
  const isNamed = readField(fields, 'action') !== 'lapse';
  if (isNamed && (readField(fields, 'account') ?? '') === '') {
    const problem = 'Digite a conta ou a chave Pix que recebe o valor.';
    const page = renderRefundPage(await showing(charge, pages), problem);
    return showPage(ctx, 422, page, VALIDATION_FAILED);
  }
  await pages.gateway.endRefund(charge.id, isNamed);
  redirectToPage(ctx, charge);
};

const listCharges = async (ctx: Context, { gateway, mayRead }: SandboxPages): Promise<void> => {
  const text = String(ctx.query['transaction_id'] ?? '');
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
  const isReader = await mayRead(ctx.get('Authorization'), id);
  if (isReader === undefined) {
    ctx.status = 401;
    ctx.set({ 'WWW-Authenticate': 'Bearer', [ERROR_CODE_HEADER]: 'unauthenticated' });
    ctx.body = {
      success: false,
      response: 'Token não encontrado',
      status_code: '401',
      code: 'unauthenticated',
    };
    return;
  }
  // A sale of another channel and an unknown sale give the same answer.
  const charges = isReader ? await gateway.chargesOf(id) : [];
  ctx.body = { charges: charges.map(presentCharge) };
};

/** Creates the routes of the payment pages, and of the ledger that tests read. */
export const createSandboxRoutes = (pages: SandboxPages): Middleware => {
  const { gateway, clock, publicUrl } = pages;

  const findCharge = async (ctx: Context): Promise<SandboxCharge | undefined> => {
    const { id = '' } = (ctx as unknown as { params: { id?: string } }).params;
    const charge = /^[\w-]{1,100}$/.test(id) ? await gateway.findForPage(id) : undefined;
    if (charge === undefined) showPage(ctx, 404, renderMissingPage(), 'not_found');
    return charge;
  };

  const showCharge = async (ctx: Context): Promise<void> => {
    const charge = await findCharge(ctx);
    if (charge === undefined) return;
    const notice = readNoticeManner(ctx.query['notice']);
    const shown = await showing(charge, pages);
    const page =
      charge.status === 'open'
        ? await renderPaymentPage(shown, { ...NO_FAULTS, notice })
        : renderOutcomePage(shown, notice);
    showPage(ctx, 200, page);
  };

  const submitForm = async (ctx: Context): Promise<void> => {
    const fields = await readForm(ctx);
    if (isFromOtherSite(ctx, publicUrl))
      return showPage(ctx, 403, renderForeignOriginPage(), 'foreign_origin');
    const charge = await findCharge(ctx);
    if (charge === undefined) return;
    const action = readField(fields, 'action');
    const manner = readNoticeManner(fields['notice']);
    if (action === 'dispute_won') await gateway.endDispute(charge.id, 'won', manner);
    if (action === 'dispute_lost') await gateway.endDispute(charge.id, 'lost', manner);
    if (charge.status !== 'open') return redirectToPage(ctx, charge);

    if (action === 'pay') return payCharge(ctx, charge, fields, pages);
    const shown = await showing(charge, pages);
    if (action === undefined && Object.hasOwn(fields, 'test_card')) {
      const typed = fillTestCard(fields, clock.today());
      const state = { ...NO_FAULTS, method: 'credit', typed, notice: manner } as const;
      return showPage(ctx, 200, await renderPaymentPage(shown, state));
    }
    if (action !== 'refuse') {
      const state = { ...NO_FAULTS, problem: 'Escolha pagar ou desistir.' };
      return showPage(ctx, 422, await renderPaymentPage(shown, state), VALIDATION_FAILED);
    }
    await gateway.refuseOnPage(charge.id, manner);
    redirectToPage(ctx, charge);
  };

  const showRefund = async (ctx: Context): Promise<void> => {
    const charge = await findCharge(ctx);
    if (charge !== undefined) showPage(ctx, 200, renderRefundPage(await showing(charge, pages)));
  };

  const submitAccount = async (ctx: Context): Promise<void> => {
    const fields = await readForm(ctx);
    if (isFromOtherSite(ctx, publicUrl))
      return showPage(ctx, 403, renderForeignOriginPage(), 'foreign_origin');
    const charge = await findCharge(ctx);
    if (charge !== undefined) await nameAccount(ctx, charge, fields, pages);
  };

  // A slash at the end would lead relative links astray.
  const router = new Router({ strict: true });
  router.get('/sandbox/pay/:id', showCharge);
  router.post('/sandbox/pay/:id', submitForm);
  router.get('/sandbox/refund/:id', showRefund);
  router.post('/sandbox/refund/:id', submitAccount);
  router.get('/sandbox/charges', (ctx) => listCharges(ctx, pages));
  return router.routes() as unknown as Middleware;
};

const presentCharge = (charge: SandboxCharge): object => ({
  id: charge.id,
  reference: charge.reference,
  status: charge.status,
  amount: toReais(charge.amount),
  received: charge.status === 'paid' ? toReais(receivedOf(charge)) : null,
  method: charge.method ?? null,
  returned: toReais(charge.returned),
  dispute: charge.dispute ?? null,
});
