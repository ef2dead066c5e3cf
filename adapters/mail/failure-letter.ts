import type { FailureMail } from '../../application/mail/mailer.ts';
import { composeLetter, type Letter, listContacts, paragraph, table } from './letter-parts.ts';

/** The letter that tells the insured that a purchase came to no contract. */
export const writeFailureLetter = ({ notice }: FailureMail, isTest: boolean): Letter => {
  const { text, money, order, productName, insured, channelName, insurer } = notice;
  return composeLetter(
    `${productName}: compra não concluída`,
    insured,
    [
      paragraph(text),
      paragraph(money),
      paragraph(
        `Para ter o seguro, faça outra compra em ${channelName}. Se não souber o que houve, procure ${channelName} e informe ${order === undefined ? 'seu nome e o dia da compra' : 'o pedido'}.`,
      ),
      ...table([
        ...(order === undefined ? [] : [['Pedido', order] as const]),
        ['Loja', channelName],
        ['Seguradora', insurer.name],
        ...listContacts(insurer),
      ]),
    ],
    isTest,
  );
};
