import { expect } from 'chai';
import { NEXT_STEPS } from '../../../adapters/client/src/error-codes.ts';
import {
  type Body,
  type ErrorCode,
  InsuranceError,
  isCode,
} from '../../../adapters/client/src/index.ts';
import { readError } from '../../../adapters/client/src/read-error.ts';
import { standardErrorBody } from '../../../adapters/kit/contract/answer-error.ts';
import { ERROR_CODES } from '../../../adapters/kit/contract/error-codes.ts';
import { type Api, mainBody, withApi } from '../../support/api.ts';
import { clientOf, failureOf } from '../../support/client.ts';
import { saleOrder } from '../../support/generic-sales.ts';
import { artistOrder, byCard, creditCard, phoneOrder } from '../../support/orders.ts';

let made = 0;
/** A sale with a name of its own. */
const ticketSale = (over = {}) => {
  made += 1;
  const body = mainBody({ externalSaleId: `error-${made}`, ...over });
  return body as unknown as Body<'createIngressoSale'> & { externalSaleId: string };
};
const artistSale = (over = {}) => artistOrder(over) as unknown as Body<'createArtistaSale'>;

/** Names a sale that its test names in no other way. */
const named = () => ({ idempotencyKey: crypto.randomUUID() });

const phoneSale = (over = {}) => phoneOrder(over) as unknown as Body<'createCelularSale'>;
const honeymoon = (over = {}) => saleOrder(over) as unknown as Body<'createSale'>;

/** Whether the promise fails with the code. @returns the error */
const failsWith = async <Code extends ErrorCode>(promise: Promise<unknown>, code: Code) => {
  const failure = await failureOf(promise);
  if (!isCode(failure, code)) throw failure;
  return failure;
};

