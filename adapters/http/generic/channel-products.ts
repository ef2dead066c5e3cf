import Type, { type Static } from 'typebox';
import {
  type Cents,
  type Coverage,
  type Deductible,
  findIofRate,
  type GrantedProduct,
  grantedProducts,
  type Insurer,
  isRefusal,
  type JsonObject,
  offeredInstallments,
  type Plan,
  type Product,
  sumCommissionRates,
  type Tariff,
} from '#domain';
import type { Catalogue } from '../../../application/catalogue/catalogue.ts';
import type { Clock } from '../../../application/clock.ts';
import { type Disclosure, discloseOffer } from '../../../application/selling/disclosure.ts';
import { notFound } from '../../kit/contract/answer-error.ts';
import { standardErrorSchema } from '../../kit/contract/answer-shapes.ts';
import { described, fieldsOf } from '../../kit/contract/described.ts';
import { nullable, nullableText } from '../../kit/contract/formats.ts';
import { inPercent, inReais, percentShape, reaisShape } from '../../kit/contract/units.ts';
import { type Context, callerOf, pathParameter } from '../../kit/web/pipeline/context.ts';
import { BY_PARTNER } from '../oauth/partner-access.ts';
import type { Route } from '../routes/route.ts';
import { disclosureFields } from '../sales/disclosure-answer.ts';

const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const tariff = described<Tariff | Deductible>(
  'ProductTariff',
  'declared: a venda diz o preço',
)({
  kind: [Type.Enum(['declared', 'fixed', 'rate']), ({ kind }) => kind],
  amount: [
    Type.Optional(reaisShape({ description: 'fixed: o preço' })),
    (each) => (each.kind === 'fixed' ? inReais(each.amount) : undefined),
  ],
  rate: [
    Type.Optional(percentShape({ description: 'rate: em por cento do valor protegido' })),
    (each) => (each.kind === 'rate' ? inPercent(each.rate) : undefined),
  ],
  minimum: [
    Type.Optional(reaisShape({ description: 'rate: o menor preço' })),
    (each) => (each.kind === 'rate' ? inReais(each.minimum) : undefined),
  ],
});

/** An amount that a definition may leave out. */
const limit = [
  Type.Optional(reaisShape({ description: 'Limite de indenização' })),
  (source: { readonly limit?: Cents }) => source.limit && inReais(source.limit),
] as const;

const coverageTexts = described<Omit<Coverage, 'id' | 'code' | 'tariff'>>()({
  name: [Type.String(), ({ name }) => name],
  limit,
  description: [Type.Optional(Type.String()), ({ description }) => description],
  not_covered: [texts('O que a cobertura não paga'), ({ notCovered }) => notCovered],
});

const coverage = described<Coverage>()({
  id: [Type.Integer(), ({ id }) => id],
  code: [Type.String(), ({ code }) => code],
  ...coverageTexts.fields,
  tariff: [tariff.schema, (each) => tariff.present(each.tariff)],
});

interface PlanSource {
  readonly product: Product;
  readonly granted: GrantedProduct['plans'][number];
  readonly isDefault: boolean;
}

const conditions = described<Plan>()({
  covers: [Type.Optional(Type.String()), ({ covers }) => covers],
  limit,
  includes: [
    Type.Optional(Type.Array(coverageTexts.schema, { description: 'As coberturas' })),
    ({ includes }) => includes?.map(coverageTexts.present),
  ],
  deductible: [
    Type.Optional(tariff.schema),
    ({ deductible }) => deductible && tariff.present(deductible),
  ],
  waiting_days: [
    Type.Optional(Type.Integer({ description: 'Carência, em dias' })),
    ({ waitingDays }) => waitingDays,
  ],
  exclusions: [texts('Riscos excluídos'), ({ exclusions }) => exclusions],
  claim_documents: [texts('Documentos do aviso de sinistro'), (plan) => plan.claimDocuments],
  claim_contact: [Type.Optional(Type.String()), ({ claimContact }) => claimContact],
});

const plan = described<PlanSource>('ProductPlan')({
  id: [Type.Integer(), ({ granted }) => granted.plan.id],
  code: [Type.String(), ({ granted }) => granted.plan.code],
  name: [Type.String(), ({ granted }) => granted.plan.name],
  is_default: [
    Type.Boolean({ description: 'O plano das vendas que não dizem nenhum' }),
    ({ isDefault }) => isDefault,
  ],
  tariff: [tariff.schema, ({ granted }) => tariff.present(granted.plan.tariff)],
  period: [
    Type.Object(
      { kind: Type.String(), months: Type.Optional(Type.Integer()) },
      { description: 'payment_to_event, declared (a venda diz os dias) ou months' },
    ),
    ({ granted }) => granted.plan.period,
  ],
  max_installments: [
    Type.Integer(),
    ({ product, granted }) => offeredInstallments({ product, plan: granted.plan }),
  ],
  commission_rate: [
    percentShape({ description: 'Em por cento do prêmio líquido' }),
    ({ product, granted }) =>
      inPercent(sumCommissionRates({ cap: product.commissionCap, items: granted.commissions })),
  ],
  ...fieldsOf(conditions.fields, ({ granted }: PlanSource) => granted.plan),
});

