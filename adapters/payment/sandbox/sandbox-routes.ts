import type Router from '@koa/router';
import { CardNumber, centsFromText, formatDate, toReais } from '#domain';
import type { Clock } from '../../../application/clock.ts';
import type { DescribePurchase } from '../../../application/servicing/describe-purchase.ts';
import { errorCodeHeader } from '../../kit/contract/answer-error.ts';
import type { ErrorCode } from '../../kit/contract/error-codes.ts';
import { sendPage } from '../../kit/web/pages/send-page.ts';
import { showErrorsToPersons } from '../../kit/web/pages/show-page.ts';
import {
  type Context,
  pathParameter,
  type State,
  type Step,
  unauthenticated,
} from '../../kit/web/pipeline/context.ts';
import { Form, formOf, isFromOtherSite } from '../../kit/web/pipeline/form.ts';
import { readFormBody } from '../../kit/web/pipeline/request-body.ts';
import { fillTestCard, findCardFaults, readNoticeManner, readTyped } from './sandbox-form.ts';
import type { PageOutcome, SandboxGateway } from './sandbox-gateway.ts';
import { renderForeignOriginPage, renderMissingPage, type Shown } from './sandbox-layout.ts';
import { methodsOf, receivedOf, type SandboxCharge } from './sandbox-ledger.ts';
import { renderOutcomePage, renderRefundPage } from './sandbox-outcome.ts';
import { NO_FAULTS, type PageState, renderPaymentPage } from './sandbox-page.ts';

const METHODS = { card: 'credit', pix: 'pix', boleto: 'boleto' } as const;

/** @param errorCode of a page with an error */
const showPage = (ctx: Context, status: number, page: string, errorCode?: ErrorCode): void => {
  if (errorCode !== undefined) ctx.set(errorCodeHeader(errorCode));
  sendPage(ctx, status, page);
};

/** Relative, as each link and form of the pages: a proxy may serve them below a path. */
const redirectToPage = (ctx: Context, { id }: SandboxCharge): void => {
  ctx.status = 303;
  ctx.redirect(id);
};

interface Problem {
  readonly code: ErrorCode;
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

/** The form that was sent. A body that is compressed, or is not a form, is an empty form. */
const readSent = async (ctx: Context): Promise<Form> => {
  if (ctx.get('Content-Encoding') !== '') return new Form('');
  await readFormBody(ctx).catch(() => {
    ctx.request.body = {};
  });
  return formOf(ctx);
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
  form: Form,
  pages: SandboxPages,
): Promise<void> => {
  const { gateway, clock } = pages;
  const name = form.one('method') ?? '';
  const method = Object.hasOwn(METHODS, name) ? METHODS[name as keyof typeof METHODS] : undefined;
  const notice = readNoticeManner(form.one('notice'));
  const show = async (code: ErrorCode, faulty: Partial<PageState>): Promise<void> => {
    const state = { ...NO_FAULTS, notice, typed: readTyped(form), ...(method && { method }) };
    const page = renderPaymentPage(await showing(charge, pages), { ...state, ...faulty });
    showPage(ctx, 422, page, code);
  };

  if (method === undefined || !methodsOf(charge).includes(method))
    return show(VALIDATION_FAILED, { problem: 'Escolha uma das formas de pagamento.' });
  const faults = method === 'credit' ? findCardFaults(form, clock.today().slice(0, 7)) : {};
  if (Object.keys(faults).length > 0) return show(VALIDATION_FAILED, { faults });

  const number = CardNumber.parse(form.one('number') ?? '')?.reveal();
  const card = method === 'credit' ? number : undefined;
  const paid = form.one('amount');
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
  form: Form,
  pages: SandboxPages,
): Promise<void> => {
  const isNamed = form.one('action') !== 'lapse';
  if (isNamed && (form.one('account') ?? '') === '') {
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
  if (isReader === undefined) throw unauthenticated('Bearer');
  // A sale of another channel and an unknown sale give the same answer.
  const charges = isReader ? await gateway.chargesOf(id) : [];
  ctx.body = { charges: charges.map(presentCharge) };
};

/**
 * The routes of the payment pages, and of the ledger that tests read. `limitNetwork` refuses callers
 * that call too often.
 */
export const createSandboxRoutes = (pages: SandboxPages) => {
  const { gateway, clock, publicUrl } = pages;

  const findCharge = async (ctx: Context): Promise<SandboxCharge | undefined> => {
    const id = pathParameter(ctx, 'id');
    // A slash at the end would lead relative links astray.
    const isOne = /^[\w-]{1,100}$/.test(id) && !ctx.path.endsWith('/');
    const charge = isOne ? await gateway.findForPage(id) : undefined;
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
        ? renderPaymentPage(shown, { ...NO_FAULTS, notice })
        : renderOutcomePage(shown, notice);
    showPage(ctx, 200, page);
  };

  const submitForm = async (ctx: Context): Promise<void> => {
    const form = await readSent(ctx);
    if (isFromOtherSite(ctx, publicUrl))
      return showPage(ctx, 403, renderForeignOriginPage(), 'foreign_origin');
    const charge = await findCharge(ctx);
    if (charge === undefined) return;
    const action = form.one('action');
    const manner = readNoticeManner(form.one('notice'));
    if (action === 'dispute_won') await gateway.endDispute(charge.id, 'won', manner);
    if (action === 'dispute_lost') await gateway.endDispute(charge.id, 'lost', manner);
    if (charge.status !== 'open') return redirectToPage(ctx, charge);

    if (action === 'pay') return payCharge(ctx, charge, form, pages);
    const shown = await showing(charge, pages);
    if (action === undefined && form.has('test_card')) {
      const typed = fillTestCard(form, clock.today());
      const state = { ...NO_FAULTS, method: 'credit', typed, notice: manner } as const;
      return showPage(ctx, 200, renderPaymentPage(shown, state));
    }
    if (action !== 'refuse') {
      const state = { ...NO_FAULTS, problem: 'Escolha pagar ou desistir.' };
      return showPage(ctx, 422, renderPaymentPage(shown, state), VALIDATION_FAILED);
    }
    await gateway.refuseOnPage(charge.id, manner);
    redirectToPage(ctx, charge);
  };

  const showRefund = async (ctx: Context): Promise<void> => {
    const charge = await findCharge(ctx);
    if (charge !== undefined) showPage(ctx, 200, renderRefundPage(await showing(charge, pages)));
  };

  const submitAccount = async (ctx: Context): Promise<void> => {
    const form = await readSent(ctx);
    if (isFromOtherSite(ctx, publicUrl))
      return showPage(ctx, 403, renderForeignOriginPage(), 'foreign_origin');
    const charge = await findCharge(ctx);
    if (charge !== undefined) await nameAccount(ctx, charge, form, pages);
  };

  return (router: Router<State>, limitNetwork: Step): void => {
    const page = (path: string, show: Step, submit: Step): void => {
      router.get(path, showErrorsToPersons, limitNetwork, show);
      router.post(path, showErrorsToPersons, limitNetwork, submit);
    };
    page('/sandbox/pay/:id', showCharge, submitForm);
    page('/sandbox/refund/:id', showRefund, submitAccount);
    router.get('/sandbox/charges', limitNetwork, (ctx) => listCharges(ctx as Context, pages));
  };
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