describe("the client's errors", () => {
  it('know every code of the service, with the same advice', () => {
    const ofClient = Object.entries(NEXT_STEPS).filter(([code]) => code in ERROR_CODES);
    const ofService = Object.entries(ERROR_CODES).map(([code, { next }]) => [code, next]);
    expect(ofClient).to.deep.equal(ofService);
    expect(Object.keys(NEXT_STEPS)).to.have.length(ofService.length + 7);
  });

  for (const [code, { status, next }] of Object.entries(ERROR_CODES))
    it(`of ${code} are of different classes`, () => {
      const [first = 0] = status;
      const text = JSON.stringify(
        standardErrorBody(first, code as ErrorCode & string as never, 'Texto.'),
      );
      const head = { status: first, headers: new Headers({ 'X-Error-Code': code }) };
      const error = readError(head, text, 'request-1');
      expect(isCode(error, code as ErrorCode)).to.equal(true);
      expect(isCode(error, 'unknown_code', 'no_answer')).to.equal(false);
      expect(error).to.include({ status: first, next, text: 'Texto.', requestId: 'request-1' });
    });

  it('of an unknown code keep it', () => {
    const headers = new Headers({ 'X-Error-Code': 'made_later', 'X-Request-Id': 'theirs' });
    const error = readError({ status: 418, headers }, '<html>', 'mine');
    expect(error).to.include({ code: 'unknown_code', rawCode: 'made_later', requestId: 'theirs' });
    for (const code of ['no_answer', 'toString']) {
      const made = readError(
        { status: 400, headers: new Headers({ 'X-Error-Code': code }) },
        '',
        '',
      );
      expect(made).to.include({ code: 'unknown_code', rawCode: code });
    }
    expect(isCode(new Error('card_declined'), 'card_declined')).to.equal(false);
  });

  withApi((api) => {
    const client = () => clientOf(api() as Api);

    it('name the faulty fields of every endpoint, and say it in Portuguese', async () => {
      const sales = await client();
      const closed = await failsWith(
        sales.createIngressoSale(ticketSale({ cpfCnpj: '52998224726', nomeCompleto: undefined })),
        'validation_failed',
      );
      expect(closed.fields).to.deep.equal({
        nomeCompleto: ['required'],
        cpfCnpj: ['invalid_tax_id'],
      });
      expect(closed.messages['nomeCompleto']?.[0]).to.include('obrigatório');
      expect([closed.status, closed.next]).to.deep.equal([422, 'correct']);

      const artist = await failsWith(
        sales.createArtistaSale(artistSale({ address: { street: 'Rua' } }), named()),
        'validation_failed',
      );
      expect(artist.status).to.equal(400);
      expect(artist.fields).to.include.keys('address.city', 'address.postcode');
      const phone = await failsWith(
        sales.createCelularSale(phoneSale({ saleDate: '2199-01-01' }), named()),
        'validation_failed',
      );
      expect(phone.fields).to.deep.equal({ saleDate: ['in_the_future'] });
      expect(phone.text).to.equal('A data da venda não pode ser futura.');
      const generic = await failsWith(
        sales.createSale(honeymoon({ insured: { name: 'Maria' } })),
        'validation_failed',
      );
      expect(generic.fields).to.deep.equal({
        'insured.cpfOrCnpj': ['required'],
        'insured.email': ['required'],
      });
    });

    it('of refused cards have the sale that exists', async () => {
      const sales = await client();
      for (const [number, code] of [
        ['4000000000000002', 'card_declined'],
        ['4000000000009995', 'insufficient_funds'],
        ['4000000000000069', 'expired_card'],
        ['4000000000000119', 'gateway_unavailable'],
      ] as const) {
        const phone = phoneSale({ creditCard: creditCard({ number }) });
        const refused = await failsWith(sales.createCelularSale(phone, named()), code);
        const transactionId: number = refused.transactionId;
        expect(transactionId).to.be.above(0);
        expect([refused.next, refused.attempts]).to.deep.equal(['new_sale', 1]);
        const artist = artistSale({ payment: byCard({}, { number }) });
        expect(await failsWith(sales.createArtistaSale(artist, named()), code)).to.include({
          status: 400,
        });
        expect(JSON.stringify(refused) + String(refused)).not.to.include(number);
      }
    });

    it('of conflicts have what differs', async () => {
      const sales = await client();
      const plan = { code: 'NACIONAL' };
      const sale = await sales.createSale(honeymoon({ externalSaleId: 'conflict', plan }));
      const other = honeymoon({ externalSaleId: 'conflict', plan: { code: 'INTERNACIONAL' } });
      const conflict = await failsWith(sales.createSale(other), 'content_conflict');
      expect(conflict.transactionId).to.equal(sale.data.transaction_id);
      expect(conflict.differences.map(({ path }) => path)).to.include('plan.code');
      expect(conflict.externalSaleId).to.equal('conflict');

      const changed = await failsWith(
        sales.cancelSale('conflict', { refundTotal: 1 }),
        'refund_changed',
      );
      expect(changed.refundTotal).to.equal(90.24);
      await sales.cancelSale('conflict', { refundTotal: changed.refundTotal });
      await failsWith(sales.sendSecondCopy('conflict'), 'second_copy_unavailable');
    });

    it('of what does not exist, is not granted or is another channel’s are of different classes', async () => {
      const sales = await client();
      await failsWith(sales.getSale('unknown/../x'), 'not_found');
      const foreign = ticketSale({ channelLink: 'canal-alheio' });
      await failsWith(sales.createIngressoSale(foreign), 'channel_mismatch');
    });

    it('are Errors with a message for the log, and hold nothing that was sent', async () => {
      const sale = honeymoon({ externalSaleId: 'Segredo', coverage: { startDate: 'x' } });
      const failure = (await failureOf((await client()).createSale(sale))) as InsuranceError;
      expect(failure).to.be.instanceOf(InsuranceError).and.instanceOf(Error);
      expect(failure.message).to.match(/\(validation_failed, status 422, request [\w-]{36}\)$/);
      expect(JSON.stringify(failure)).not.to.include('maria@example.com');
    });
  });
});
