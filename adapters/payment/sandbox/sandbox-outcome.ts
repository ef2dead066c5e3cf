import {
  type CalendarDate,
  type Cents,
  decisionDue,
  formatDate,
  formatReais,
  type Instant,
  isCancelled,
  minus,
  type PaymentMethod,
  plus,
  type Refund,
  refundsOf,
  ZERO,
} from '#domain';
import type { Purchase } from '../../../application/servicing/describe-purchase.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import {
  renderContact,
  renderFacts,
  renderForm,
  renderLayout,
  renderRows,
  renderWayBack,
  type Shown,
} from './sandbox-layout.ts';
import { receivedOf, type SandboxCharge } from './sandbox-ledger.ts';

/** What became of a charge, in words for its payer. */
interface Outcome {
  readonly title: string;
  readonly mark: 'done' | 'told' | 'alert';
  readonly sentences: readonly string[];
}

const METHOD_NAMES: Readonly<Record<PaymentMethod, string>> = {
  credit: 'com cartão de crédito',
  debit: 'com cartão de débito',
  pix: 'por Pix',
  boleto: 'por boleto',
};

const NOTHING_CHARGED = 'Nada a pagar: por este link nada foi cobrado.';

/** The last day on which the payer is asked for the account that receives a refund. */
const accountUntil = ({ charge, purchase }: Shown): CalendarDate | undefined =>
  purchase?.sale.receipts.find(({ chargeId }) => chargeId === charge.id)?.waitsFor?.until;

/** What goes back of a charge. The gateway may know of more that has left than the service. */
const moneyBack = ({ charge, purchase }: Shown) => {
  const refunds = (purchase === undefined ? [] : refundsOf(purchase.sale)).filter(
    ({ chargeId }) => chargeId === charge.id,
  );
  const told = plus(ZERO, ...refunds.map(({ amount }) => amount));
  const total = refunds.length > 0 ? told : (charge.waiting ?? ZERO);
  const due = total > charge.returned ? minus(total, charge.returned) : ZERO;
  const again = refunds.find(({ status }) => status === 'undone' || status === 'due')?.dueOn;
  return { due, at: lastOf(refunds), again };
};

/** When the last part has left. */
const lastOf = (refunds: readonly Refund[]): Instant | undefined =>
  refunds.flatMap(({ confirmedAt }) => confirmedAt ?? []).at(-1);

/** Tells how the insured gets the certificate. */
const tellOfCertificate = ({
  sale,
  certificateMail,
  maskedEmail,
  channelName,
}: Purchase): string => {
  const isAwaited = sale.terms.certificateMail !== 'on_request';
  switch (certificateMail?.status ?? (isAwaited ? 'waiting' : 'on_request')) {
    case 'sent':
      return `O documento do seguro foi enviado por e-mail a ${maskedEmail}.`;
    case 'undelivered':
      return `O endereço ${maskedEmail} não aceitou o e-mail com o documento do seguro: peça a ${channelName} que o corrija.`;
    case 'waiting':
      return `O documento do seguro vai por e-mail a ${maskedEmail}.`;
    default:
      return `Peça o documento do seguro a ${channelName}.`;
  }
};

/** Tells what happens to less than the price: for some days an operator may accept it. */
const tellOfLess = ({ purchase }: Shown): string => {
  const until = purchase && decisionDue(purchase.sale);
  return until === undefined
    ? 'Um valor menor não paga o seguro: ele volta inteiro.'
    : `Um valor menor não paga o seguro. Até ${formatDate(until)} decidimos se o aceitamos; se não, ele volta inteiro.`;
};

const tellOfPaid = (shown: Shown): Outcome => {
  const { charge, purchase } = shown;
  const { returned, dispute, amount } = charge;
  const received = receivedOf(charge);
  const { due } = moneyBack(shown);
  const ending = purchase?.ending;
  const why = ending === undefined ? [] : [ending.text, ending.money];
  if (dispute === 'open')
    return {
      title: 'Pagamento contestado',
      mark: 'alert',
      sentences: [
        'O titular do cartão contestou este pagamento. Até o banco decidir, nada é devolvido.',
      ],
    };
  if (returned >= received) return { title: 'Pagamento devolvido', mark: 'told', sentences: why };
  if (received < amount && due > 0)
    return {
      title: 'Pagamento menor que o preço',
      mark: 'told',
      sentences: [tellOfLess(shown), ...why],
    };
  if (ending !== undefined)
    return {
      title: due > 0 ? 'Há um valor a devolver' : 'Seguro encerrado',
      mark: 'told',
      sentences: why,
    };
  return {
    title: 'Pagamento confirmado',
    mark: 'done',
    sentences: [
      'Obrigado! Não é preciso pagar de novo.',
      ...(received > amount ? ['O que foi pago além do preço volta a quem pagou.'] : []),
      ...(purchase === undefined ? [] : [tellOfCertificate(purchase)]),
    ],
  };
};

