import { expect } from 'chai';
import { Api, CREATE, mainBody, withApi } from '../../../support/api.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { ADMINISTRATOR } from '../../../support/identity.ts';

const READINESS = '/private/integration/readiness';
const WEBHOOKS = '/private/integration/webhooks';

interface ShownStep {
  readonly step: string;
  readonly done: boolean;
  readonly request_id: string | null;
  readonly hint: string | null;
}

describe('readiness', () => {
  withApi(
    (api) => {
      let bearer: { Authorization: string };
      before(async () => {
        bearer = await api().bearer();
      });

      const named = (requestId: string) => ({ ...bearer, 'X-Request-Id': requestId });
      const readiness = async (as: Record<string, string> = bearer) =>
        (await api().get(READINESS, as)).body.data;
      const proofs = async (): Promise<Record<string, string>> => {
        const { steps } = await readiness();
        const done = (steps as readonly ShownStep[]).filter(({ done }) => done);
        return Object.fromEntries(done.map(({ step, request_id }) => [step, request_id as string]));
      };

      it('lists each granted product and what else has to be tried, with hints', async () => {
        const { ready, done, total, steps } = await readiness();
        expect({ ready, done, total }).to.deep.equal({ ready: false, done: 0, total: 11 });
        expect(steps.map(({ step }: ShownStep) => step)).to.deep.equal([
          ...['sell_INGRESSO', 'sell_ARTISTA', 'sell_CELULAR', 'sell_LUA_DE_MEL'],
          ...['repeat', 'handle_decline', 'handle_422', 'handle_429', 'cancel', 'webhook', 'feed'],
        ]);
        for (const { done: isDone, request_id: id, hint } of steps as readonly ShownStep[]) {
          expect({ isDone, id }).to.deep.equal({ isDone: false, id: null });
          expect(hint).to.be.a('string').and.not.equal('');
        }
      });

      it('names the request that proves each step', async () => {
        const { clock } = api().memory;
        const celular = {
          ...{ productId: 3, channelLink: 'canal-demo', nameOrRazao: 'Maria da Silva' },
          ...{ cpfOrCnpj: '52998224725', email: 'maria@example.com', phone: '11987654321' },
        };
        const card = { flag: 'visa', cvv: '123', expiryMonth: '12', expiryYear: '39' };
        await api().post(CREATE, mainBody({ cpfCnpj: '1' }), named('faulty'));
        clock.advance(1);
        await api().post(CREATE, mainBody(), named('mended'));
        await api().post(SALE, saleOrder(), named('trip'));
        await api().post(SALE, saleOrder(), named('again'));
        const declined = { ...celular, creditCard: { ...card, number: '4000000000000002' } };
        await api().post('/seguros/seguro-celular/create', declined, named('declined'));
        clock.advance(1);
        await api().post('/seguros/seguro-celular/create', celular, named('phone'));
        await api().post(`${SALE}/order-1/cancel`, {}, named('ended'));
        await api().get('/private/integration/events', named('events'));
        expect(await proofs()).to.deep.equal({
          ...{ sell_INGRESSO: 'mended', handle_422: 'mended', sell_LUA_DE_MEL: 'trip' },
          ...{ repeat: 'again', sell_CELULAR: 'phone', handle_decline: 'phone' },
          ...{ cancel: 'ended', feed: 'events' },
        });
      });

      it('wants the wait after a 429', async () => {
        const { clock } = api().memory;
        const sellUntilLimited = async (): Promise<number> => {
          for (let count = 0; count < 100; count += 1) {
            const { status, headers } = await api().post(SALE, saleOrder(), named('hurry'));
            if (status === 429) return Number(headers.get('Retry-After'));
          }
          throw new Error('the rate limit was not reached');
        };
        const seconds = await sellUntilLimited();
        clock.advance(seconds);
        await api().post(SALE, saleOrder(), named('waited'));
        expect(await proofs()).to.include({ handle_429: 'waited' });
      });

      it('wants a webhook that takes a test, and refuses one that is signed wrongly', async () => {
        const { memory } = api();
        const { body } = await api().post(
          WEBHOOKS,
          { url: 'https://partner.example/hook', events: ['sale.paid'] },
          bearer,
        );
        const { id, secret } = body.data;
        const test = async (sent: object): Promise<string> =>
          (await api().post(`${WEBHOOKS}/${id}/test`, sent, bearer)).body.data.event_id;

        const send = () =>
          memory.useCases.sendDeliveries({
            ...{ endpointId: id, isFailing: false, onAnswered: () => {} },
            stopping: new AbortController().signal,
          });
        // It takes what it has the secret of, as a receiver does that verifies.
        memory.webhookSender.answer(({ secrets }) => {
          const status = secrets.includes(secret) ? 204 : 401;
          return { kind: 'answered', status, answer: '', ms: 1 };
        });
        await test({});
        await send();
        const wrong = await test({ wrongSignature: true });
        await send();
        // It may refuse everything by now.
        expect(await proofs()).to.not.have.property('webhook');
        await test({});
        await send();
        expect(await proofs()).to.include({ webhook: wrong });
      });

      it('shows nothing of what others have done', async () => {
        const { done } = await readiness(await api().bearer());
        // The webhooks belong to the channel.
        expect(done).to.equal(1);
        await api().channel('other');
        expect((await readiness(await api().bearer('other'))).done).to.equal(0);
      });
    },
    { rateLimit: 60 },
  );

  it('asks a channel without a product that takes cards for no declined payment', async () => {
    const api = await new Api().start();
    const channel = await api.channel('tickets');
    const grants = channel.grants.filter(({ productCode }) => productCode === 'INGRESSO');
    await api.memory.useCases.manageCatalogue.putChannel({ ...channel, grants }, ADMINISTRATOR);
    const { body } = await api.get(READINESS, await api.bearer('tickets'));
    const steps = body.data.steps.map(({ step }: ShownStep) => step);
    expect(steps).to.include('sell_INGRESSO').and.not.include('handle_decline');
    await api.stop();
  });

  it('is there in the test environment alone', async () => {
    const api = await new Api({ fakes: { isTest: false } }).start();
    const { status } = await api.get(READINESS, await api.bearer());
    expect(status).to.equal(404);
    const response = await fetch(`${api.url}/openapi.json`);
    const document = (await response.json()) as { readonly paths: object };
    expect(document.paths).to.not.have.property(READINESS);
    await api.stop();
  });
});
