import { expect } from 'chai';
import fc from 'fast-check';
import type { Sale } from '#domain';
import type { SandboxCharge } from '../../adapters/payment/sandbox/sandbox-ledger.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import { cardOf, letTimePass, soldIn, takenBy, WAYS, world } from '../support/selling.ts';

const MISHAPS = fc.constantFrom(
  undefined,
  'lost' as const,
  'unheard' as const,
  'unreached' as const,
);

const STORIES = fc.record({
  way: fc.nat({ max: WAYS.length - 1 }),
  whileSelling: fc.array(MISHAPS, { maxLength: 5 }),
  whileGivingUp: fc.array(MISHAPS, { maxLength: 10 }),
  ofTheInsurer: fc.array(MISHAPS, { maxLength: 6 }),
  /** Questions to which the gateway answers that there is no charge. */
  lies: fc.nat({ max: 4 }),
  /** When the payer pays: before, while the page is being closed, or after. */
  pays: fc.constantFrom('never', 'before', 'meanwhile', 'after'),
  isNoticeSent: fc.boolean(),
  minutesBefore: fc.nat({ max: 6 }),
  times: fc.integer({ min: 1, max: 3 }),
});

type Story = typeof STORIES extends fc.Arbitrary<infer Each> ? Each : never;

const payOpenCharges = async (here: MemoryService, sale: Sale, { isNoticeSent }: Story) => {
  const manner = isNoticeSent ? 'once' : 'never';
  for (const { id, status } of await here.sandbox.chargesOf(sale.id))
    if (status === 'open') await here.sandbox.payOnPage(id, 'pix', undefined, manner);
};

/** Makes the gateway deny its charges for some questions, and the payer pay as the page is closed. */
const makeGatewayLie = (here: MemoryService, sale: Sale, story: Story): void => {
  const find = here.payments.find.bind(here.payments);
  let lies = story.lies;
  here.payments.find = async (...about) => {
    if (lies === 0) return find(...about);
    lies -= 1;
    return [];
  };
  const withdraw = here.payments.withdraw.bind(here.payments);
  here.payments.withdraw = async (...about) => {
    if (story.pays === 'meanwhile') await payOpenCharges(here, sale, story);
    return withdraw(...about);
  };
};

/** Sells, gives up and lets time pass. @returns the sale in the end, and its charges */
const play = async (story: Story): Promise<readonly [Sale, readonly SandboxCharge[]]> => {
  const here = await world();
  const { request, card } = WAYS[story.way] as (typeof WAYS)[number];
  here.payments.mishaps.next(...story.whileSelling);
  here.issuer.mishaps.next(...story.ofTheInsurer);
  const from = card === undefined ? {} : { card: cardOf(card) };
  const sale = soldIn(await here.useCases.sell(request(), from));
  await letTimePass(here, story.minutesBefore);
  if (story.pays === 'before') await payOpenCharges(here, sale, story);

  makeGatewayLie(here, sale, story);
  here.payments.mishaps.next(...story.whileGivingUp);
  for (let count = 0; count < story.times; count += 1) {
    const present = (await here.sales.load(sale.id)) as Sale;
    const order = { sale: present, reason: 'stuck', actor: ADMINISTRATOR };
    await here.useCases.cancelSale.giveUp(order);
    here.clock.advance(20);
  }
  if (story.pays === 'after') await payOpenCharges(here, sale, story);
  await letTimePass(here, 20);
  return [(await here.sales.load(sale.id)) as Sale, await here.sandbox.chargesOf(sale.id)];
};

describe('a gateway that lies or hangs while a sale is given up', () => {
  it('keeps no money, and gets back no more than it took', async () => {
    const ends = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(STORIES, async (story) => {
        const [sale, charges] = await play(story);
        ends.set(sale.status, (ends.get(sale.status) ?? 0) + 1);
        expect(sale.status).to.be.oneOf(['issued', 'refused', 'cancelled', 'refunded']);
        expect(takenBy(charges)).to.equal(sale.status === 'issued' ? sale.payment.amount : 0);
        expect(charges.filter(({ status }) => status === 'open')).to.deep.equal([]);
        for (const { chargeId, amount, returned } of sale.receipts) {
          expect(returned).to.equal(sale.status === 'issued' ? 0 : amount);
          const charge = charges.find(({ id }) => id === chargeId);
          expect(charge?.returned).to.equal(returned);
        }
      }),
      { numRuns: 200 },
    );
    expect([...ends.keys()]).to.include.members(['cancelled', 'refunded', 'issued']);
  });
});
