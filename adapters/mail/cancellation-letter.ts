import { formatDate, formatReais } from '#domain';
import { describePeriod } from '../../application/certificates/certificate.ts';
import {
  describeCancellation,
  describeRefund,
  describeWhenBack,
  type Ending,
  endingOf,
} from '../../application/mail/cancellation-words.ts';
import type { CancellationMail, CancellationNotice } from '../../application/mail/mailer.ts';
import { capitalize, DOCUMENT_NAMES } from './certificate-letter.ts';
import {
  composeLetter,
  type Letter,
  listContacts,
  paragraph,
  type Row,
  table,
} from './letter-parts.ts';

const SUBJECTS: Readonly<Record<Ending, string>> = {
  insured: 'cancelamento',
  insurer: 'contrato encerrado pela seguradora',
  not_concluded: 'compra não concluída',
  payment_returned: 'contrato encerrado',
  payment_lost: 'contrato encerrado',
};

const listRows = (notice: CancellationNotice): readonly Row[] => {
  const { protocol, figures, document, period, insurer, unbooked } = notice;
  const { reason, on, usedDays, totalDays, kept } = figures;
  const rows: Row[] = [['Protocolo', protocol]];
  if (document) rows.push([capitalize(DOCUMENT_NAMES[document.kind].number), document.number]);
  rows.push(['Seguradora', insurer.name]);
  // A purchase that was not paid was never in force.
  const isUnpaid = unbooked?.kind === 'not_charged' || unbooked?.kind === 'not_paid';
  if (isUnpaid) return rows;
  rows.push(['Vigência contratada', describePeriod(period)]);
  rows.push(['Encerrado em', formatDate(on)]);
  if (reason === 'cancellation' && usedDays > 0)
    rows.push(['Coberto até', `${formatDate(on)}, inclusive`]);
  rows.push(...listMoney(notice));
  if (kept.net > 0)
    rows.push([
      'Prêmio não devolvido',
      `${formatReais(kept.net)}; cobertura usada: ${usedDays} de ${totalDays} dias`,
    ]);
  if (kept.iof > 0) rows.push(['IOF não devolvido', formatReais(kept.iof)]);
  return rows;
};

/** Who returns what goes back, and when. */
const listWayBack = (notice: CancellationNotice, isPending: boolean): readonly Row[] => [
  [
    isPending ? 'Quem devolve' : 'Quem devolveu',
    notice.collectedBy === 'channel' ? notice.channelName : 'a empresa que processou o pagamento',
  ],
  ...(isPending ? [['Quando', describeWhenBack(notice)] as const] : []),
];

/** What was paid and what goes back; no row while the gateway has not said whether it charged. */
const listMoney = (notice: CancellationNotice): readonly Row[] => {
  const { figures, unbooked, refundStatus, surplus } = notice;
  if (unbooked?.kind === 'unknown') return [];
  const paid = unbooked?.received ?? figures.paid.total;
  const refund = unbooked?.received ?? figures.refund.total;
  const isPending = refundStatus !== undefined && refundStatus !== 'done';
  const label = isPending ? 'Valor a devolver, com IOF' : 'Valor devolvido, com IOF';
  return [
    ['Valor pago, com IOF', formatReais(paid)],
    [label, formatReais(refund)],
    ...(refund > 0 ? listWayBack(notice, isPending) : []),
    ...(surplus === undefined
      ? []
      : [['Pago a mais, que também volta', formatReais(surplus)] as Row]),
  ];
};

/** What the insured can do now, and with whom. */
const writeAdvice = (notice: CancellationNotice): string => {
  const { channelName, insurer } = notice;
  const advice: Readonly<Record<Ending, string>> = {
    insured: `Se você não fez este pedido, ou tem perguntas, procure ${channelName} e informe o protocolo.`,
    insurer: `Você pode pedir à seguradora, ${insurer.name}, os motivos por escrito. Se não concordar, procure a ouvidoria da seguradora e depois os órgãos abaixo. Para continuar com cobertura, contrate outro seguro. ${channelName}, que vendeu o seguro, também atende: informe o protocolo.`,
    not_concluded: `Se não souber o que houve, procure ${channelName}, que vendeu o seguro, e informe o protocolo. Você também pode pedir à seguradora, ${insurer.name}, os motivos por escrito e, se não concordar, procurar a ouvidoria da seguradora e depois os órgãos abaixo. Para ter cobertura, contrate outro seguro.`,
    payment_returned: `Se você pediu a devolução ao banco, não precisa fazer nada. Se não pediu, ou quer continuar com cobertura, procure ${channelName} e informe o protocolo; o seguro pode ser contratado de novo.`,
    payment_lost: `Se você pagou e não pediu o dinheiro de volta, procure ${channelName} com o comprovante e informe o protocolo; o seguro pode ser contratado de novo.`,
  };
  return advice[endingOf(notice)];
};

const AUTHORITIES: readonly Row[] = [
  ['SUSEP', 'www.gov.br/susep · 0800 021 8484'],
  ['Reclamações de consumo', 'www.consumidor.gov.br'],
];

/** The letter that tells the insured of the end of the contract, without an accusation. */
export const writeCancellationLetter = ({ notice }: CancellationMail, isTest: boolean): Letter => {
  const { protocol, productName, insured, insurer } = notice;
  const subject = `${productName}: ${SUBJECTS[endingOf(notice)]}, protocolo ${protocol}`;
  return composeLetter(
    subject,
    insured,
    [
      paragraph(describeCancellation(notice)),
      ...table(listRows(notice)),
      paragraph(describeRefund(notice)),
      paragraph(writeAdvice(notice)),
      ...table([...listContacts(insurer), ...AUTHORITIES]),
    ],
    isTest,
  );
};
