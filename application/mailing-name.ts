/** Number of the mailing that tells the insured that the sale has ended. */
export const CANCELLATION_NUMBER = -1;

/** Numbers of mailings that ask the payer for an account are this or lower. */
export const FIRST_ACCOUNT_NUMBER = -2;

/**
 * Number of a mailing of a sale: 0 is sent when the certificate is issued, higher ones are second
 * copies, `CANCELLATION_NUMBER` is sent when the sale has ended, and lower ones ask the payer for an
 * account for a refund.
 */
export interface MailingName {
  readonly saleId: number;
  readonly number: number;
}

/** The name as operators write it: `17-0`, `17-cancellation`, `17-account-1`. */
export const mailingId = ({ saleId, number }: MailingName): string => {
  if (number === CANCELLATION_NUMBER) return `${saleId}-cancellation`;
  return number < 0
    ? `${saleId}-account-${FIRST_ACCOUNT_NUMBER - number + 1}`
    : `${saleId}-${number}`;
};

/** Reads the name; undefined if the text is not a name. */
export const parseMailingId = (text: string): MailingName | undefined => {
  const [, saleId, copy, account] =
    /^([1-9]\d{0,14})-(?:(0|[1-9]\d{0,8})|cancellation|account-([1-9]\d{0,4}))$/.exec(text) ?? [];
  if (saleId === undefined) return undefined;
  const special =
    account === undefined ? CANCELLATION_NUMBER : FIRST_ACCOUNT_NUMBER + 1 - Number(account);
  return { saleId: Number(saleId), number: copy === undefined ? special : Number(copy) };
};

export const MAIL_OCCASIONS = ['issue', 'second_copy', 'cancellation', 'refund_account'] as const;

export type MailOccasion = (typeof MAIL_OCCASIONS)[number];

export const occasionOf = ({ number }: MailingName): MailOccasion => {
  if (number === CANCELLATION_NUMBER) return 'cancellation';
  if (number < 0) return 'refund_account';
  return number === 0 ? 'issue' : 'second_copy';
};
