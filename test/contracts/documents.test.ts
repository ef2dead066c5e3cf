import { expect } from 'chai';
import { extractText } from 'unpdf';
import { PdfDocuments } from '../../adapters/documents/pdf-documents.ts';
import { MemoryDocuments } from '../../adapters/memory/certificate-delivery.ts';
import type { Documents, Report } from '../../application/certificates/certificate.ts';
import { certificateOf } from '../support/certificates.ts';
import { AT } from '../support/identity.ts';

interface Maker {
  readonly documents: Documents & { close?(): Promise<void> };
  textOf(document: Uint8Array): Promise<string>;
}

const MAKERS: Readonly<Record<string, () => Maker>> = {
  memory: () => ({
    documents: new MemoryDocuments(),
    textOf: async (document) => new TextDecoder().decode(document),
  }),
  PDF: () => ({
    documents: new PdfDocuments(),
    textOf: async (document) =>
      (await extractText(new Uint8Array(document), { mergePages: true })).text,
  }),
};

for (const [name, make] of Object.entries(MAKERS)) {
  describe(`documents, ${name}`, () => {
    const { documents, textOf } = make();
    after(() => documents.close?.());

    for (const called of [
      'Maria da Silva',
      'Conceição Araújo',
      'Sofia Raffaella Steffi',
      'Łukasz Fflynn',
      'Жанна Агузарова',
      'Ελένη',
      '山田太郎',
      '한국',
      'محمد',
      'דוד',
      '🎸',
    ]) {
      it(`include the name ${called}`, async () => {
        const document = await documents.certificate(
          await certificateOf({}, { name: called, socialName: called }),
        );
        const text = await textOf(document);
        // A PDF reader may return right-to-left text in either order.
        const reversed = [...called].reverse().join('');
        expect(
          [called, reversed].some((each) => text.normalize('NFKC').includes(each)),
          text.slice(0, 900),
        ).to.equal(true);
      });
    }

    it('are the same bytes only for the same certificate', async () => {
      const certificate = await certificateOf();
      const [one, two] = await Promise.all([
        documents.certificate(certificate),
        documents.certificate(structuredClone(certificate)),
      ]);
      expect(Buffer.compare(one, two)).to.equal(0);
      const other = await documents.certificate(await certificateOf({}, { socialName: 'Outra' }));
      expect(Buffer.compare(one, other)).not.to.equal(0);
    });

    it('make a report of sections, and put the certificate behind it', async () => {
      const report: Report = {
        ...{ title: 'Venda 7: Ana Lima', subtitle: 'Reunido hoje', author: 'Exemplo', at: AT },
        sections: [
          { heading: 'Valores', fields: [['Total', 'R$ 1,00']], texts: ['Tudo foi pago.'] },
          {
            heading: 'O que aconteceu',
            tables: [{ heads: ['Quando', 'O quê'], rows: [['20/11/2026', 'registrada']] }],
          },
          {
            heading: 'E-mails',
            tables: [
              {
                heads: ['Para'],
                rows: Array.from({ length: 120 }, (_, index) => [`a${index}@example.com`]),
              },
            ],
          },
        ],
      };
      const alone = await textOf(await documents.report(report));
      for (const words of ['Ana Lima', 'R$ 1,00', 'Tudo foi pago', 'registrada', 'a119@example'])
        expect(alone.normalize('NFKC')).to.include(words);
      const certificate = await certificateOf();
      const both = await textOf(await documents.report(report, certificate));
      expect(both).to.include('a119@example').and.include(certificate.number);
      expect(alone).not.to.include(certificate.number);
    });
  });
}
