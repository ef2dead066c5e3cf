import type { Sale, SaleStep } from '#domain';
import { awaitPayer, charge, refund, withdrawCharge } from './ask-gateway.ts';
import { asInsurer } from './ask-insurer.ts';
import type { Answered, Ask } from './asking.ts';
import type { NextStep } from './next-step.ts';
import type { Work } from './work.ts';

const ASK: Readonly<Record<SaleStep | 'await', Ask>> = {
  quote: asInsurer('quote'),
  propose: asInsurer('propose'),
  charge,
  issue: asInsurer('issue'),
  withdraw_charge: withdrawCharge,
  refund,
  withdraw_papers: asInsurer('withdraw'),
  await: awaitPayer,
};

/** Asks whoever has to be asked for a step. What the answer makes of the sale ends the attempt. */
export const askProvider = async (
  step: NextStep,
  sale: Sale,
  isRetry: boolean,
  work: Work,
): Promise<Answered | 'unanswered'> => {
  const answer = await ASK[step](sale, isRetry, work);
  if (answer === 'unanswered') return answer;
  return (present) => withoutAttempt(answer(present), step);
};

const withoutAttempt = (sale: Sale, step: NextStep): Sale => {
  const { attempts = [], ...rest } = sale;
  const others = attempts.filter((each) => each.step !== step);
  if (others.length === attempts.length) return sale;
  return (others.length === 0 ? rest : { ...rest, attempts: others }) as Sale;
};
