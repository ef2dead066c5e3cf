import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { applyPaymentReport, cents, type Email, expireSale, type FailedSale } from '#domain';
import { composeMessage } from '../../adapters/mail/mail-message.ts';
import { fileNameOf } from '../../application/certificates/certificate.ts';
import type { Mail } from '../../application/mail/mailer.ts';
import { OVERFLOW, picture, violationsOn, withBrowser } from '../support/browser.ts';
import { certificateOf, failureOf, noticeOf } from '../support/certificates.ts';
import { AWAITING, cancelledOn, day, ISSUED, LATER, paidSale, stateOf } from '../support/sales.ts';

const LONG_NAME = `${'x'.repeat(100)}.example`;

const addressed = { reference: '1-01M7YT3JAHDR4EX1NJJCGWCZ8P', to: 'rui@example.com' as Email };

/** A letter of each kind. */
const letters = async (): Promise<readonly (readonly [string, Mail])[]> => {
  const certificate = await certificateOf({ insuredObject: { eventName: LONG_NAME } });
  const document = { fileName: fileNameOf(certificate), content: new Uint8Array() };
  const returned = {
    ...({ status: 'returned', chargeId: 'ch-1', amount: ISSUED.payment.amount } as const),
    returned: ISSUED.payment.amount,
  };
  const chargedBack = stateOf(
    applyPaymentReport(ISSUED, returned, { on: day('2026-12-05'), at: LATER }),
  );
  const notice = await noticeOf(cancelledOn(paidSale(), '2026-11-25'));
  const failure = await failureOf(stateOf(expireSale(AWAITING, { closedAt: LATER })) as FailedSale);
  const { insured, productName, channelName, insurer } = notice;
  const url = `https://pay.example/refund/${LONG_NAME}`;
  const refunds = [{ amount: cents(9_024), url, until: day('2026-12-09') }];
  const request = { insured, productName, channelName, insurer, isReminder: false, refunds };
  return [
    ['certificate', { ...addressed, occasion: 'issue', certificate, document }],
    ['cancellation', { ...addressed, occasion: 'cancellation', notice }],
    [
      'charged back',
      { ...addressed, occasion: 'cancellation', notice: await noticeOf(chargedBack as never) },
    ],
    ['failure', { ...addressed, occasion: 'failure', notice: failure }],
    ['account', { ...addressed, occasion: 'refund_account', request }],
  ];
};

const show = async (page: Page, mail: Mail): Promise<void> => {
  const sender = { name: 'Seguros', address: 'seguros@example.com', isTest: true };
  await page.setContent(String(composeMessage(mail, sender).html));
};

describe('a person who reads the mails in a browser', () => {
  withBrowser((open) => {
    for (const size of ['desktop', 'phone'] as const)
      it(`finds no barrier (axe-core), and no text that runs out of the screen, on a ${size}`, async () => {
        const page = await open('about:blank', { size });
        for (const [name, mail] of await letters()) {
          await show(page, mail);
          await picture(page, `mail-${size}-${name}`);
          expect(await page.evaluate(OVERFLOW), `width, ${name}`).to.be.at.most(0);
          const serious = (await violationsOn(page)).filter(({ id }) => !STRUCTURE.includes(id));
          expect(serious, name).to.deep.equal([]);
        }
        await page.context().close();
      });
  });
});

/** A mail is a part of a mail program's page: it has no heading and no regions of its own. */
const STRUCTURE = ['landmark-one-main', 'page-has-heading-one', 'region'];
