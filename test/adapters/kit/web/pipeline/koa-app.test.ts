import { createHash } from 'node:crypto';
import { expect } from 'chai';
import Koa from 'koa';

const { response } = new Koa();

const source = (from: object, name: string): string => {
  const { get, set, value } = Object.getOwnPropertyDescriptor(from, name) ?? {};
  return [get, set, value].join('\n');
};

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Digest of the members of the response, and of `handleRequest`, in Koa 3.3. */
const KNOWN = '39c27520a77c3b2b';

describe('Koa, whose response KoaApp changes', () => {
  it('has the members that KoaApp was written for: after a change, read them and check KoaApp', () => {
    const prototype = Object.getPrototypeOf(response) as object;
    const members = Object.getOwnPropertyNames(prototype).sort();
    const all = [
      ...members.map((name) => `${name}: ${source(prototype, name)}`),
      source(Koa.prototype, 'handleRequest'),
    ];
    expect(digest(all.join('\n'))).to.equal(KNOWN);
  });
});
