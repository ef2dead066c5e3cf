import type { Container } from 'inversify';
import type { Workers } from '../adapters/jobs/workers.ts';
import { delivererTo } from './providers.ts';
import { get } from './token.ts';
import * as t from './tokens.ts';

/** Who does the jobs; `address` is where this process itself listens. */
export const workersOf = (container: Container, address: string): Workers => ({
  resumeSale: async (id) => {
    const advanced = await get(container, t.ADVANCE_SALE).claimed(id);
    if (advanced === 'unknown_sale') return 'done';
    if (advanced === 'busy' || advanced.kind === 'waiting') return 'later';
    return advanced.kind === 'settled' ? 'done' : 'await_payer';
  },
  stuck: (saleId, tries) => get(container, t.ALERTS).raise({ kind: 'sale_stuck', saleId, tries }),
  processNotice: (id) => get(container, t.TAKE_NOTICES).process(id),
  deliver: delivererTo(container, address),
  mail: async (name) => {
    const outcome = await get(container, t.MAIL_CERTIFICATE).send(name);
    const mailing = `${name.saleId}-${name.number}`;
    if (outcome.kind !== 'done')
      get(container, t.LOG).warn({ mailing, ...outcome }, 'a mail was not taken');
    return outcome;
  },
  giveUpMail: (name, reason) => get(container, t.MAIL_CERTIFICATE).giveUp(name, reason),
  handOverMail: get(container, t.HAND_OVER_MAIL),
});
