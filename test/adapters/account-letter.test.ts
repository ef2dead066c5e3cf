import { expect } from 'chai';
import { cents, type Email } from '#domain';
import { writeAccountLetter } from '../../adapters/mail/account-letter.ts';
import type { RefundAccountMail } from '../../application/mail/mailer.ts';
import { noticeOf } from '../support/certificates.ts';
import { cancelledOn, day, paidSale } from '../support/sales.ts';

const REFUND = {
  amount: cents(9_024),
  url: 'https://pay.example/refund/1',
  until: day('2026-12-09'),
};

describe('the mail that asks the payer of a boleto for an account', () => {
  const letter = async (over: Partial<RefundAccountMail['request']> = {}) => {
    const notice = await noticeOf(cancelledOn(paidSale(), '2026-11-25'));
    const { insured, productName, channelName, insurer } = notice;
    const mail = {
      reference: '1-account-1',
      occasion: 'refund_account',
      to: 'rui@example.com' as Email,
      request: {
        ...{ insured, productName, channelName, insurer, isReminder: false },
        refunds: [REFUND],
        ...over,
      },
    } as const;
    return writeAccountLetter(mail, false);
  };

  it('says what goes back, why, where to name the account, and until when', async () => {
    const { subject, text, html } = await letter({ protocol: '20261125-1-1234567' });
    expect(subject.replaceAll(/\s/g, ' ')).to.include('informe a conta para receber R$ 90,24');
    for (const words of ['boleto, que não tem conta de origem', '09/12/2026', '20261125-1-1234567'])
      expect(
        [text, html].every((each) => each.includes(words)),
        words,
      ).to.equal(true);
    expect(text).to.include('https://pay.example/refund/1');
    expect(html).to.include('href="https://pay.example/refund/1"');
    expect(text).to.include('Você tem R$').and.include('Não pedimos senhas');
  });

  it('names the page of each payment that goes back', async () => {
    const other = { ...REFUND, amount: cents(1_000), url: 'https://pay.example/refund/2' };
    const { subject, text } = await letter({ refunds: [REFUND, other] });
    expect(subject.replaceAll(/\s/g, ' ')).to.include('para receber R$ 100,24');
    expect(text)
      .to.include(REFUND.url)
      .and.include(other.url)
      .and.include('Foram vários pagamentos');
  });

  it('says that it is a reminder, and names no protocol of a sale that was not cancelled', async () => {
    const { text } = await letter({ isReminder: true });
    expect(text).to.include('Ainda falta informar a conta').and.not.include('Protocolo');
  });
});