const insurer = described<Insurer>()({
  name: [Type.String(), ({ name }) => name],
  cnpj: [Type.String(), ({ cnpj }) => cnpj],
  customer_service: [nullableText(), ({ customerService }) => customerService ?? null],
  ombudsman: [nullableText(), ({ ombudsman }) => ombudsman ?? null],
});

interface ProductSource extends GrantedProduct {
  readonly disclosure: Disclosure;
  readonly iof: ReturnType<typeof findIofRate>;
}

const product = described<ProductSource>('Product')({
  id: [Type.Integer(), (source) => source.product.id],
  code: [Type.String(), (source) => source.product.code],
  name: [Type.String(), (source) => source.product.name],
  line: [Type.String({ description: 'Ramo de negócio' }), (source) => source.product.line],
  instrument: [
    Type.Enum(['bilhete', 'apolice'], {
      description: 'De uma apolice nada é cobrado antes que a seguradora aceite a proposta',
    }),
    (source) => source.product.instrument ?? 'bilhete',
  ],
  pricing_basis: [
    Type.Enum(['net', 'gross'], { description: 'gross: os preços incluem o IOF' }),
    (source) => source.product.pricingBasis,
  ],
  collected_by: [
    Type.Enum(['channel', 'service', 'either'], { description: 'Quem recebe' }),
    (source) => source.product.collectedBy,
  ],
  iof_rate: [
    nullable(percentShape(), 'A de hoje, em por cento'),
    ({ iof }) => (isRefusal(iof) ? null : inPercent(iof.rate)),
  ],
  plans: [
    Type.Array(plan.schema),
    ({ product, plans }) =>
      plans.map((granted, index) => plan.present({ product, granted, isDefault: index === 0 })),
  ],
  coverages: [
    Type.Array(coverage.schema, { description: 'Adicionais, somadas ao plano' }),
    (source) => source.product.coverages.map(coverage.present),
  ],
  attributes: [
    Type.Unsafe<JsonObject>(
      Type.Record(Type.String(), Type.Any(), { description: 'JSON Schema do campo attributes' }),
    ),
    (source) => source.product.attributes,
  ],
  susep_process: [Type.String(), (source) => source.product.registration.susepProcess],
  insurer: [insurer.schema, (source) => insurer.present(source.product.registration.insurer)],
  ...disclosureFields,
});

export interface ProductRouteParts {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}

/** What the caller's channel may sell today. */
const productsOf = async (
  { catalogue, clock }: ProductRouteParts,
  exchange: Context,
): Promise<readonly Static<typeof product.schema>[]> => {
  const current = await catalogue.current();
  const channel = current.channels.get(callerOf(exchange).channelLink ?? '');
  const today = clock.today();
  if (channel === undefined) return [];
  return grantedProducts(current.products, channel).map((each) => {
    const commissions = each.plans.map((granted) => granted.commissions);
    return product.present({
      ...each,
      iof: findIofRate(each.product.iofClass, today, current.iofRates),
      disclosure: discloseOffer(channel, each.product, commissions, today),
    });
  });
};

/** The routes of what the channel may sell. */
export const createProductRoutes = (parts: ProductRouteParts): readonly Route[] => [
  {
    ...BY_PARTNER,
    method: 'get',
    path: '/private/integration/products',
    operationId: 'listProducts',
    summary: 'Lista o que o canal pode vender: planos, coberturas, textos e comissões',
    description:
      'Com a alíquota de IOF de hoje. Os textos podem ser mostrados antes da venda; attributes é o JSON Schema do campo attributes de uma venda. Leia uma vez por dia: o catálogo muda pouco.',
    answers: {
      200: {
        description: 'Os produtos',
        schema: Type.Object({ success: Type.Literal(true), data: Type.Array(product.schema) }),
      },
    },
    handle: async function listProducts(exchange) {
      exchange.body = { success: true, data: await productsOf(parts, exchange) };
    },
  },
  {
    ...BY_PARTNER,
    method: 'get',
    path: '/private/integration/products/{code}',
    operationId: 'getProduct',
    summary: 'Consulta um produto que o canal pode vender',
    description:
      'code: o código do produto, como LUA_DE_MEL. Um produto que o canal não vende é 404.',
    answers: {
      200: {
        description: 'O produto',
        schema: Type.Object({ success: Type.Literal(true), data: product.schema }),
      },
      404: { description: 'Produto não encontrado', schema: standardErrorSchema },
    },
    handle: async function showProduct(exchange) {
      const code = pathParameter(exchange, 'code');
      const data = (await productsOf(parts, exchange)).find((each) => each.code === code);
      // The same answer for a product that is not granted as for one that does not exist.
      if (data === undefined) throw notFound('Produto não encontrado.');
      exchange.body = { success: true, data };
    },
  },
];
