import { formatDate, formatReais, plus } from '#domain';
import type { RefundAccountMail } from '../../application/mail/mailer.ts';
import {
  composeLetter,
  type Letter,
  listContacts,
  paragraph,
  type Row,
  table,
} from './letter-parts.ts';

const SEVERAL = 'Foram vários pagamentos: informe a conta na página de cada um.';

/** The letter that asks the payer of a boleto for the account that receives the refund. */
export const writeAccountLetter = ({ request }: RefundAccountMail, isTest: boolean): Letter => {
  const { refunds, isReminder, protocol, productName, channelName, insurer } = request;
  const amount = plus(...refunds.map((refund) => refund.amount));
  const pages = refunds.flatMap(({ amount: part, url, until }) => {
    const rows: Row[] = [['Valor a receber', formatReais(part)]];
    if (protocol !== undefined) rows.push(['Protocolo', protocol]);
    rows.push(['Informe a conta até', formatDate(until)]);
    const text = 'Informe a conta, na página do serviço de pagamento,';
    return [{ kind: 'link', text, url } as const, ...table(rows)];
  });
  const opening = isReminder
    ? `Ainda falta informar a conta que recebe a devolução de ${formatReais(amount)}, de ${productName}.`
    : `Você tem ${formatReais(amount)} a receber, de ${productName}.`;
  return composeLetter(
    `${productName}: informe a conta para receber ${formatReais(amount)}`,
    request.insured,
    [
      paragraph(
        `${opening} O pagamento foi por boleto, que não tem conta de origem: o valor só pode sair depois que você informar uma conta em seu nome.`,
      ),
      ...(refunds.length > 1 ? [paragraph(SEVERAL)] : []),
      ...pages,
      paragraph(
        `Não pedimos senhas nem códigos. Se tiver dúvidas, procure ${channelName}, que vendeu o seguro.`,
      ),
      ...table(listContacts(insurer)),
    ],
    isTest,
  );
};