/** Tells of a charge that took no money. Another charge may have paid the sale. */
const tellOfUnpaid = ({ charge, purchase }: Shown): Outcome => {
  const again = `Para ter o seguro, faça outra compra em ${purchase?.channelName}.`;
  if (charge.status === 'refused')
    return {
      title: 'Você desistiu',
      mark: 'told',
      sentences: ['Nada foi cobrado e não há seguro.', ...(purchase ? [again] : [])],
    };
  if (charge.status === 'authorized')
    return {
      title: 'Cartão autorizado',
      mark: 'told',
      sentences: ['O valor está reservado no cartão. Ele é cobrado quando a apólice é emitida.'],
    };
  const { sale, ending } = purchase ?? {};
  if (charge.status === 'declined')
    return {
      title: 'Pagamento não autorizado',
      mark: 'alert',
      sentences: ['O pagamento não foi autorizado.', NOTHING_CHARGED, ...(sale ? [again] : [])],
    };
  const isPaid = sale?.payment.status === 'approved' && ending === undefined;
  if (isPaid)
    return {
      title: 'Esta compra já foi paga',
      mark: 'told',
      sentences: ['O pagamento veio por outra cobrança.', NOTHING_CHARGED],
    };
  if (sale !== undefined && ending !== undefined) {
    const title = isCancelled(sale) ? 'Compra cancelada' : 'Compra não concluída';
    return { title, mark: 'told', sentences: [ending.text, NOTHING_CHARGED, again] };
  }
  return {
    title: 'O prazo para pagar terminou',
    mark: 'told',
    sentences: ['Este link já não recebe pagamentos.', NOTHING_CHARGED],
  };
};

const listMoney = (shown: Shown): readonly (readonly [string, string])[] => {
  const { charge } = shown;
  if (charge.status !== 'paid') return [];
  const { paidOn, method, returned, amount } = charge;
  const received = receivedOf(charge);
  const { due, at } = moneyBack(shown);
  const how = method === undefined ? '' : `, ${METHOD_NAMES[method]}`;
  const back = at === undefined ? '' : ` em ${shown.dayOf(at)}`;
  const row = (label: string, cents: Cents) => [label, formatReais(cents)] as const;
  return [
    row('Total pago', received),
    ...(received === amount ? [] : [row('A cobrança era de', amount)]),
    ['Pago em', `${paidOn === undefined ? '' : formatDate(paidOn)}${how}`],
    ...(returned > 0 ? [['Devolvido', `${formatReais(returned)}${back}`] as const] : []),
    ...(due > 0 ? [row('A devolver', due)] : []),
  ];
};

/** What the payer's bank decides in the end. */
const renderDispute = (charge: SandboxCharge, notice: string): Html =>
  renderForm(
    charge,
    notice,
    html`<button name="action" value="dispute_won">Simular: a loja ganha a contestação</button>
<button class="plain" name="action" value="dispute_lost">Simular: o banco devolve ao titular</button>`,
  );

/** Renders the page of a charge that can no longer be paid. */
export const renderOutcomePage = (shown: Shown, notice: string): string => {
  const { charge, purchase } = shown;
  const { title, mark, sentences } =
    charge.status === 'paid' ? tellOfPaid(shown) : tellOfUnpaid(shown);
  const protocol = purchase?.ending?.protocol;
  const until = accountUntil(shown);
  const needsAccount = charge.waiting !== undefined && charge.waiting > charge.returned;
  return renderLayout(
    title,
    html`<div class="sheet"><div class="${mark}" role="status"><h1>${title}</h1>
${sentences.map((each) => html`<p>${each}</p>`)}
${needsAccount && html`<p><a href="../refund/${charge.id}">Informar a conta que recebe o valor</a>${until !== undefined && `, até ${formatDate(until)}`}</p>`}
${protocol !== undefined && html`<p>Protocolo: ${protocol}</p>`}</div>
${renderRows('money', listMoney(shown))}
${charge.dispute === 'open' && renderDispute(charge, notice)}</div>
<div class="sheet">${renderFacts(shown)}${renderContact(shown)}${renderWayBack(charge)}</div>`,
  );
};

/** How a refund stands that waits for no account. */
const tellOfRefund = (shown: Shown): string => {
  const { due, again } = moneyBack(shown);
  const { returned } = shown.charge;
  if (due > 0)
    return `Há ${formatReais(due)} a devolver. O prazo para informar a conta terminou${again === undefined ? '' : `; a devolução é pedida de novo em ${formatDate(again)}`}. Outra mensagem traz então a página em que você informa a conta.`;
  return returned > 0
    ? `Já foram devolvidos ${formatReais(returned)}.`
    : 'Não há devolução a receber.';
};

/** Renders the page on which the payer of a boleto names an account for the refund. */
export const renderRefundPage = (shown: Shown, problem?: string): string => {
  const { charge } = shown;
  const { id, waiting, returned } = charge;
  const title = 'Devolução do seguro';
  if (waiting === undefined)
    return renderLayout(
      title,
      html`<div class="sheet"><h1>${title}</h1><p role="status">${tellOfRefund(shown)}</p>${renderFacts(shown)}${renderContact(shown)}</div>`,
    );
  const until = accountUntil(shown);
  const fault =
    problem !== undefined && html` aria-invalid="true" aria-describedby="account-fault" autofocus`;
  return renderLayout(
    title,
    html`<div class="sheet"><h1>${title}</h1>
<p>Você recebe <strong>${formatReais(minus(waiting, returned))}</strong>. O pagamento foi por boleto, que não tem conta de origem: informe uma conta em seu nome${until !== undefined && `, até ${formatDate(until)}`}.</p>
<form method="post" action="${id}" novalidate>
<div><label for="account">Conta ou chave Pix</label><input id="account" name="account" required maxlength="100" autocomplete="off"${fault}>
${problem !== undefined && html`<p class="fault" id="account-fault">${problem}</p>`}</div>
<button name="action" value="name">Informar a conta</button>
<button class="plain" name="action" value="lapse">Simular: o prazo termina sem uma conta</button>
</form>
${renderFacts(shown)}${renderContact(shown)}</div>`,
  );
};
