import { expect } from 'chai';
import { readTraceparent, writeTraceparent } from '../../adapters/tracing/spans.ts';

const [TRACE, SPAN] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

describe('a traceparent', () => {
  it('names trace, span and whether they are sampled', () => {
    const context = { traceId: TRACE, spanId: SPAN, isRemote: true };
    for (const [text, traceFlags] of [
      [`00-${TRACE}-${SPAN}-01`, 1],
      [`00-${TRACE}-${SPAN}-00`, 0],
      // Unknown flags, and a later version with a further part.
      [`00-${TRACE}-${SPAN}-03`, 1],
      [`01-${TRACE}-${SPAN}-01-more`, 1],
    ] as const)
      expect(readTraceparent(text), text).to.deep.equal({ ...context, traceFlags });
  });

  it('is ignored if it is malformed', () => {
    for (const text of [
      undefined,
      '',
      'x',
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
      ` 00-${TRACE}-${SPAN}-01`,
    ])
      expect(readTraceparent(text), text).to.equal(undefined);
  });

  it('is written as it is read', () => {
    const text = `00-${TRACE}-${SPAN}-01`;
    const read = readTraceparent(text);
    expect(read && writeTraceparent(read)).to.equal(text);
  });
});
