import { expect } from 'chai';
import fc from 'fast-check';
import { type Instant, instantOf } from '#domain';
import { MemoryDocumentLinks } from '../../adapters/memory/certificate-delivery.ts';
import { SignedDocumentLinks } from '../../adapters/security/signed-document-links.ts';
import type { DocumentLinks } from '../../application/certificates/document-links.ts';

const LINKS: Readonly<Record<string, () => DocumentLinks>> = {
  memory: () => new MemoryDocumentLinks(),
  signed: () => new SignedDocumentLinks('a secret of the tests'),
};

const until = '2026-11-27T15:00:00.000Z' as Instant;

for (const [name, make] of Object.entries(LINKS)) {
  describe(`document links, ${name}`, () => {
    it('return the grant that was signed', () => {
      const links = make();
      const seconds = fc.integer({ min: 0, max: 7_258_118_399 });
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), seconds, (saleId, second) => {
          const grant = { saleId, until: instantOf(new Date(second * 1_000)) };
          const signed = links.sign(grant);
          expect(signed).to.match(/^[\w-]{1,60}$/);
          expect(links.read(signed)).to.deep.equal(grant);
        }),
      );
    });

    it('return undefined for a text that was not signed', () => {
      const links = make();
      for (const text of ['', '-', 'a-b-c', '1-1-aaaaaaaaaaaaaaaaaaaaaa', '🎸', 'x'.repeat(10_000)])
        expect(links.read(text)).to.equal(undefined);
    });
  });
}

describe('a signed document link', () => {
  const links = new SignedDocumentLinks('a secret of the tests');
  const signed = links.sign({ saleId: 17, until });

  it('is refused when a character has changed', () => {
    for (const [index, character] of [...signed].entries()) {
      const changed = `${signed.slice(0, index)}${character === 'a' ? 'b' : 'a'}${signed.slice(index + 1)}`;
      expect(links.read(changed), changed).to.equal(undefined);
    }
    expect(links.read(`${signed}a`)).to.equal(undefined);
    expect(links.read(signed.slice(0, -1))).to.equal(undefined);
    expect(links.read(`0${signed}`)).to.equal(undefined);
  });

  it('is refused by a service with another secret', () => {
    expect(new SignedDocumentLinks('another').read(signed)).to.equal(undefined);
    expect(new SignedDocumentLinks('a secret of the tests').read(signed)).to.deep.equal({
      saleId: 17,
      until,
    });
  });
});
