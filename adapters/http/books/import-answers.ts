import Type, { type Static } from 'typebox';
import type { Sale } from '#domain';
import type { AnswerError } from '../../kit/contract/answer-error.ts';
import {
  conflictSchema,
  errorCodeSchema,
  refusedSaleSchema,
} from '../../kit/contract/answer-shapes.ts';
import { nullableText } from '../../kit/contract/formats.ts';
import { reaisShape } from '../../kit/contract/units.ts';
import type { LineFault } from '../../kit/sheets/read-line.ts';
import type { soldAnswer, validSale } from '../generic/generic-answers.ts';
import { saleStatusShape } from '../sales/sale-answer-parts.ts';

const { response, code, errors, error_codes, ticket } = refusedSaleSchema.properties;

const lineAnswer = Type.Object(
  {
    line: Type.Integer({ description: 'A linha do arquivo, a partir de 1' }),
    external_sale_id: nullableText('Nulo se não pôde ser lido'),
    status: Type.Integer({
      description:
        'Como o da venda única: 201 registrada, 200 repetida, 403, 409, 422 (também linha ilegível), 503',
    }),
    transaction_id: Type.Optional(Type.Integer()),
    ticket,
    sale_status: Type.Optional(saleStatusShape),
    total: Type.Optional(reaisShape({ description: 'O que o segurado paga, em reais' })),
    payment_url: Type.Optional(Type.String({ description: 'Onde o segurado paga, se couber' })),
    policy_no: Type.Optional(Type.String({ description: 'Depois da emissão' })),
    response: Type.Optional(response),
    code: Type.Optional(code),
    errors,
    error_codes,
    differences: conflictSchema.properties.differences,
  },
  {
    title: 'ImportedLine',
    description: 'Uma por linha do arquivo, na sua ordem; linhas em branco não contam',
  },
);

const summaryAnswer = Type.Object(
  {
    summary: Type.Object({
      lines: Type.Integer({ description: 'A soma das demais' }),
      created: Type.Integer({ description: 'Com status 201' }),
      repeated: Type.Integer({ description: 'Com status 200' }),
      conflicts: Type.Integer({ description: 'Com status 409' }),
      invalid: Type.Integer({ description: 'Com status 403 ou 422' }),
      unavailable: Type.Integer({ description: 'Com status 503 ou 500: envie o arquivo de novo' }),
      dry_run: Type.Optional(
        Type.Literal(true, { description: 'Nada foi registrado: created são as que seriam' }),
      ),
    }),
  },
  { title: 'ImportSummary', description: 'A última linha de uma resposta completa' },
);

const brokenOffAnswer = Type.Object(
  {
    error: Type.String(),
    code: errorCodeSchema,
    lines: Type.Integer({ description: 'Quantas foram respondidas' }),
  },
  {
    title: 'BrokenOffImport',
    description: 'A última linha, em lugar do resumo, se a importação parou antes do fim',
  },
);

type Counts = Omit<Static<typeof summaryAnswer>['summary'], 'dry_run'>;

export const importAnswer = Type.Union([lineAnswer, summaryAnswer, brokenOffAnswer]);

export type LineAnswer = Static<typeof lineAnswer>;

/** The line and its `externalSaleId`, which every answer to a line has. */
export interface NamedLine {
  readonly line: number;
  readonly external_sale_id: string | null;
}

export const presentSoldLine = (
  { line, external_sale_id }: NamedLine,
  status: number,
  { data }: Static<typeof soldAnswer> | Static<typeof validSale>,
): LineAnswer => ({
  line,
  external_sale_id,
  // A sale that was only checked has no number.
  status: data.transaction_id === null ? 201 : status,
  ...(data.transaction_id !== null && {
    transaction_id: data.transaction_id,
    ticket: data.ticket as string,
    sale_status: data.status as Sale['status'],
  }),
  total: data.amounts.total,
  ...(data.payment_url !== null && { payment_url: data.payment_url }),
  ...(data.policy_no !== null && { policy_no: data.policy_no }),
});

/** The answer to a line whose sale was refused: as to a single sale. */
export const presentRefusedLine = (named: NamedLine, { status, body }: AnswerError): LineAnswer => {
  const { success: _, status_code: __, ...rest } = body as Record<string, unknown>;
  return { ...named, status, ...rest } as LineAnswer;
};

/** The answer to a line that cannot be read. */
export const presentFaultyLine = (line: number, { code, message }: LineFault): LineAnswer => ({
  line,
  external_sale_id: null,
  status: 422,
  response: message,
  code,
});

/** Counts the lines of an import by their results. */
export class ImportCounts {
  readonly counts: Counts = {
    lines: 0,
    created: 0,
    repeated: 0,
    conflicts: 0,
    invalid: 0,
    unavailable: 0,
  };

  /** @param status of the answer to a line */
  add(status: number): void {
    this.counts.lines += 1;
    this.counts[countedAs(status)] += 1;
  }
}

const countedAs = (status: number): keyof Counts => {
  if (status === 201) return 'created';
  if (status === 200) return 'repeated';
  if (status === 409) return 'conflicts';
  return status >= 500 ? 'unavailable' : 'invalid';
};

export const presentBrokenOff = (
  { code, body }: AnswerError,
  { lines }: Counts,
): Static<typeof brokenOffAnswer> => ({
  error: (body as { readonly response: string }).response,
  code: code as never,
  lines,
});
