import Type from 'typebox';
import { CERTIFICATE_MAILS, COMMISSION_KINDS, IOF_CLASSES, type JsonObject } from '#domain';
import { closedObject, percentage, text } from '../contract/formats.ts';
import { ROLE_NAMES } from './channel-roles.ts';

const id = () => Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const code = (description = 'Letras, dígitos, ponto, sublinhado e hífen') =>
  text(50, { description });
const amount = () =>
  Type.Number({ format: 'money', minimum: 0, examples: [29.9], description: 'Em reais' });

/** Fields of an answer that its caller may send back. */
const readOnly = {
  version: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Se enviada, deve ser a atual (0: ainda não existe)' }),
  ),
  updated_at: Type.Optional(Type.String({ description: 'Ignorado' })),
};

/** The domain checks which fields each kind has. */
const tariff = closedObject(
  {
    kind: Type.Enum(['declared', 'fixed', 'rate'], {
      description: 'declarada, fixa (amount) ou taxa (rate, minimum)',
    }),
    amount: Type.Optional(amount()),
    rate: Type.Optional(percentage({ description: 'Em por cento do valor protegido' })),
    minimum: Type.Optional(amount()),
  },
  { title: 'CatalogueTariff' },
);

const period = closedObject(
  {
    kind: Type.Enum(['payment_to_event', 'declared', 'months'], {
      description:
        'do pagamento ao evento (padrão de event_ticket), declarada na venda (padrão dos outros) ou em meses',
    }),
    months: Type.Optional(Type.Integer({ minimum: 1, maximum: 120 })),
  },
  { title: 'CataloguePeriod' },
);

/** Limit of indemnity of a plan or coverage. */
const limit = Type.Optional(
  Type.Number({
    format: 'money',
    exclusiveMinimum: 0,
    description: 'Limite máximo de indenização, em reais',
  }),
);

const lines = (description: string) =>
  Type.Optional(Type.Array(text(500), { maxItems: 50, description }));

/** What the certificate says of a coverage. */
const coverageTexts = {
  description: Type.Optional(text(1_000, { description: 'O que a cobertura paga' })),
  notCovered: lines('O que a cobertura não paga, um item por linha'),
};

const includedCoverage = closedObject(
  {
    name: text(200),
    limit,
    premiumShare: percentage({ description: 'Parte do preço do plano; somam 100 %' }),
    ...coverageTexts,
  },
  { title: 'IncludedCoverage' },
);

const deductible = closedObject(
  {
    kind: Type.Enum(['fixed', 'rate']),
    amount: Type.Optional(amount()),
    rate: Type.Optional(percentage({ description: 'Em por cento do prejuízo' })),
    minimum: Type.Optional(amount()),
  },
  {
    title: 'Deductible',
    description:
      'O que o segurado paga de cada sinistro: franquia (fixed, amount; 0: não há) ou participação obrigatória (rate, minimum)',
  },
);

const plan = closedObject(
  {
    id: id(),
    code: code(),
    name: text(200),
    tariff,
    period: Type.Optional(period),
    maxInstallments: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 60, description: 'Padrão: 1' }),
    ),
    covers: Type.Optional(
      text(200, { description: 'O que cobre, como aparece no bilhete de um plano sem includes' }),
    ),
    limit,
    includes: Type.Optional(
      Type.Array(includedCoverage, { minItems: 1, maxItems: 20, description: 'As coberturas' }),
    ),
    deductible: Type.Optional(deductible),
    waitingDays: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1_095, description: 'Carência em dias; 0: não há' }),
    ),
    exclusions: lines('Riscos excluídos, um por linha'),
    claimDocuments: lines('Documentos do aviso de sinistro, um por linha'),
    claimContact: Type.Optional(
      text(200, { description: 'Onde avisar um sinistro. Ausente: o SAC da seguradora' }),
    ),
  },
  { title: 'CataloguePlan' },
);

const coverage = closedObject(
  {
    id: id(),
    code: code(),
    name: text(200),
    tariff: Type.Optional(tariff),
    premiumShare: Type.Optional(
      percentage({ description: 'Parte do preço do plano, se não tem preço próprio (tariff)' }),
    ),
    limit,
    ...coverageTexts,
  },
  { title: 'CatalogueCoverage' },
);

