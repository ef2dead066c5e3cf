import { expect } from 'chai';
import { readDetails } from '../../../adapters/client/src/answers.ts';
import {
  type Body,
  createInsuranceClient,
  type InsuranceError,
} from '../../../adapters/client/src/index.ts';
import { readError } from '../../../adapters/client/src/read-error.ts';
import { pause } from '../../../adapters/client/src/waiting.ts';
import { withApi } from '../../support/api.ts';
import { clientOf, failureOf, Wire } from '../../support/client.ts';
import { saleOrder } from '../../support/generic-sales.ts';

const EVENTS = '/private/integration/events';
const IMPORT = '/private/integration/sales/import';
const OPTIONS = { baseUrl: 'https://sales.example/api', clientId: 'id', clientSecret: 'secret' };

const honeymoon = (externalSaleId: string) =>
  saleOrder({ externalSaleId }) as unknown as Body<'createSale'>;

const errorWith = (headers: Record<string, string>): InsuranceError =>
  readError({ status: 429, headers: new Headers(headers) }, '', 'sent');

const count = async (items: AsyncIterable<unknown>): Promise<number> => {
  let found = 0;
  for await (const _ of items) found += 1;
  return found;
};

describe("the client's guards", () => {
  it('refuse addresses that give the secret away, and do not quote them', () => {
    for (const baseUrl of ['https://user:pass@sales.example/api', 'http://sales.example/api'])
      expect(() => createInsuranceClient({ ...OPTIONS, baseUrl }))
        .to.throw(TypeError)
        .with.property('message')
        .that.does.not.include('sales.example');
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
      createInsuranceClient({ ...OPTIONS, baseUrl: `http://${host}/api` });
  });

  it('refuse times that no timer can wait, and never wait less', async () => {
    expect(() => createInsuranceClient({ ...OPTIONS, timeoutMs: 2 ** 31 })).to.throw(TypeError);
    const signal = AbortSignal.timeout(50);
    expect(await failureOf(pause(2 ** 31, signal))).to.equal(signal.reason);
  });

  it('read Retry-After as seconds and as a date, and keep it finite', () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    expect(errorWith({ 'Retry-After': date }).retryAfterMs).to.be.within(57_000, 60_000);
    expect(errorWith({ 'Retry-After': '9'.repeat(400) }).retryAfterMs).to.equal(2 ** 31 - 1);
    expect(errorWith({ 'Retry-After': '7' }).retryAfterMs).to.equal(7_000);
    expect(errorWith({ 'Retry-After': 'soon' }).retryAfterMs).to.equal(undefined);
  });

  it('keep text that is not encoded rightly', () => {
    expect(errorWith({ 'X-Error-Fields': '%=required' }).fields).to.deep.equal({
      '%': ['required'],
    });
    const headers = new Headers({ 'X-Ignored-Fields': '100%, caf%C3%A9' });
    const { ignoredFields } = readDetails({ status: 201, headers }, { requestId: '', attempts: 1 });
    expect(ignoredFields).to.deep.equal(['100%', 'café']);
  });

  withApi((api) => {
    it('read events from the start after an empty cursor', async () => {
      const wire = new Wire();
      const client = await clientOf(api(), { wire });
      expect(await count(client.listEvents({ after: '' }))).to.equal(0);
      expect(wire.to(EVENTS)[0]?.path).to.equal(EVENTS);
    });

    it('send an import of a generator once more, when it is iterated again', async () => {
      const wire = new Wire();
      const client = await clientOf(api(), { wire });
      function* make() {
        for (const name of ['again-1', 'again-2']) yield honeymoon(name);
      }
      async function* makeSlowly() {
        yield honeymoon('again-3');
      }
      for (const sales of [make(), makeSlowly()]) {
        const sent = client.importSales(sales);
        expect(await count(sent))
          .to.equal(await count(sent))
          .and.be.above(0);
      }
      const [first, second] = wire.to(IMPORT);
      expect(second?.body).to.equal(first?.body);
    });

    it('end no import after timeoutMs alone', async () => {
      const wire = new Wire().disturb(IMPORT, async ({ pass }) => {
        await new Promise((resolve) => setTimeout(resolve, 700));
        return pass();
      });
      const client = await clientOf(api(), { wire, timeoutMs: 500 });
      await client.listProducts();
      expect(await count(client.importSales([honeymoon('long-1')]))).to.equal(1);
      expect(wire.to(IMPORT)).to.have.length(1);
    });
  });
});
