import type { LineAnswer } from './import-answers.ts';
import { BYTE_ORDER_MARK, decimalComma, writeRow } from './spreadsheet-rows.ts';

const COLUMNS = [
  ...['linha', 'resultado', 'venda', 'transacao', 'ticket', 'status', 'total'],
  ...['link_de_pagamento', 'apolice', 'codigos', 'motivos'],
];

/** The first row. The command knows its own files by it. */
export const RESULT_HEADER = `${BYTE_ORDER_MARK}${writeRow(COLUMNS)}`;

/** @param isDryRun whether the service only checked the sale */
const resultOf = (status: number, isDryRun: boolean): string => {
  if (status === 201) return isDryRun ? 'seria registrada' : 'registrada';
  return status === 200 ? 'já registrada' : 'recusada';
};

/** The code of each faulty field; the answer's own code if no field is named. */
const codesOf = ({ code, error_codes }: LineAnswer): string => {
  const codes = Object.entries(error_codes ?? {}).map(
    ([field, each]) => `${field}: ${each.join(', ')}`,
  );
  return codes.length > 0 ? codes.join(' | ') : (code ?? '');
};

/** Why a sale was refused, a sentence for each fault. */
const wordsOf = ({ errors, response }: LineAnswer): string => {
  const messages = Object.values(errors ?? {}).flat();
  return messages.length > 0 ? messages.join(' ') : (response ?? '');
};

/** A row for a line of the source. */
export const writeResult = (line: number, answer: LineAnswer, isDryRun: boolean): string =>
  writeRow([
    line,
    resultOf(answer.status, isDryRun),
    answer.external_sale_id ?? '',
    answer.transaction_id ?? '',
    answer.ticket ?? '',
    answer.sale_status ?? '',
    decimalComma(answer.total),
    answer.payment_url ?? '',
    answer.policy_no ?? '',
    codesOf(answer),
    wordsOf(answer),
  ]);
