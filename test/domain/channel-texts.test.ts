import { expect } from 'chai';
import { channelTextsOf } from '#domain';

describe('the texts of a channel', () => {
  it('are taken from among other properties, where there is one', () => {
    const terms = { sellerCode: 'ana', channelLink: 'loja' };
    expect(channelTextsOf(terms)).to.deep.equal({ sellerCode: 'ana' });
    for (const sellerCode of [null, undefined])
      expect(channelTextsOf({ sellerCode })).to.deep.equal({});
  });
});
