import Type from 'typebox';
import { isRefusal, MAX_CORRECTIONS_AN_HOUR } from '#domain';
import type {
  CorrectedSale,
  CorrectSaleEmail,
} from '../../../application/servicing/correct-sale-email.ts';
import { notFound } from '../../kit/contract/answer-error.ts';
import {
  answerData,
  dataAnswer,
  standardErrorSchema,
  TRANSACTION_NOT_FOUND,
} from '../../kit/contract/answer-shapes.ts';
import { described } from '../../kit/contract/described.ts';
import { readEmail } from '../../kit/contract/domain-values.ts';
import { email, nullableText } from '../../kit/contract/formats.ts';
import { closedNamedObject } from '../../kit/contract/named-object.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { compileReader } from '../../kit/contract/validation.ts';
import { actorOf, type Handler } from '../../kit/web/pipeline/context.ts';
import { tooManyRequests } from '../../kit/web/pipeline/rate-limits.ts';
import type { FindSale } from './find-named-sale.ts';

export const emailCorrectionBody = closedNamedObject('EmailCorrectionRequest', {
  email: email({ description: 'O endereço certo do segurado' }),
});

const correction = described<CorrectedSale>('EmailCorrection')({
  transaction_id: [Type.Integer(), ({ sale }) => sale.id],
  ticket: [Type.String(), ({ sale }) => sale.ticket],
  status: [Type.String(), ({ sale }) => sale.status],
  corrected_at: [
    nullableText('Quando foi corrigido; nulo se é o endereço da própria venda'),
    ({ sale }) => sale.corrections?.at(-1)?.at ?? null,
  ],
  mails_waiting: [
    Type.Integer({ description: 'Envios que esperam para sair, já para este endereço' }),
    ({ mailsWaiting }) => mailsWaiting,
  ],
});

export const EMAIL_CORRECTION_DESCRIPTION = `Os próximos envios vão para este endereço, e os que falharam de vez são feitos de novo. O que já foi entregue não se repete: para isso há a segunda via. Repetir a correção só refaz os envios que falharam. No máximo ${MAX_CORRECTIONS_AN_HOUR} por venda e hora.`;

export const EMAIL_CORRECTION_ANSWERS = {
  200: { description: 'Corrigido, agora ou antes', schema: dataAnswer(correction.schema) },
  ...TRANSACTION_NOT_FOUND,
  409: {
    name: 'EmailNotCorrectable',
    description: 'Transação recusada ou expirada: nenhum e-mail seguirá',
    schema: standardErrorSchema,
  },
};

/** Corrects the insured's address, and answers without it. */
export const correctEmailOfFoundSale = (
  correctSaleEmail: CorrectSaleEmail,
  findSale: FindSale,
): Handler => {
  const readCorrection = compileReader(emailCorrectionBody);

  return async function correctEmailOfFoundSale(ctx) {
    const sale = await findSale(ctx);
    const sent = readCorrection(ctx.request.body as object);
    if (sale === undefined) throw notFound('Transação não encontrada.');

    const email = readEmail(sent.email);
    const outcome = await correctSaleEmail({ sale, email, actor: actorOf(ctx) });
    if (!isRefusal(outcome)) {
      ctx.state.effect = { effect: { kind: 'changed' }, saleId: sale.id, replayed: false };
      return answerData(ctx, correction.present(outcome));
    }
    if (outcome.kind === 'too_many_corrections')
      throw tooManyRequests(
        `São aceitas no máximo ${MAX_CORRECTIONS_AN_HOUR} correções de e-mail por transação e hora.`,
        outcome.waitFor,
      );
    throw refusalError(outcome);
  };
};
