import { expect } from 'chai';
import { CHANNEL_TEXTS } from '#domain';
import { channelTextFields } from '../../../../adapters/http/sales/channel-texts.ts';
import { CREATE, mainBody, quickStartBody, withApi } from '../../../support/api.ts';
import { SALE, SALES_LIST, saleOrder } from '../../../support/generic-sales.ts';
import { artistOrder, phoneOrder } from '../../../support/orders.ts';

const ANA = 'loja-12-ana';

/** The name of a text in answers. */
const answeredAs = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Each body that sells, with its endpoint. */
const BODIES: readonly (readonly [string, (over: Record<string, unknown>) => object])[] = [
  [CREATE, mainBody],
  [CREATE, quickStartBody],
  ['/seguros/artista-protegido/create', artistOrder],
  ['/seguros/seguro-celular/create', phoneOrder],
  [SALE, saleOrder],
];

for (const name of CHANNEL_TEXTS)
  describe(`${name}, a text of the channel`, () => {
    const answered = answeredAs(name);
    withApi((api) => {
      let headers: { Authorization: string };
      before(async () => {
        headers = await api().bearer();
      });
      const ask = async (path: string) => (await api().get(path, headers)).body;

      it('is taken by every body that sells, and shown with the sale and in its events', async () => {
        for (const [index, [path, order]] of BODIES.entries()) {
          const externalSaleId = `by-ana-${index}`;
          const { status } = await api().post(
            path,
            order({ externalSaleId, [name]: ` ${ANA} ` }),
            headers,
          );
          expect(status, path).to.be.oneOf([200, 201]);
          expect((await ask(`${SALE}/${externalSaleId}`)).data[answered], path).to.equal(ANA);
        }
        const { data: events } = await ask('/private/integration/events?limit=200');
        const told = events.filter((each: { type: string }) => each.type === 'sale.registered');
        expect(told.map((each: { data: object }) => each.data)).to.have.length(BODIES.length);
        for (const { data } of told) expect(data[answered]).to.equal(ANA);
      });

      it('is null where the channel sent none', async () => {
        const { body } = await api().post(
          SALE,
          saleOrder({ externalSaleId: 'by-nobody' }),
          headers,
        );
        expect(body.data[answered]).to.equal(null);
      });

      it('is part of the content of a sale: with another one it is another sale', async () => {
        const order = { externalSaleId: 'by-ana-4', [name]: 'rui' };
        const { status, body } = await api().post(SALE, saleOrder(order), headers);
        expect([status, body.differences]).to.deep.equal([
          409,
          [{ path: name, stored: ANA, received: 'rui' }],
        ]);
      });

      it('has no more characters than described, and none that does not print', async () => {
        const { maxLength } = channelTextFields[name] as unknown as { readonly maxLength: number };
        for (const bad of ['x'.repeat(maxLength + 1), 'a\u0000b', 7, '4111 1111 1111 1111']) {
          const order = saleOrder({ externalSaleId: 'bad', [name]: bad });
          const { status, body } = await api().post(SALE, order, headers);
          expect([status, Object.keys(body.errors)], String(bad)).to.deep.equal([422, [name]]);
        }
      });

      it('filters the lists and the statement, for administrators too', async () => {
        await api().post(SALE, saleOrder({ externalSaleId: 'by-rui', [name]: 'rui' }), headers);
        const admin = await api().bearer(null);
        const { data } = await ask(`${SALES_LIST}?${name}=rui`);
        expect(
          data.map((each: { external_sale_id: string }) => each.external_sale_id),
        ).to.deep.equal(['by-rui']);
        const seen = await api().get(`/admin/transactions?${name}=rui`, admin);
        expect(seen.body.response.data).to.have.length(1);

        const ofRui = await ask(`/private/integration/statement?month=2026-11&${name}=rui`);
        const { lines, totals } = ofRui.response.data;
        expect([lines.length, lines[0][answered], totals.all.lines]).to.deep.equal([1, 'rui', 1]);
        const all = await ask('/private/integration/statement?month=2026-11');
        expect(all.response.data.totals.all.lines).to.be.above(1);
        const empty = await api().get(`${SALES_LIST}?${name}=`, headers);
        expect(empty.status).to.equal(422);
      });

      it('comes through a file, without the guard of a statement, and into differences and evidence', async () => {
        const columns = `externalSaleId;${name};product.code;plan.code;insured.name`;
        const more = 'insured.cpfOrCnpj;insured.email;coverage.startDate;coverage.endDate';
        const cells = "file-1;'=ana;LUA_DE_MEL;NACIONAL;Maria da Silva;52998224725";
        const rest = 'maria@example.com;2199-12-01;2199-12-10;paid;pix;Lisboa';
        const file = [
          `${columns};${more};payment.status;payment.method;attributes.destination`,
          `${cells};${rest}`,
        ].join('\n');
        const csv = { ...headers, 'Content-Type': 'text/csv' };
        const imported = await fetch(`${api().url}/api/private/integration/sales/import`, {
          ...{ method: 'POST', headers: csv, body: file },
        });
        expect(await imported.text()).to.include('"status":201');
        expect((await ask(`${SALE}/file-1`)).data[answered]).to.equal('=ana');

        const compared = await fetch(
          `${api().url}/api/private/integration/reconciliation?from=2026-11-20&to=2026-11-20`,
          { method: 'POST', headers: csv, body: 'externalSaleId,total\nfile-1,1.00' },
        );
        const { data } = (await compared.json()) as {
          data: { differences: { here: Record<string, string | null> | null }[] };
        };
        expect(data.differences.map(({ here }) => here?.[answered])).to.include('=ana');

        const { data: proof } = await ask(`${SALE}/file-1/evidence`);
        const [, payload = ''] = proof.evidence.split('.');
        const content = JSON.parse(Buffer.from(payload, 'base64url').toString());
        expect(content[answered]).to.equal('=ana');
      });
    });
  });
