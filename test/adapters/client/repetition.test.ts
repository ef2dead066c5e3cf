import { expect } from 'chai';
import {
  type Body,
  detailsOf,
  type InsuranceError,
  isCode,
} from '../../../adapters/client/src/index.ts';
import type { MemoryClock } from '../../../adapters/memory/clock.ts';
import { Api, mainBody, withApi } from '../../support/api.ts';
import { answerWith, clientOf, failureOf, Wire } from '../../support/client.ts';
import { saleOrder } from '../../support/generic-sales.ts';

const INGRESSO = '/seguros/ingresso-protegido/create';
const SALE = '/private/integration/sale';

let made = 0;
/** A sale with a name of its own. */
const ticketSale = (over = {}) => {
  made += 1;
  const body = mainBody({ externalSaleId: `repeated-${made}`, ...over });
  return body as unknown as Body<'createIngressoSale'> & { externalSaleId: string };
};
const honeymoon = (over = {}) => saleOrder(over) as unknown as Body<'createSale'>;

/** Loses the first answers, after the service has worked. */
const losing =
  (answers: number) => async (sent: { pass: () => Promise<Response> }, earlier: number) => {
    const answer = await sent.pass();
    if (earlier < answers) throw new TypeError('terminated');
    return answer;
  };

/** An answer that never comes, until the request is given up. */
const hanging = () => new Promise<Response>(() => {});

