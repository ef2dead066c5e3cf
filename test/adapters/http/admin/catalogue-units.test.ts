import { expect } from 'chai';
import type { TSchema } from 'typebox';
import {
  channelFrom,
  channelTo,
  productBody,
  productFrom,
  productTo,
} from '../../../../adapters/kit/contract/catalogue-shapes.ts';
import { DEMO_CHANNEL, DEMO_PRODUCTS } from '../../../../bootstrap/processes/demo-catalogue.ts';

// 29.9 reais and 7.38 percent differ from their cents and ppm, from each other's conversion, and from
// what a float product gives: 29.9 × 100 is 2989.9999999999995.
const REAIS = 29.9;
const CENTS = 2_990;
const PERCENT = 7.38;
const PPM = 73_800;

interface Sample {
  readonly wire: unknown;
  readonly domain: unknown;
}

/** A body with every field that a schema describes, and what the domain must receive for it. */
const sampleOf = (schema: TSchema): Sample => {
  const { format, type, items, properties } = schema as {
    format?: string;
    type?: string;
    items?: TSchema;
    properties?: Record<string, TSchema>;
  };
  const choices = (schema as { enum?: readonly string[] }).enum;
  if (choices !== undefined) return { wire: choices.at(-1), domain: choices.at(-1) };
  if (format === 'money') return { wire: REAIS, domain: CENTS };
  if (format === 'percent') return { wire: PERCENT, domain: PPM };
  if (items !== undefined) {
    const item = sampleOf(items);
    return { wire: [item.wire], domain: [item.domain] };
  }
  if (type === 'object') {
    const fields = Object.entries(properties ?? {}).map(
      ([name, field]) => [name, sampleOf(field)] as const,
    );
    return {
      wire: Object.fromEntries(fields.map(([name, { wire }]) => [name, wire])),
      domain: Object.fromEntries(fields.map(([name, { domain }]) => [name, domain])),
    };
  }
  const plain = type === 'string' ? 'x' : 1;
  return { wire: plain, domain: plain };
};

describe('units of catalogue bodies', () => {
  it('convert every field of a product that the schema gives as reais or percent', () => {
    const { wire, domain } = sampleOf(productBody);

    const { version, updated_at, effectiveFrom, upcoming, ...expected } = domain as Record<
      string,
      unknown
    >;
    expect(productFrom('x', wire as Record<string, unknown>)).to.deep.equal(expected);
    const text = JSON.stringify(expected);
    // `amount` and `minimum` of a plan, of its deductible and of a coverage, and three limits; three
    // rates, two shares of the premium, and the cap.
    expect(text.split(String(CENTS))).to.have.length(9 + 1);
    expect(text.split(String(PPM))).to.have.length(6 + 1);
  });

  it('convert every commission of a channel, also commissionRate', () => {
    const both = [
      { kind: 'brokerage', rate: PERCENT },
      { kind: 'agency', rate: 0.0001 },
    ];
    const product = {
      code: 'A',
      commissionRate: PERCENT,
      plans: [{ code: 'P', commissions: both }],
    };

    expect(channelFrom('canal', { name: 'Canal', products: [product] })).to.deep.equal({
      channelLink: 'canal',
      name: 'Canal',
      active: true,
      grants: [
        {
          productCode: 'A',
          commissions: [{ kind: 'representative', rate: PPM }],
          plans: [
            {
              planCode: 'P',
              commissions: [
                { kind: 'brokerage', rate: PPM },
                { kind: 'agency', rate: 1 },
              ],
            },
          ],
        },
      ],
    });
  });

  it('convert back to what was sent', () => {
    const { wire } = sampleOf(productBody);
    const { version, updated_at, effectiveFrom, upcoming, ...sent } = wire as Record<
      string,
      unknown
    >;

    expect(productTo(productFrom('x', sent) as never)).to.deep.equal(sent);
    for (const product of DEMO_PRODUCTS)
      expect(productFrom(product.code, productTo(product) as never)).to.deep.equal(product);
    const { channelLink, ...channel } = channelTo(DEMO_CHANNEL) as { channelLink: string };
    expect(channelFrom(channelLink, channel)).to.deep.equal(DEMO_CHANNEL);
  });

  it('leave values that are not numbers, and unknown fields, unchanged', () => {
    const body = { commissionCap: 'dez', limit: 5, plans: [{ limit: null, extra: 1.5 }, 7] };

    expect(productFrom('x', body)).to.deep.include({
      commissionCap: 'dez',
      limit: 5,
      plans: [{ limit: null, extra: 1.5, maxInstallments: 1, period: { kind: 'declared' } }, 7],
    });
  });

  it('make an amount with three decimals, or a rate above 100 %, invalid instead of rounding it', () => {
    const { plans, commissionCap } = productFrom('x', {
      commissionCap: 100.5,
      plans: [{ limit: 29.999 }],
    }) as { commissionCap: number; plans: [{ limit: number }] };

    expect(commissionCap).to.be.NaN;
    expect(plans[0].limit).to.be.NaN;
  });
});
