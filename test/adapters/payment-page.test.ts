import { expect } from 'chai';
import { withApi } from '../support/api.ts';
import { arrangeState, PAYMENT_STATES } from '../support/payment-states.ts';

/** The words that a payer reads. */
const wordsOf = (page: string): string =>
  page
    .replace(/^[\s\S]*<main>/, '')
    .replaceAll(/<(svg|script)[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,:])/g, '$1');

/** The states in which there is cover, or will be once the payer pays. */
const MAY_COVER = /^(open|paid(?!, less)|disputed$)/;

describe('the payment page says', () => {
  withApi((api) => {
    for (const state of PAYMENT_STATES) {
      it(`what is known of a sale that is ${state.name}`, async () => {
        const answer = await fetch(await arrangeState(api(), state));
        const words = wordsOf(await answer.text());
        expect(answer.status).to.equal(200);
        for (const each of state.expected) expect(words).to.include(each);
        expect(words.includes('Vigência das 0h')).to.equal(MAY_COVER.test(state.name));
        expect(words, 'the shop knows no number of ours').not.to.match(/Pedido \d/);
      });
    }
  });
});