describe("the client's repetition", () => {
  withApi((api) => {
    it('sells once if the answer is lost, under the key of the caller', async () => {
      const wire = new Wire().disturb(INGRESSO, losing(2));
      const client = await clientOf(api(), { wire });
      const order = ticketSale({ externalSaleId: undefined });
      const sale = await client.createIngressoSale(order, { idempotencyKey: 'lost-1' });
      const { isReplayed, attempts, idempotencyKey, requestId } = detailsOf(sale);
      expect([isReplayed, attempts, idempotencyKey]).to.deep.equal([true, 3, 'lost-1']);
      const keys = wire.to(INGRESSO).map(({ headers }) => headers.get('Idempotency-Key'));
      expect(keys).to.deep.equal(Array(3).fill('lost-1'));
      expect(wire.to(INGRESSO).map(({ headers }) => headers.get('X-Request-Id'))).to.deep.equal(
        Array(3).fill(requestId),
      );
      const status = await client.getIngressoStatus(sale.data.transaction_id);
      expect(status.data.idempotency_key).to.equal('lost-1');
      const next = await client.createIngressoSale(order, { idempotencyKey: 'lost-2' });
      expect(next.data.transaction_id).to.be.above(sale.data.transaction_id);
      expect(detailsOf(next).isReplayed).to.equal(false);
    });

    it('sells once under the name of the caller', async () => {
      const wire = new Wire().disturb(SALE, losing(1));
      const client = await clientOf(api(), { wire });
      const order = honeymoon({ externalSaleId: 'client-lost' });
      const sale = await client.createSale(order);
      expect(detailsOf(sale)).to.include({
        status: 200,
        isReplayed: true,
        externalSaleId: 'client-lost',
      });
      expect(wire.to(SALE)[0]?.headers.get('Idempotency-Key')).to.equal(null);

      const ticket = ticketSale();
      const keyed = await client.createIngressoSale(ticket, { idempotencyKey: 'my-key' });
      const again = await client.createIngressoSale(ticket, { idempotencyKey: 'my-key' });
      expect(again).to.deep.equal(keyed);
    });

    it('goes on after 500, 503 and answers that cannot be read, with pauses that double', async () => {
      const answers = [
        () => answerWith(500, 'internal'),
        () => answerWith(503, 'unavailable', { 'Retry-After': '0' }),
        () => new Response('<html>', { status: 502 }),
        () => new Response('{"message', { status: 200 }),
      ];
      const wire = new Wire().disturb(INGRESSO, async ({ pass }, earlier) =>
        (answers[earlier] ?? pass)(),
      );
      const client = await clientOf(api(), { wire });
      const startedAt = performance.now();
      const sale = await client.createIngressoSale(ticketSale());
      expect(detailsOf(sale).attempts).to.equal(5);
      // 5 ms, then Retry-After, then 20 ms and 40 ms.
      expect(performance.now() - startedAt).to.be.above(64);
    });

    it('goes on after 409 still_running, and not after another 409', async () => {
      const running = () => answerWith(409, 'still_running', { 'Retry-After': '0' });
      const wire = new Wire().disturb(INGRESSO, async ({ pass }, earlier) =>
        earlier === 0 ? running() : pass(),
      );
      const client = await clientOf(api(), { wire });
      const idempotencyKey = 'running';
      const ticket = ticketSale();
      const sale = await client.createIngressoSale(ticket, { idempotencyKey });
      expect(detailsOf(sale).attempts).to.equal(2);
      const other = { ...ticket, numeroIngresso: 'ABC-999' };
      const conflict = await failureOf(client.createIngressoSale(other, { idempotencyKey }));
      expect(isCode(conflict, 'content_conflict') && conflict.attempts).to.equal(1);
    });

    it('gives up a request that takes too long, and sends it again', async () => {
      const wire = new Wire().disturb(INGRESSO, async ({ pass }, earlier) =>
        earlier === 0 ? hanging() : pass(),
      );
      const client = await clientOf(api(), { wire, timeoutMs: 500 });
      const { attempts } = detailsOf(await client.createIngressoSale(ticketSale()));
      expect(attempts).to.be.at.least(2);
    });

    it('ends after so many requests, and tells the name of the sale', async () => {
      const wire = new Wire().disturb(INGRESSO, async () => {
        throw new TypeError('fetch failed');
      });
      const client = await clientOf(api(), { wire, retry: { attempts: 3, firstPauseMs: 1 } });
      const sale = ticketSale({ externalSaleId: 'client-count' });
      const failure = (await failureOf(client.createIngressoSale(sale))) as InsuranceError;
      expect(failure).to.include({
        ...{ code: 'no_answer', status: 0, next: 'repeat', attempts: 3 },
        externalSaleId: 'client-count',
      });
      expect(failure.cause).to.be.instanceOf(TypeError);
      expect(wire.to(INGRESSO)).to.have.length(3);
    });

    it('ends after so many milliseconds, in all', async () => {
      const wire = new Wire().disturb(INGRESSO, hanging);
      const retry = { firstPauseMs: 10, totalMs: 400, attempts: 100 };
      const client = await clientOf(api(), { wire, retry, timeoutMs: 150 });
      await client.listProducts();
      const startedAt = performance.now();
      const failure = await failureOf(client.createIngressoSale(ticketSale()));
      expect(isCode(failure, 'timed_out')).to.equal(true);
      expect(performance.now() - startedAt).to.be.at.least(300);
      expect(wire.to(INGRESSO).length).to.be.within(2, 3);

      const busy = new Wire().disturb(INGRESSO, async () =>
        answerWith(429, 'rate_limited', { 'Retry-After': '60' }),
      );
      const limited = await clientOf(api(), { wire: busy, retry });
      const refused = await failureOf(limited.createIngressoSale(ticketSale()));
      expect(isCode(refused, 'rate_limited') && refused.retryAfterMs).to.equal(60_000);
      expect(busy.to(INGRESSO)).to.have.length(1);
    });

    it("ends at once with the caller's signal: before, while it waits, and in a pause", async () => {
      const wire = new Wire().disturb(INGRESSO, hanging);
      const client = await clientOf(api(), { wire, retry: { firstPauseMs: 60_000 } });
      const reason = new Error('the customer left');
      const ended = AbortSignal.abort(reason);
      const never = client.createIngressoSale(ticketSale(), { signal: ended });
      expect(await failureOf(never)).to.equal(reason);
      expect(wire.sent).to.have.length(0);

      const sellUntilSent = async (answer: () => Promise<Response>) => {
        const controller = new AbortController();
        wire.disturb(INGRESSO, () => {
          setTimeout(() => controller.abort(reason), 20);
          return answer();
        });
        return failureOf(client.createIngressoSale(ticketSale(), { signal: controller.signal }));
      };
      for (const answer of [hanging, async () => answerWith(503, 'unavailable')]) {
        const failure = await sellUntilSent(answer);
        if (!isCode(failure, 'aborted')) throw failure;
        expect(failure).to.include({ cause: reason, next: 'repeat', attempts: 1 });
        expect(failure.externalSaleId).to.match(/^repeated-/);
      }
      expect(wire.to(INGRESSO)).to.have.length(2);
    });

    it('leaves requests alone that would be done twice', async () => {
      const webhooks = '/private/integration/webhooks';
      const wire = new Wire().disturb(webhooks, losing(1));
      const client = await clientOf(api(), { wire });
      const webhook = { url: 'https://partner.example/once', events: ['sale.paid' as const] };
      const failure = await failureOf(client.createWebhook(webhook));
      expect(isCode(failure, 'no_answer') && failure.next).to.equal('look_up');
      const { data } = await client.listWebhooks();
      expect(data.map(({ url }) => url)).to.deep.equal([webhook.url]);
      await client.deleteWebhook(data[0]?.id ?? '');
      expect((await client.listWebhooks()).data).to.deep.equal([]);
    });
  });

  it('waits for Retry-After at the real limit, then goes on', async () => {
    const api = await new Api({ rateLimit: 3 }).start();
    try {
      const clock = api.memory.clock as MemoryClock;
      const wire = new Wire();
      const client = await clientOf(api, { wire });
      for (let count = 0; count < 2; count += 1) await client.listProducts();
      clock.advance(59);
      wire.disturb(INGRESSO, async ({ pass }, earlier) => {
        const answer = await pass();
        if (earlier === 0) clock.advance(10);
        return answer;
      });
      const startedAt = performance.now();
      const sale = await client.createIngressoSale(ticketSale());
      expect(detailsOf(sale).attempts).to.equal(2);
      expect(performance.now() - startedAt).to.be.above(900);
      expect(wire.to('/')).to.have.length(5);
    } finally {
      await api.stop();
    }
  });
});
