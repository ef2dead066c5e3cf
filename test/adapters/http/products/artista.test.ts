import { expect } from 'chai';
import { type Answer, withApi } from '../../../support/api.ts';
import { address, artistOrder, byCard, creditCard } from '../../../support/orders.ts';

const CREATE = '/seguros/artista-protegido/create';
const STATUS = '/seguros/artista-protegido/status';

describe('Artista Protegido', () => {
  withApi((api) => {
    let authorization: { Authorization: string };
    before(async () => {
      authorization = await api().bearer();
    });
    const create = (over: Record<string, unknown> = {}, headers = {}): Promise<Answer> =>
      api().post(CREATE, artistOrder(over), { ...authorization, ...headers });
    const status = (ticket: string, headers = authorization): Promise<Answer> =>
      api().get(`${STATUS}/${ticket}`, headers);

    it('sells by card: charges, issues, and answers with all amounts', async () => {
      const { status: code, body } = await create({
        payment: byCard({ totalInstallmentNumber: 3 }),
      });
      expect(code).to.equal(200);
      expect(body.success).to.equal(true);
      const { data } = body.response;
      expect(data).to.deep.include({ status: 'issued', payment_url: null });
      expect(data.insurance_data).to.deep.include({
        quotation_no: 'C-2026-000001',
        proposal_no: 'P-2026-000001',
        policy_no: 'A-2026-000001',
        premium_net: 100,
        premium_taxes: 7.38,
        premium_total: 107.38,
      });
      expect(data.insurance_data.installments).to.deep.equal([
        { number: 1, due_date: '2026-11-20', amount: 35.8 },
        { number: 2, due_date: '2026-12-20', amount: 35.79 },
        { number: 3, due_date: '2027-01-20', amount: 35.79 },
      ]);
      const { body: seen } = await status(data.ticket);
      expect(seen).to.deep.equal({
        success: true,
        response: {
          success: true,
          data: {
            transaction_id: data.transaction_id,
            ticket: data.ticket,
            status_id: 4,
            status: 'issued',
            proposal_status: 'Policy',
            quotation_status: 'Issued',
            policy_no: 'A-2026-000001',
            payment_url: null,
            document_url: seen.response.data.document_url,
            external_sale_id: null,
            seller_code: null,
            idempotency_key: null,
          },
        },
      });
      expect(seen.response.data.document_url).to.match(/^http:.*\/documents\/[\w-]+$/);
    });

    it('sells by boleto: a payment URL, and a policy once it is paid', async () => {
      const { body } = await create();
      const { data } = body.response;
      expect(data.payment_url).to.match(/\/sandbox\/pay\//);
      expect(data).to.deep.nested.include({
        status: 'awaiting_payment',
        'insurance_data.policy_no': null,
      });
      expect((await status(data.ticket)).body.response.data).to.deep.include({
        status_id: 2,
        proposal_status: 'Accepted',
        quotation_status: 'Quoted',
        payment_url: data.payment_url,
        document_url: null,
      });
      await api().memory.sandbox.payOnPage(
        data.payment_url.split('/').at(-1),
        'boleto',
        undefined,
        'once',
      );
      await api().memory.runJobs();
      expect((await status(data.ticket)).body.response.data).to.deep.include({
        status_id: 4,
        proposal_status: 'Policy',
        payment_url: null,
      });
    });

    it('answers 400 with the reason for a declined card, and keeps the transaction', async () => {
      for (const [number, words] of [
        ['4000000000000002', 'o cartão foi recusado pelo emissor'],
        ['4000000000009995', 'o cartão não tem saldo ou limite suficiente'],
      ]) {
        const { status: code, body } = await create({ payment: byCard({}, { number }) });
        expect(code).to.equal(400);
        expect(body).to.deep.include({
          success: false,
          status_code: '400',
          response: `Não foi possível criar a transação: ${words}.`,
        });
        expect((await status(body.ticket)).body.response.data).to.deep.include({
          status_id: 5,
          status: 'refused',
        });
      }
    });

    it('answers 400 with all faults at once, by dotted path', async () => {
      const { status: code, body } = await api().post(
        CREATE,
        {
          productId: 2,
          channelLink: 'canal-demo',
          lossLimit: -1,
          premiumNet: 0,
          standArea: 1.5,
          saleDate: '2030-01-01',
          assemblyStartDate: '2026-12-05',
          eventStartDate: '2026-12-04',
          eventEndDate: '2026-12-03',
          disassemblyEndDate: '2026-12-02',
          address: { ...address, ibgeCode: '3304557' },
          additionalInsured: [
            { name: 'Ana', cpfOrCnpj: '123', birthDate: '2030-01-01', email: 'x' },
          ],
          plan: { id: 31 },
          payment: {
            modeCode: '2',
            totalInstallmentNumber: 13,
            creditCard: creditCard({ number: '4111111111111112', cvv: 'x', expiryYear: '20' }),
          },
        },
        authorization,
      );
      expect(code).to.equal(400);
      expect(body.response).to.match(/^Não foi possível criar a transação: /);
      expect(Object.keys(body.errors)).to.include.members([
        'nameOrRazao',
        'cpfOrCnpj',
        'email',
        'phone',
        'birthDate',
        'eventName',
        'venueName',
        'eventDescription',
        'premiumTaxes',
        'lossLimit',
        'premiumNet',
        'standArea',
        'saleDate',
        'eventStartDate',
        'eventEndDate',
        'disassemblyEndDate',
        'plan.id',
        'address.ibgeCode',
        'additionalInsured.0.cpfOrCnpj',
        'additionalInsured.0.email',
        'payment.totalInstallmentNumber',
        'payment.creditCard.number',
        'payment.creditCard.cvv',
        'payment.creditCard.expiryYear',
      ]);
      expect(JSON.stringify(body)).not.to.include('4111111111111112');
    });

    const FAULTS: readonly [string, Record<string, unknown>, string][] = [
      ['an IOF more than a cent off', { premiumTaxes: 7.4 }, 'premiumTaxes'],
      [
        'a missing card',
        { payment: { modeCode: '2', totalInstallmentNumber: 1 } },
        'payment.creditCard',
      ],
      [
        'a boleto in installments',
        { payment: { modeCode: '1', totalInstallmentNumber: 2 } },
        'payment.totalInstallmentNumber',
      ],
      [
        'a first installment in the past',
        {
          payment: { modeCode: '1', totalInstallmentNumber: 1, firstInstallmentDate: '2026-11-19' },
        },
        'payment.firstInstallmentDate',
      ],
      [
        'a first installment too far in the future',
        {
          payment: { modeCode: '1', totalInstallmentNumber: 1, firstInstallmentDate: '2027-11-19' },
        },
        'payment.firstInstallmentDate',
      ],
      ['a coverage of another product', { insurance: [{ id: 301 }] }, 'insurance.0.id'],
      ['a coverage twice', { insurance: [{ id: 201 }, { id: 201 }] }, 'insurance.1.id'],
      ['a product of another line', { productId: 3 }, 'productId'],
      [
        'a holder of another kind',
        {
          payment: byCard(
            {},
            { holder: { name: 'Empresa', type: 'company', document: '52998224725' } },
          ),
        },
        'payment.creditCard.holder.document',
      ],
      [
        'an unknown way of paying',
        { payment: { modeCode: '3', totalInstallmentNumber: 1 } },
        'payment.modeCode',
      ],
    ];
    for (const [what, over, field] of FAULTS) {
      it(`${what}: 400 at ${field}`, async () => {
        const { status: code, body } = await create(over);
        expect(code).to.equal(400);
        expect(Object.keys(body.errors)).to.deep.equal([field]);
      });
    }

    it('accepts an IOF one cent off as rounding, and otherwise names the right amount', async () => {
      expect((await create({ premiumTaxes: 7.39 })).status).to.equal(200);
      expect((await create({ premiumTaxes: 8 })).body.errors.premiumTaxes[0]).to.match(/R\$ 7,38/);
    });

    it('ignores unknown fields, and stores none of them', async () => {
      const { body } = await create({
        unknown: 'x',
        address: { ...address, colour: 'x' },
        payment: { ...(byCard() as object), pin: '1' },
      });
      const stored = JSON.stringify(
        await api().memory.sales.load(body.response.data.transaction_id),
      );
      expect(stored).to.not.match(/colour|unknown|"pin"|8371/);
    });

    it('replays under an Idempotency-Key byte for byte; another card is other content, and masked', async () => {
      const key = { 'Idempotency-Key': 'artist-1' };
      const first = await create({ payment: byCard() }, key);
      const again = await create({ payment: byCard({}, { extra: 'ignored' }) }, key);
      expect(again.headers.get('Idempotent-Replayed')).to.equal('true');
      expect(again.body).to.deep.equal(first.body);
      const other = await create(
        {
          payment: byCard({}, { number: '5555555555554444', cvv: '999' }),
          address: { ...address, street: 'Rua Nova' },
          additionalInsured: [
            { name: 'Ana Souza', cpfOrCnpj: '11144477735', birthDate: '1990-01-01' },
          ],
        },
        key,
      );
      expect(other.status).to.equal(409);
      expect(other.body.differences).to.deep.equal([
        { path: 'additionalInsured', stored: null, received: '***' },
        { path: 'address.street', stored: 'R***', received: 'R*** (outro)' },
        { path: 'payment.creditCard', stored: '***', received: '*** (outro)' },
      ]);
      const declined = { 'Idempotency-Key': 'artist-2' };
      const refusals = [
        await create({ payment: byCard({}, { number: '4000000000000002' }) }, declined),
        await create({ payment: byCard({}, { number: '4000000000000002' }) }, declined),
      ];
      expect(refusals[0]?.status).to.equal(400);
      expect(refusals[1]?.body).to.deep.equal(refusals[0]?.body);
    });

    it('reveals nothing of another endpoint’s sale under the same key', async () => {
      const key = { 'Idempotency-Key': 'artist-3' };
      await api().post(
        '/seguros/seguro-celular/create',
        {
          ...artistOrder(),
          productId: 3,
          payment: undefined,
          socialName: 'Segredo',
          device: { imei: '490154203237518' },
        },
        { ...authorization, ...key },
      );
      const { status: code, body } = await create({}, key);
      expect(code).to.equal(409);
      expect(JSON.stringify(body)).not.to.match(/Segredo|490154203237518/);
    });

    it('answers the same 404 to another channel’s, an unknown and another product’s ticket', async () => {
      const { body } = await create();
      await api().channel('canal-alheio');
      const other = await api().bearer('canal-alheio');
      const phone = await api().post(
        '/seguros/seguro-celular/create',
        { ...artistOrder(), productId: 3, payment: undefined },
        authorization,
      );
      const answers = [
        await status(body.response.data.ticket, other),
        await status('nothing'),
        await status(phone.body.data.ticket),
        await status('a%00b'),
      ];
      for (const answer of answers) {
        expect(answer.status).to.equal(404);
        expect(answer.body).to.deep.equal(answers[0]?.body);
      }
    });

    it('refuses another channel’s client, and requests without a token', async () => {
      await api().channel('canal-outro');
      const { status: code } = await api().post(
        CREATE,
        artistOrder(),
        await api().bearer('canal-outro'),
      );
      expect(code).to.equal(403);
      expect((await api().post(CREATE, artistOrder())).status).to.equal(401);
    });

    it('answers 400 to a hostile body, never 500', async () => {
      const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
      const bodies = [
        artistOrder({ address: 'DEEP' }),
        artistOrder({ payment: byCard({}, { extra: 'DEEP' }) }),
        artistOrder({ unknown: 'DEEP' }),
        artistOrder({ payment: [] }),
        artistOrder({ address: 'Rua' }),
        artistOrder({ additionalInsured: { 0: {} } }),
        artistOrder({ __proto__: { a: 1 }, constructor: 1 }),
      ];
      for (const [index, body] of bodies.entries()) {
        const text = JSON.stringify(body).replace('"DEEP"', deep);
        const { status: code } = await api().post(CREATE, text, {
          ...authorization,
          'Idempotency-Key': `hostile-${index}`,
        });
        expect(code, `body ${index}`).to.be.oneOf([200, 400]);
      }
    });
  });
});
