import Type from 'typebox';
import {
  type CalendarDate,
  type Fault,
  findIofRate,
  IOF_CLASSES,
  IOF_RATES_SHAPE,
  rateFromPercent,
  toPercent,
} from '#domain';
import type {
  ListedIofRate,
  ManageIofRates,
} from '../../../application/catalogue/manage-iof-rates.ts';
import type { Clock } from '../../../application/clock.ts';
import { invalidFields } from '../../kit/contract/answer-error.ts';
import { answerData, dataAnswer } from '../../kit/contract/answer-shapes.ts';
import { describeCatalogueFaults } from '../../kit/contract/catalogue-faults.ts';
import { fieldOf, findPlace } from '../../kit/contract/catalogue-fields.ts';
import { described } from '../../kit/contract/described.ts';
import type { FieldFaults } from '../../kit/contract/field-faults.ts';
import { closedObject, nullableText, percentage, text } from '../../kit/contract/formats.ts';
import { closedNamedObject } from '../../kit/contract/named-object.ts';
import { compileValidator } from '../../kit/contract/validation.ts';
import { actorOf } from '../../kit/web/pipeline/context.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';

export interface IofRateRouteParts {
  readonly clock: Clock;
  readonly manageIofRates: ManageIofRates;
}

const MAX_ROWS = 200;

const rate = {
  iofClass: Type.Enum(IOF_CLASSES),
  from: Type.String({ format: 'date', description: 'Primeiro dia, em São Paulo' }),
  rate: percentage({ description: 'Em por cento, até 25', maximum: 25 }),
  legalBasis: text(200, { description: 'Lei ou decreto, como aparece no bilhete' }),
};

/** The fields of an answer may be sent back; those that the service sets are ignored. */
const ratesBody = closedNamedObject('NewIofRates', {
  rates: Type.Array(
    closedObject({
      ...rate,
      in_force: Type.Optional(Type.Boolean({ description: 'Ignorado' })),
      added_at: Type.Optional(nullableText('Ignorado')),
    }),
    { minItems: 1, maxItems: MAX_ROWS },
  ),
});

interface RateTable {
  readonly table: readonly ListedIofRate[];
  readonly today: CalendarDate;
}

const listedRate = described<RateTable & { readonly row: ListedIofRate }>()({
  iofClass: [rate.iofClass, ({ row }) => row.iofClass],
  from: [rate.from, ({ row }) => row.from],
  rate: [rate.rate, ({ row }) => toPercent(row.rate)],
  legalBasis: [rate.legalBasis, ({ row }) => row.legalBasis],
  in_force: [
    Type.Boolean({ description: 'Se é a alíquota de hoje da classe' }),
    ({ row, table, today }) => findIofRate(row.iofClass, today, table) === row,
  ],
  added_at: [
    nullableText('Quando foi acrescentada; nulo nas que o serviço já conhece'),
    ({ row }) => row.addedAt ?? null,
  ],
});

const rateTable = described<RateTable>('IofRates')({
  rates: [
    Type.Array(listedRate.schema),
    (listed) => listed.table.map((row) => listedRate.present({ ...listed, row })),
  ],
});

/** The rows in the domain's units. A value of a wrong type is reported by the domain's reader. */
const rowsIn = ({ rates }: { readonly rates?: unknown }): readonly unknown[] =>
  (Array.isArray(rates) ? rates.slice(0, MAX_ROWS) : []).map((row: unknown) => {
    if (typeof row !== 'object' || row === null) return row;
    const { iofClass, from, rate: share, legalBasis } = row as Record<string, unknown>;
    const ppm = typeof share === 'number' ? rateFromPercent(share) : undefined;
    return { iofClass, from, rate: ppm ?? Number.NaN, legalBasis };
  });

const ROWS = fieldOf(IOF_RATES_SHAPE);

const describeFaults = (faults: readonly Fault[]): FieldFaults =>
  describeCatalogueFaults(faults, (path) => ({
    ...findPlace(path, ROWS, undefined),
    path: `rates.${path}`,
  }));

const validateRates = compileValidator(ratesBody);

export const createIofRateRoutes = ({
  manageIofRates,
  clock,
}: IofRateRouteParts): readonly Route[] => [
  {
    ...ADMIN_ROUTE,
    method: 'get',
    path: '/admin/iof-rates',
    operationId: 'listIofRates',
    summary: 'Lista as alíquotas de IOF, com a base legal de cada uma',
    description:
      'As alíquotas valem por classe de IOF, a partir de from. in_force diz quais valem hoje. Desde 2027-01-01 não há IOF sobre seguros (EC 132/2023).',
    answers: { 200: { description: 'A tabela toda', schema: dataAnswer(rateTable.schema) } },
    handle: async function listRates(ctx) {
      const table = await manageIofRates.list();
      answerData(ctx, rateTable.present({ table, today: clock.today() }));
    },
  },
  {
    ...ADMIN_ROUTE,
    method: 'put',
    path: '/admin/iof-rates',
    operationId: 'putIofRates',
    summary: 'Acrescenta alíquotas de IOF, de hoje em diante; as que estão em vigor não mudam',
    description:
      'Para um decreto que muda uma alíquota: vale em todos os processos em até um segundo, para vendas pagas a partir de from. Linhas em vigor ou passadas nunca mudam (422); uma futura é substituída pela da mesma classe e dia. Linhas já conhecidas não mudam nada: pode-se mandar de volta toda a tabela.',
    body: ratesBody,
    answers: {
      200: { description: 'A tabela com as novas alíquotas', schema: dataAnswer(rateTable.schema) },
    },
    handle: async function addRates(ctx) {
      const checked = validateRates(ctx.request.body as object);
      const rows = rowsIn(checked.given);
      if (!checked.ok) {
        const faults = await manageIofRates.faultsOf(rows);
        throw invalidFields({ ...describeFaults(faults), ...checked.faults });
      }

      const outcome = await manageIofRates.add(rows, actorOf(ctx));
      if ('faults' in outcome) throw invalidFields(describeFaults(outcome.faults));
      const { table } = outcome as Extract<typeof outcome, { readonly table: unknown }>;
      answerData(ctx, rateTable.present({ table, today: clock.today() }));
    },
  },
];
