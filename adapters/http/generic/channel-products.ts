import Type, { type Static } from 'typebox';
import {
  type CalendarDate,
  type Coverage,
  type Deductible,
  findIofRate,
  type GrantedProduct,
  grantedProducts,
  isRefusal,
  type JsonObject,
  offeredInstallments,
  type Plan,
  sumCommissionRates,
  type Tariff,
} from '#domain';
import type { Catalogue, CurrentCatalogue } from '../../../application/catalogue/catalogue.ts';
import type { Clock } from '../../../application/clock.ts';
import { notFound } from '../../kit/contract/answer-error.ts';
import { standardErrorSchema } from '../../kit/contract/answer-shapes.ts';
import { nullable, nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { inPercent, inReais, percentShape, reaisShape } from '../../kit/contract/units.ts';
import { type Context, callerOf, pathParameter } from '../../kit/web/pipeline/context.ts';
import { BY_PARTNER } from '../oauth/partner-access.ts';
import type { Route } from '../routes/route.ts';

const optional = <Shape extends Type.TSchema>(shape: Shape) => Type.Optional(shape);
const lines = (description: string) => optional(Type.Array(Type.String(), { description }));

const tariffShape = Type.Object(
  {
    kind: Type.Enum(['declared', 'fixed', 'rate']),
    amount: optional(reaisShape({ description: 'fixed: o preço' })),
    rate: optional(percentShape({ description: 'rate: em por cento do valor protegido' })),
    minimum: optional(reaisShape({ description: 'rate: o menor preço' })),
  },
  { title: 'ProductTariff', description: 'declared: a venda diz o preço' },
);

const coverageTexts = {
  name: Type.String(),
  limit: optional(reaisShape({ description: 'Limite de indenização' })),
  description: optional(Type.String()),
  not_covered: lines('O que a cobertura não paga'),
};

const planShape = namedObject('ProductPlan', {
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  is_default: Type.Boolean({ description: 'O plano das vendas que não dizem nenhum' }),
  tariff: tariffShape,
  period: Type.Object(
    { kind: Type.String(), months: optional(Type.Integer()) },
    { description: 'payment_to_event, declared (a venda diz os dias) ou months' },
  ),
  max_installments: Type.Integer(),
  commission_rate: percentShape({ description: 'Em por cento do prêmio líquido' }),
  covers: optional(Type.String()),
  limit: optional(reaisShape({ description: 'Limite de indenização' })),
  includes: optional(Type.Array(Type.Object(coverageTexts), { description: 'As coberturas' })),
  deductible: optional(tariffShape),
  waiting_days: optional(Type.Integer({ description: 'Carência, em dias' })),
  exclusions: lines('Riscos excluídos'),
  claim_documents: lines('Documentos do aviso de sinistro'),
  claim_contact: optional(Type.String()),
});

const productShape = namedObject('Product', {
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  line: Type.String({ description: 'Ramo de negócio' }),
  pricing_basis: Type.Enum(['net', 'gross'], { description: 'gross: os preços incluem o IOF' }),
  collected_by: Type.Enum(['channel', 'service', 'either'], { description: 'Quem recebe' }),
  iof_rate: nullable(percentShape(), 'A de hoje, em por cento'),
  plans: Type.Array(planShape),
  coverages: Type.Array(
    Type.Object({
      id: Type.Integer(),
      code: Type.String(),
      ...coverageTexts,
      tariff: tariffShape,
    }),
    { description: 'Adicionais, somadas ao plano' },
  ),
  attributes: Type.Unsafe<JsonObject>(
    Type.Record(Type.String(), Type.Any(), { description: 'JSON Schema do campo attributes' }),
  ),
  susep_process: Type.String(),
  insurer: Type.Object({
    name: Type.String(),
    cnpj: Type.String(),
    customer_service: nullableText(),
    ombudsman: nullableText(),
  }),
});

type Shown = Static<typeof productShape>;

const presentTariff = (tariff: Tariff | Deductible): Shown['plans'][number]['tariff'] => {
  if (tariff.kind === 'declared') return { kind: 'declared' };
  return tariff.kind === 'fixed'
    ? { kind: 'fixed', amount: inReais(tariff.amount) }
    : { kind: 'rate', rate: inPercent(tariff.rate), minimum: inReais(tariff.minimum) };
};

type ShownPlan = Shown['plans'][number];
type ShownCoverage = Shown['coverages'][number];

/** How each field is shown, if it is set. The compiler asks for a new one, and for its schema. */
type Presenters<Source, Name extends keyof Source, Result> = {
  readonly [Each in Name]-?: (given: NonNullable<Source[Each]>) => Partial<Result>;
};

const presentGiven = <Source, Name extends keyof Source, Result>(
  presenters: Presenters<Source, Name, Result>,
  source: Pick<Source, Name>,
): Partial<Result> =>
  Object.assign(
    {},
    ...(Object.keys(presenters) as Name[]).map((name) => {
      const given = source[name];
      return given === undefined ? {} : presenters[name](given as NonNullable<Source[Name]>);
    }),
  );

type CoverageText = Exclude<keyof Coverage, 'id' | 'code' | 'name' | 'tariff' | 'premiumShare'>;

const COVERAGE_TEXTS: Presenters<Coverage, CoverageText, ShownCoverage> = {
  limit: (limit) => ({ limit: inReais(limit) }),
  description: (description) => ({ description }),
  notCovered: (all) => ({ not_covered: [...all] }),
};

const presentTexts = (coverage: Pick<Coverage, 'name' | CoverageText>) => ({
  name: coverage.name,
  ...presentGiven(COVERAGE_TEXTS, coverage),
});

type Condition = Exclude<
  keyof Plan,
  'id' | 'code' | 'name' | 'tariff' | 'period' | 'maxInstallments'
>;

const CONDITIONS: Presenters<Plan, Condition, ShownPlan> = {
  covers: (covers) => ({ covers }),
  limit: (limit) => ({ limit: inReais(limit) }),
  includes: (all) => ({ includes: all.map(presentTexts) }),
  deductible: (deductible) => ({ deductible: presentTariff(deductible) }),
  waitingDays: (waiting_days) => ({ waiting_days }),
  exclusions: (all) => ({ exclusions: [...all] }),
  claimDocuments: (all) => ({ claim_documents: [...all] }),
  claimContact: (claim_contact) => ({ claim_contact }),
};

const presentPlans = ({ product, plans }: GrantedProduct): Shown['plans'] =>
  plans.map(({ plan, commissions }, index) => ({
    id: plan.id,
    code: plan.code,
    name: plan.name,
    is_default: index === 0,
    tariff: presentTariff(plan.tariff),
    period: plan.period,
    max_installments: offeredInstallments({ product, plan }),
    commission_rate: inPercent(
      sumCommissionRates({ cap: product.commissionCap, items: commissions }),
    ),
    ...presentGiven(CONDITIONS, plan),
  }));

const presentProduct = (
  granted: GrantedProduct,
  { iofRates }: CurrentCatalogue,
  today: CalendarDate,
): Shown => {
  const { product } = granted;
  const { insurer, susepProcess } = product.registration;
  const iof = findIofRate(product.iofClass, today, iofRates);
  return {
    id: product.id,
    code: product.code,
    name: product.name,
    line: product.line,
    pricing_basis: product.pricingBasis,
    collected_by: product.collectedBy,
    iof_rate: isRefusal(iof) ? null : inPercent(iof.rate),
    plans: presentPlans(granted),
    coverages: product.coverages.map((each) => ({
      id: each.id,
      code: each.code,
      ...presentTexts(each),
      tariff: presentTariff(each.tariff),
    })),
    attributes: product.attributes,
    susep_process: susepProcess,
    insurer: {
      name: insurer.name,
      cnpj: insurer.cnpj,
      customer_service: insurer.customerService ?? null,
      ombudsman: insurer.ombudsman ?? null,
    },
  };
};

export interface ProductRouteParts {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
}

/** What the caller's channel may sell today. */
const productsOf = async (
  { catalogue, clock }: ProductRouteParts,
  exchange: Context,
): Promise<readonly Shown[]> => {
  const current = await catalogue.current();
  const channel = current.channels.get(callerOf(exchange).channelLink ?? '');
  return grantedProducts(current.products, channel).map((each) =>
    presentProduct(each, current, clock.today()),
  );
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
        schema: Type.Object({ success: Type.Literal(true), data: Type.Array(productShape) }),
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
        schema: Type.Object({ success: Type.Literal(true), data: productShape }),
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
