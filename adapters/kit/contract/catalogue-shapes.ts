import Type from 'typebox';
import {
  CHANNEL_SHAPE,
  type Channel,
  type ChannelRole,
  type CommissionKind,
  type Deductible,
  type Grant,
  PRODUCT_SHAPE,
  type Product,
} from '#domain';
import {
  type AboutOf,
  amountFromZero,
  type Body,
  type Field,
  fieldOf,
  propertiesOf,
  toDomain,
  toWire,
} from './catalogue-fields.ts';
import { date, percentage, text } from './formats.ts';
import { closedNamedObject } from './named-object.ts';

// What bodies add to the fields of a product and of a channel, in the order of the schemas. The
// compiler asks for every field of the domain.

/** What is said of a version, beside its definition. A caller may send it back. */
const ofVersion = {
  version: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Se enviada, deve ser a atual (0: ainda não existe)' }),
  ),
  updated_at: Type.Optional(Type.String({ description: 'Ignorado' })),
  effectiveFrom: Type.Optional(
    date({
      description:
        'Dia em que passa a valer, à 0h de São Paulo: hoje ou depois. Ausente, hoje ou o da versão em vigor: vale já',
    }),
  ),
  upcoming: Type.Optional(Type.Array(Type.Any(), { description: 'Ignorado' })),
};

const code = 'Letras, dígitos, ponto, sublinhado e hífen';
const limit = 'Limite máximo de indenização, em reais';
const or = (value: unknown, description = `Padrão: ${value}`) => ({
  fallback: () => value,
  description,
});
const lines = (description: string) => ({ item: {}, maxItems: 50, description });

/** The minimum of a rate, of a tariff or deductible. */
const minimum = {
  description: 'Em reais',
  fallback: ({ kind }: Body) => (kind === 'rate' ? 0 : undefined),
};

/** One schema for plans and coverages. The domain checks which kinds each has, and their fields. */
const tariff = {
  title: 'CatalogueTariff',
  fields: {
    kind: {
      schema: Type.Enum(['declared', 'fixed', 'rate'], {
        description: 'declarada, fixa (amount) ou taxa (rate, minimum)',
      }),
    },
    amount: { schema: amountFromZero({ description: 'Em reais' }) },
    rate: 'Em por cento do valor protegido',
    minimum,
  },
};

const deductible: AboutOf<Deductible> = {
  title: 'Deductible',
  description:
    'O que o segurado paga de cada sinistro: franquia (fixed, amount; 0: não há) ou participação obrigatória (rate, minimum)',
  fields: { kind: {}, amount: 'Em reais', rate: 'Em por cento do prejuízo', minimum },
};

const coverageTexts = {
  description: 'O que a cobertura paga',
  notCovered: lines('O que a cobertura não paga, um item por linha'),
};

const plan: AboutOf<Product['plans'][number]> = {
  title: 'CataloguePlan',
  fields: {
    id: {},
    code,
    name: {},
    tariff,
    period: {
      title: 'CataloguePeriod',
      fallback: (_, { line }) => ({
        kind: line === 'event_ticket' ? 'payment_to_event' : 'declared',
      }),
      fields: {
        kind: 'do pagamento ao evento (padrão de event_ticket), declarada na venda (padrão dos outros) ou em meses',
        months: {},
      },
    },
    maxInstallments: or(1),
    covers: 'O que cobre, como aparece no bilhete de um plano sem includes',
    limit,
    includes: {
      maxItems: 20,
      description: 'As coberturas',
      item: {
        title: 'IncludedCoverage',
        fields: {
          name: {},
          limit,
          premiumShare: 'Parte do preço do plano; somam 100 %',
          ...coverageTexts,
        },
      },
    },
    deductible,
    waitingDays: 'Carência em dias; 0: não há',
    exclusions: lines('Riscos excluídos, um por linha'),
    claimDocuments: lines('Documentos do aviso de sinistro, um por linha'),
    claimContact: 'Onde avisar um sinistro. Ausente: o SAC da seguradora',
  },
};

const coverage: AboutOf<Product['coverages'][number]> = {
  title: 'CatalogueCoverage',
  fields: {
    id: {},
    code,
    name: {},
    tariff: {
      ...tariff,
      fallback: ({ premiumShare }) =>
        premiumShare === undefined ? undefined : { kind: 'fixed', amount: 0 },
    },
    premiumShare: 'Parte do preço do plano, se não tem preço próprio (tariff)',
    limit,
    ...coverageTexts,
  },
};

const registration: AboutOf<Product['registration']> = {
  title: 'ProductRegistration',
  fields: {
    susepProcess: { schema: text(30, { examples: ['15414.900001/2026-00'] }) },
    branchCode: {},
    branchName: {},
    insurer: {
      fields: {
        name: {},
        cnpj: 'Sem pontuação',
        susepCode: {},
        customerService: 'SAC, como aparece no bilhete',
        ombudsman: 'Ouvidoria, como aparece no bilhete',
      },
    },
  },
};

