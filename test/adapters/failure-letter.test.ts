import { expect } from 'chai';
import {
  applyPaymentReport,
  type Email,
  type ExternalSaleId,
  expireSale,
  type FailedSale,
  type RefusedReason,
  refuseSale,
} from '#domain';
import { writeFailureLetter } from '../../adapters/mail/failure-letter.ts';
import { failureOf } from '../support/certificates.ts';
import { APPROVED, AWAITING, day, LATER, pendingSale, stateOf, TOTAL } from '../support/sales.ts';

const REASONS: readonly [RefusedReason, string][] = [
  ['declined', 'o banco ou o emissor do cartão não autorizou'],
  ['insufficient_funds', 'saldo ou limite suficiente'],
  ['expired_card', 'o cartão estava vencido'],
  ['payer_refused', 'a desistência foi feita'],
  ['gateway_refused', 'o serviço de pagamento não aceitou'],
  ['not_charged', 'o pagamento não pôde ser processado'],
  ['price_over', 'o prazo do preço terminou'],
  ['payment_returned', 'o pagamento voltou a quem pagou'],
  ['insurer_rejected', 'a seguradora não aceitou a proposta'],
  ['premium_differs', 'o preço da seguradora passou a ser outro'],
];

const EXPIRED = stateOf(expireSale(AWAITING, { closedAt: LATER }));
const refused = (reason: RefusedReason): FailedSale =>
  stateOf(refuseSale(pendingSale(), { reason, closedAt: LATER }));

describe('the mail that tells of a purchase that came to no contract', () => {
  const letterOf = async (sale: FailedSale) => {
    const to = 'rui@example.com' as Email;
    const notice = await failureOf(sale);
    const { text, ...letter } = writeFailureLetter(
      { reference: '1-cancellation', occasion: 'failure', to, notice },
      false,
    );
    return { ...letter, text: text.replaceAll(/\s+/g, ' ') };
  };

  for (const [reason, words] of REASONS)
    it(`says why, if it is ${reason}`, async () => {
      const { subject, text, html } = await letterOf(refused(reason));
      expect(subject).to.equal('Ingresso Protegido: compra não concluída');
      for (const each of [words, 'Não há seguro.', 'Nada foi cobrado.', 'Canal de demonstração'])
        expect(
          [text, html].every((written) => written.includes(each)),
          each,
        ).to.equal(true);
    });

  it('asks for the number of the order, if the shop gave one', async () => {
    const unnamed = refused('declined');
    const { text } = await letterOf(unnamed);
    expect(text)
      .to.include('informe seu nome e o dia da compra.')
      .and.not.match(/pedido/i);
    const terms = { ...unnamed.terms, externalSaleId: 'compra-77' as ExternalSaleId };
    expect((await letterOf({ ...unnamed, terms })).text)
      .to.include('informe o pedido.')
      .and.include('Pedido: compra-77');
  });

  it('says of a link or a boleto that it must not be paid any more', async () => {
    expect((await letterOf(EXPIRED)).text)
      .to.include('o prazo para pagar terminou')
      .and.include('não o pague');
    expect((await letterOf(refused('declined'))).text).not.to.include('não o pague');
  });

  it('says what goes back of a payment that came too late, and what has gone back', async () => {
    const now = { on: day('2026-12-06'), at: LATER };
    const late = stateOf(applyPaymentReport(EXPIRED, APPROVED, now)) as FailedSale;
    expect((await letterOf(late)).text).to.include('R$ 202,52 voltam a quem pagou');
    const { chargeId } = APPROVED;
    const report = { status: 'returned', chargeId, amount: TOTAL, returned: TOTAL } as const;
    const returned = stateOf(applyPaymentReport(late, report, now)) as FailedSale;
    expect((await letterOf(returned)).text)
      .to.include('R$ 202,52 já voltaram a quem pagou.')
      .and.not.include('voltam a quem');
  });
});