const registration = closedObject(
  {
    susepProcess: text(30, { examples: ['15414.900001/2026-00'] }),
    branchCode: text(4),
    branchName: text(200),
    insurer: closedObject({
      name: text(200),
      cnpj: text(14, { description: 'Sem pontuação' }),
      susepCode: text(5),
      customerService: Type.Optional(text(200, { description: 'SAC, como aparece no bilhete' })),
      ombudsman: Type.Optional(text(200, { description: 'Ouvidoria, como aparece no bilhete' })),
    }),
  },
  { title: 'ProductRegistration' },
);

export const productBody = closedObject(
  {
    ...readOnly,
    code: Type.Optional(code('Se enviado, o do endereço')),
    id: id(),
    name: text(200),
    line: text(50, {
      description: 'Ramo de negócio',
      examples: ['event_ticket', 'artist', 'mobile_phone', 'travel'],
    }),
    pricingBasis: Type.Optional(Type.Enum(['net', 'gross'], { description: 'Padrão: net' })),
    rounding: Type.Optional(
      Type.Enum(['half-up', 'half-even'], { description: 'Padrão: half-up' }),
    ),
    iofClass: Type.Enum(IOF_CLASSES),
    collectedBy: Type.Optional(
      Type.Enum(['channel', 'service', 'either'], {
        description: 'Quem recebe o pagamento. Padrão: either (cada venda diz)',
      }),
    ),
    commissionCap: Type.Optional(
      percentage({ description: 'Soma máxima das comissões. Padrão: 100' }),
    ),
    cancellation: Type.Optional(
      closedObject({
        kind: Type.Enum(['pro_rata', 'short_period']),
        iof: Type.Enum(['retained', 'refunded']),
      }),
    ),
    registration,
    certificateMail: Type.Optional(
      Type.Enum(CERTIFICATE_MAILS, {
        description:
          'Bilhete por e-mail: na emissão (on_issue, padrão) ou só a pedido (on_request)',
      }),
    ),
    attributes: Type.Optional(
      Type.Unsafe<JsonObject>({
        type: 'object',
        description: 'JSON Schema (2020-12) dos attributes de cada venda. Padrão: {} (quaisquer)',
      }),
    ),
    plans: Type.Array(plan, { minItems: 1, maxItems: 100, description: 'O primeiro é o padrão' }),
    coverages: Type.Optional(Type.Array(coverage, { maxItems: 100 })),
  },
  { title: 'CatalogueProduct' },
);

const commissions = Type.Array(
  closedObject({ kind: Type.Enum(COMMISSION_KINDS), rate: percentage() }, { title: 'Commission' }),
  {
    maxItems: 10,
  },
);

/** Either the channel's commission as representative, or all commissions. */
const rates = {
  commissionRate: Type.Optional(percentage({ description: 'Em por cento do prêmio líquido' })),
  commissions: Type.Optional(commissions),
};

export const channelBody = closedObject(
  {
    ...readOnly,
    channelLink: Type.Optional(text(100, { description: 'Se enviado, o do endereço' })),
    name: text(200),
    cnpj: Type.Optional(text(14, { description: 'Sem pontuação; impresso no bilhete' })),
    role: Type.Optional(
      Type.Enum(ROLE_NAMES, {
        description: 'O que o canal é para o seguro; impresso no bilhete',
      }),
    ),
    active: Type.Optional(Type.Boolean({ description: 'Padrão: verdadeiro' })),
    returnOrigins: Type.Optional(
      Type.Array(text(300, { examples: ['https://loja.example'] }), {
        maxItems: 20,
        description: 'Origens para as quais a página de pagamento pode levar de volta (return_url)',
      }),
    ),
    products: Type.Array(
      closedObject(
        {
          code: code(),
          ...rates,
          plans: Type.Optional(
            Type.Array(closedObject({ code: code(), ...rates }, { title: 'ChannelPlan' }), {
              maxItems: 100,
            }),
          ),
        },
        { title: 'ChannelProduct' },
      ),
      { maxItems: 200, description: 'Os produtos que o canal pode vender' },
    ),
  },
  { title: 'Channel' },
);
