import Type, { type Static } from 'typebox';
import { isRefusal, MAX_CORRECTIONS_AN_HOUR, type Sale } from '#domain';
import type { CorrectSaleEmail } from '../../../application/servicing/correct-sale-email.ts';
import { notFound } from '../../kit/contract/answer-error.ts';
import {
  answerData,
  dataAnswer,
  standardErrorSchema,
  TRANSACTION_NOT_FOUND,
} from '../../kit/contract/answer-shapes.ts';
import { readEmail } from '../../kit/contract/domain-values.ts';
import { email, nullableText } from '../../kit/contract/formats.ts';
import { closedNamedObject, namedObject } from '../../kit/contract/named-object.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { compileReader } from '../../kit/contract/validation.ts';
import { actorOf, type Handler } from '../../kit/web/pipeline/context.ts';
import { tooManyRequests } from '../../kit/web/pipeline/rate-limits.ts';
import type { FindSale } from './find-named-sale.ts';

export const emailCorrectionBody = closedNamedObject('EmailCorrectionRequest', {
  email: email({ description: 'O endereço certo do segurado' }),
});

const correctionAnswer = namedObject('EmailCorrection', {
  transaction_id: Type.Integer(),
  ticket: Type.String(),
  status: Type.String(),
  corrected_at: nullableText('Quando foi corrigido; nulo se é o endereço da própria venda'),
  mails_waiting: Type.Integer({
    description: 'Envios que esperam para sair, já para este endereço',
  }),
});

export const EMAIL_CORRECTION_DESCRIPTION = `Os próximos envios vão para este endereço, e os que falharam de vez são feitos de novo. O que já foi entregue não se repete: para isso há a segunda via. Repetir a correção só refaz os envios que falharam. No máximo ${MAX_CORRECTIONS_AN_HOUR} por venda e hora.`;

export const EMAIL_CORRECTION_ANSWERS = {
  200: { description: 'Corrigido, agora ou antes', schema: dataAnswer(correctionAnswer) },
  ...TRANSACTION_NOT_FOUND,
  409: {
    name: 'EmailNotCorrectable',
    description: 'Transação recusada ou expirada: nenhum e-mail seguirá',
    schema: standardErrorSchema,
  },
};

const presentCorrection = (sale: Sale, mailsWaiting: number): Static<typeof correctionAnswer> => ({
  transaction_id: sale.id,
  ticket: sale.ticket,
  status: sale.status,
  corrected_at: sale.corrections?.at(-1)?.at ?? null,
  mails_waiting: mailsWaiting,
});

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
      return answerData(ctx, presentCorrection(outcome.sale, outcome.mailsWaiting));
    }
    if (outcome.kind === 'too_many_corrections')
      throw tooManyRequests(
        `São aceitas no máximo ${MAX_CORRECTIONS_AN_HOUR} correções de e-mail por transação e hora.`,
        outcome.waitFor,
      );
    throw refusalError(outcome);
  };
};
