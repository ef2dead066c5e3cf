import { expect } from 'chai';
import type { Sale } from '#domain';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import { cardOf, chargeElsewhere, letTimePass, takenBy, WAYS, world } from '../support/selling.ts';

class Death extends Error {}

/** Simulates a process that is killed before call `at`, or after it, so that its answer is lost. */
class Killer {
  calls = 0;
  #dead = false;
  readonly #at: number;
  readonly #when: 'before' | 'after';

  constructor(at: number, when: 'before' | 'after') {
    this.#at = at;
    this.#when = when;
  }

  /** Counts the calls of these methods. After the kill, every call fails. */
  watch(port: object, methods: readonly string[]): void {
    const own = port as Record<string, (...given: unknown[]) => Promise<unknown>>;
    for (const name of methods) {
      const call = (own[name] as (...given: unknown[]) => Promise<unknown>).bind(port);
      own[name] = async (...given) => {
        if (this.#dead) throw new Death();
        this.calls += 1;
        const isHere = this.calls === this.#at;
        if (isHere) this.#dead = true;
        if (isHere && this.#when === 'before') throw new Death();
        const answer = await call(...given);
        if (isHere) throw new Death();
        return answer;
      };
      this.#restore.push(() => {
        own[name] = call;
      });
    }
  }

  readonly #restore: (() => void)[] = [];

  /** Repairs the ports for the process that takes over. */
  end(): void {
    for (const restore of this.#restore) restore();
  }
}

const killerIn = (
  { sales, payments, issuer }: MemoryService,
  at: number,
  when: 'before' | 'after',
): Killer => {
  const killer = new Killer(at, when);
  killer.watch(sales, ['register', 'save', 'load', 'claim', 'release', 'answer', 'findEarlier']);
  killer.watch(payments, ['charge', 'capture', 'find', 'withdraw', 'refund']);
  killer.watch(issuer, ['perform', 'find']);
  return killer;
};

const everySale = (here: MemoryService): Promise<readonly Sale[]> =>
  here.sales.list({ limit: 100 });

const expectSound = async (here: MemoryService, what: string): Promise<void> => {
  for (const sale of await everySale(here)) {
    const charges = await here.sandbox.chargesOf(sale.id);
    const taken = takenBy(charges);
    const isKept = sale.status === 'issued';
    expect(
      charges.filter(({ status }) => status === 'paid').length,
      `${what}: paid charges`,
    ).to.be.at.most(1);
    expect(taken, `${what}: cents kept while ${sale.status}`).to.equal(
      isKept ? sale.payment.amount : 0,
    );
    expect(sale.status, what).to.be.oneOf([
      'issued',
      'refused',
      'awaiting_payment',
      'refunded',
      'cancelled',
    ]);
    const documents = await here.issuer.find(`${sale.id}-${sale.ticket}`);
    const isActive = typeof documents === 'object' && documents.policy?.status === 'active';
    expect(isActive, `${what}: policy is active`).to.equal(isKept);
  }
  expect(here.alerts.raised, what).to.deep.equal([]);
};

describe('a process killed at any call to the database or a provider', () => {
  let cases = 0;

  for (const { name, request, card } of WAYS) {
    for (const retries of [false, true]) {
      it(`keeps money only for an active policy: ${name}, order repeated: ${retries}`, async () => {
        const idempotency = { owner: 'client', key: 'order', content: { a: 1 } } as const;
        for (const when of ['before', 'after'] as const) {
          for (let at = 1, isOver = false; !isOver; at += 1) {
            const here = await world();
            const killer = killerIn(here, at, when);
            const order = () =>
              here.useCases.sell(
                { ...request(), idempotency },
                { card: card === undefined ? undefined : cardOf(card) },
              );
            await order().catch((error: unknown) => expect(error).to.be.instanceOf(Death));
            isOver = killer.calls < at;
            killer.end();
            if ((await everySale(here)).length > 0) chargeElsewhere(here);
            here.clock.advance(121);
            if (retries) await order();
            await letTimePass(here, 8);
            await expectSound(here, `${name}, ${when} call ${at}`);
            if (card === undefined) await payAndExpectPolicy(here, `${name}, ${when} call ${at}`);
            if (retries) {
              const [sale, ...others] = await everySale(here);
              expect(others, 'other sales').to.deep.equal([]);
              if (card !== undefined) expect(sale?.status).to.be.oneOf(['issued', 'refused']);
            }
            cases += 1;
          }
        }
      });
    }
  }

  it('keeps money only for an active policy when a sale is resumed, cancelled or given up', async () => {
    const acts: readonly ((here: MemoryService, sale: Sale) => Promise<unknown>)[] = [
      (here, { id }) => here.useCases.advanceSale.claimed(id),
      (here, sale) =>
        here.useCases.cancelSale.cancel({ sale, by: 'insured', actor: ADMINISTRATOR }),
      (here, sale) =>
        here.useCases.cancelSale.giveUp({ sale, reason: 'stuck', actor: ADMINISTRATOR }),
    ];
    for (const [which, act] of acts.entries()) {
      for (const when of ['before', 'after'] as const) {
        for (let at = 1, isOver = false; !isOver; at += 1) {
          const here = await world();
          await here.useCases.sell(WAYS[3]?.request() as never);
          const [sale] = (await everySale(here)) as [Sale];
          const [charge] = await here.sandbox.chargesOf(sale.id);
          await here.sandbox.payOnPage(charge?.id ?? '', 'pix', undefined, 'never');
          if (which === 1) await letTimePass(here, 2);
          const killer = killerIn(here, at, when);
          await act(here, (await everySale(here))[0] as Sale).catch((error: unknown) =>
            expect(error).to.be.instanceOf(Death),
          );
          isOver = killer.calls < at;
          killer.end();
          chargeElsewhere(here);
          here.clock.advance(121);
          await letTimePass(here, 8);
          await expectSound(here, `act ${which}, ${when} call ${at}`);
          cases += 1;
        }
      }
    }
  });

  after(() => {
    expect(cases).to.be.above(150);
  });
});

/** Pays the open charge, and expects a policy. */
const payAndExpectPolicy = async (here: MemoryService, what: string): Promise<void> => {
  const [sale] = await everySale(here);
  if (sale === undefined) return;
  expect(sale.status, what).to.equal('awaiting_payment');
  const charge = (await here.sandbox.chargesOf(sale.id)).findLast(
    ({ status }) => status === 'open',
  );
  await here.sandbox.payOnPage(charge?.id ?? '', 'pix', undefined, 'once');
  await letTimePass(here, 8);
  expect((await here.sales.load(sale.id))?.status, what).to.equal('issued');
  await expectSound(here, `${what}, paid`);
};