const product: AboutOf<Product> = {
  fields: {
    code: { description: 'Se enviado, o do endereço', isInPath: true },
    id: {},
    name: {},
    line: {
      description: 'Ramo de negócio',
      examples: ['event_ticket', 'artist', 'mobile_phone', 'travel'],
    },
    pricingBasis: or('net'),
    rounding: or('half-up'),
    iofClass: {},
    collectedBy: or('either', 'Quem recebe o pagamento. Padrão: either (cada venda diz)'),
    commissionCap: or(100, 'Soma máxima das comissões. Padrão: 100'),
    cancellation: {
      fallback: () => ({ kind: 'pro_rata', iof: 'retained' }),
      fields: { kind: {}, iof: {} },
    },
    registration,
    instrument: {
      description:
        'O documento do contrato: bilhete (padrão) ou apolice. De uma apolice nada é cobrado antes que a seguradora aceite a proposta',
      implied: 'bilhete',
    },
    certificateMail: {
      description: 'Bilhete por e-mail: na emissão (on_issue, padrão) ou só a pedido (on_request)',
      implied: 'on_issue',
    },
    attributes: or(
      {},
      'JSON Schema (2020-12) dos attributes de cada venda. Padrão: {} (quaisquer)',
    ),
    plans: { item: plan, maxItems: 100, description: 'O primeiro é o padrão' },
    coverages: { item: coverage, maxItems: 100, fallback: () => [] },
  },
};

/** The roles of a channel, as bodies and answers name them. */
export const CHANNEL_ROLES: Readonly<Record<ChannelRole, string>> = {
  representative: 'representante',
  broker: 'corretor',
  policyholder: 'estipulante',
};

/** The kind of `commissionRate`, by the channel's role in bodies. */
const EARNED_BY: Readonly<Record<string, CommissionKind>> = {
  corretor: 'brokerage',
  estipulante: 'pro_labore',
};

/** Either the channel's one commission, by its role, or all commissions. */
const commissions: AboutOf<Grant['commissions']> = {
  maxItems: 10,
  item: { title: 'Commission', fields: { kind: {}, rate: {} } },
  short: {
    name: 'commissionRate',
    schema: percentage({
      description:
        'Em por cento do prêmio líquido: corretagem de um corretor, pró-labore de um estipulante, representação dos demais',
    }),
    expand: (rate, { role }) => [{ kind: EARNED_BY[role as string] ?? 'representative', rate }],
    shorten: ([first, ...others]) =>
      first?.['kind'] === 'representative' && others.length === 0 ? first['rate'] : undefined,
  },
};

const channel: AboutOf<Channel> = {
  fields: {
    channelLink: { description: 'Se enviado, o do endereço', isInPath: true },
    name: {},
    cnpj: 'Sem pontuação; impresso no bilhete',
    role: {
      description: 'O que o canal é para o seguro; impresso no bilhete',
      names: CHANNEL_ROLES,
    },
    active: or(true, 'Padrão: verdadeiro'),
    exclusive:
      'Se o canal, por contrato, só vende estes seguros por uma seguradora; mostrado antes da venda. Padrão: falso',
    returnOrigins: {
      item: { examples: ['https://loja.example'] },
      maxItems: 20,
      description: 'Origens para as quais a página de pagamento pode levar de volta (return_url)',
    },
    gateway: {
      description: 'O gateway das novas cobranças do canal; sem ele, o do serviço',
      examples: ['asaas'],
    },
    grants: {
      name: 'products',
      maxItems: 200,
      description: 'Os produtos que o canal pode vender',
      item: {
        title: 'ChannelProduct',
        fields: {
          productCode: { name: 'code', description: code },
          commissions,
          plans: {
            maxItems: 100,
            fallback: () => [],
            item: {
              title: 'ChannelPlan',
              fields: { planCode: { name: 'code', description: code }, commissions },
            },
          },
        },
      },
    },
  },
};

export const PRODUCT = fieldOf(PRODUCT_SHAPE, product);
export const CHANNEL = fieldOf(CHANNEL_SHAPE, channel);

export const productBody = closedNamedObject('CatalogueProduct', {
  ...ofVersion,
  ...propertiesOf(PRODUCT),
});
/** What the service keeps of a channel beside its definition. */
const besideChannel = {
  group: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'O grupo de canais, com banco de dados próprio. Ausente: fica como está; em um canal novo, o grupo aberto com menos vendas. Só muda enquanto o canal não tem venda',
    }),
  ),
};

export const channelBody = closedNamedObject('Channel', {
  ...ofVersion,
  ...propertiesOf(CHANNEL),
  ...besideChannel,
});

const readBodyOf =
  (key: string, field: Field) =>
  (name: string, sent: Body): unknown => {
    const beside = { ...ofVersion, ...(key === 'channelLink' && besideChannel) };
    const own = Object.entries(sent).filter(([field]) => !Object.hasOwn(beside, field));
    const body: Body = Object.fromEntries(own);
    return toDomain({ ...body, [key]: name }, field, body);
  };

export const productFrom = readBodyOf('code', PRODUCT);
export const channelFrom = readBodyOf('channelLink', CHANNEL);

export const productTo = (product: Product): object => toWire(product, PRODUCT) as object;

/** The longest field comes last. */
export const channelTo = (channel: Channel): object => {
  const { role, products, ...rest } = toWire(channel, CHANNEL) as Body;
  return { ...rest, ...(role !== undefined && { role }), products };
};
