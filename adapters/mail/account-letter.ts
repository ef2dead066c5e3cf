import { formatDate, formatReais } from '#domain';
import type { RefundAccountMail } from '../../application/mail/mailer.ts';
import {
  composeLetter,
  type Letter,
  listContacts,
  paragraph,
  type Row,
  table,
} from './letter-parts.ts';

/** The letter that asks the payer of a boleto for the account that receives the refund. */
export const writeAccountLetter = ({ request }: RefundAccountMail): Letter => {
  const { amount, url, until, isReminder, protocol, productName, channelName, insurer } = request;
  const rows: Row[] = [['Valor a receber', formatReais(amount)]];
  if (protocol !== undefined) rows.push(['Protocolo', protocol]);
  rows.push(['Informe a conta até', formatDate(until)]);
  const opening = isReminder
    ? `Ainda falta informar a conta que recebe a devolução de ${formatReais(amount)}, de ${productName}.`
    : `Há ${formatReais(amount)} a devolver a você, de ${productName}.`;
  return composeLetter(
    `${productName}: informe a conta para receber ${formatReais(amount)}`,
    request.insured,
    [
      paragraph(
        `${opening} O pagamento foi por boleto, que não tem conta de origem: o valor só pode sair depois que você informar uma conta em seu nome.`,
      ),
      { kind: 'link', text: 'Informe a conta, na página do serviço de pagamento,', url },
      ...table(rows),
      paragraph(
        `Não pedimos senhas nem códigos. Se tiver dúvidas, procure ${channelName}, que vendeu o seguro.`,
      ),
      ...table(listContacts(insurer)),
    ],
  );
};
