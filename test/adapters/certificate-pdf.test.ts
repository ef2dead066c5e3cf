import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { extractText, getDocumentProxy } from 'unpdf';
import {
  type Address,
  type CalendarDate,
  type Cnpj,
  cents,
  type IncludedCoverage,
  type Postcode,
  type Product,
  parseTaxId,
  type Quote,
  quotePrice,
  rate,
  type TaxId,
} from '#domain';
import { PdfDocuments } from '../../adapters/documents/pdf-documents.ts';
import { renderDocument } from '../../adapters/documents/render-document.ts';
import { reorderLine } from '../../adapters/documents/text-direction.ts';
import type { Certificate } from '../../application/certificates/certificate.ts';
import { DEMO_PRODUCTS } from '../../bootstrap/processes/demo-catalogue.ts';
import { certificateOf } from '../support/certificates.ts';
import { temporaryFolder } from '../support/children.ts';
import { day } from '../support/sales.ts';

const render = (certificate: Certificate, isTest = false): Promise<Uint8Array> =>
  renderDocument({ certificate, isTest });

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

const pagesOf = async (document: Uint8Array): Promise<readonly string[]> =>
  (await extractText(new Uint8Array(document))).text.map(flat);

interface StructureElement {
  readonly role: string;
  readonly alt?: string;
  readonly children?: readonly (StructureElement | { readonly id: string })[];
}

/** The elements of a page in reading order, each with the numbers of its own content. */
const elementsOf = (
  element: StructureElement,
): readonly { readonly role: string; readonly alt?: string; readonly ids: readonly string[] }[] => {
  const { role, alt, children = [] } = element;
  const ids = children.flatMap((child) => ('id' in child ? [child.id] : []));
  const inner = children.flatMap((child) => ('role' in child ? elementsOf(child) : []));
  return [{ role, ...(alt === undefined ? {} : { alt }), ids }, ...inner];
};

const isInstalled = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== 'ENOENT';
  }
};

const [ticket, artist, phone, honeymoon] = DEMO_PRODUCTS as readonly [
  Product,
  Product,
  Product,
  Product,
];

const OBJECTS: readonly [Product, boolean, Record<string, string | number>, readonly string[]][] = [
  [
    ticket,
    false,
    { eventName: 'Festival', ticketNumber: 'ABC-123', eventDate: '2026-12-31' },
    ['Evento Festival', 'Número do ingresso ABC-123', 'Data do evento 31/12/2026'],
  ],
  [
    artist,
    true,
    { artisticName: 'Banda', venueName: 'Parque', standArea: '20' },
    ['Nome artístico Banda', 'Local Parque', 'Área em metros quadrados 20'],
  ],
  [
    phone,
    true,
    { brand: 'Fabricante', model: 'X1', imei: '490154203237518' },
    ['Marca Fabricante', 'Modelo X1', 'IMEI 490154203237518'],
  ],
  [
    honeymoon,
    false,
    { destination: 'Lisboa', departureDate: '2026-12-01' },
    ['Destino Lisboa', 'Partida 01/12/2026'],
  ],
];

/** Texts that every certificate contains. */
const requiredOf = ({ registration }: Product, issued: boolean): readonly string[] => [
  ...[
    'Seguradora Demonstração S.A.',
    'CNPJ',
    '11.222.333/0001-81',
    'Código SUSEP da seguradora',
    '00000',
  ],
  ...[
    'Processo SUSEP do produto',
    registration.susepProcess,
    'Ramo',
    `${registration.branchCode} – ${registration.branchName}`,
  ],
  ...(issued
    ? ['Apólice de seguro', 'Apólice nº', 'P-1']
    : ['Bilhete de seguro', 'Bilhete nº', 'B-000000123']),
  ...[
    'Emissão (horário de Brasília)',
    '20/11/2026 às 12:00',
    'das 0h de 20/11/2026 às 24h de 31/12/2026',
  ],
  ...[
    'Nome social',
    'Mari',
    'Nome civil',
    'Maria da Silva',
    'CPF',
    '529.982.247-25',
    'Nascimento',
    '17/05/1990',
  ],
  'Rua das Flores, 100, Centro, São Paulo/SP, CEP 01001-000',
  ...['Cobertura', 'Limite máximo de indenização', '20/11/2026', '31/12/2026'],
  ...[
    'Prêmio líquido',
    'R$ 188,60',
    'IOF (7,38%)',
    'R$ 13,92',
    'Prêmio total',
    'R$ 202,52',
    'Forma de pagamento',
  ],
  ...[
    'Canal de venda',
    'Canal de demonstração',
    'Remuneração (representante)',
    'R$ 37,72 (20% do prêmio líquido)',
  ],
  ...[
    'Direito de arrependimento',
    'em até 7 dias',
    'SAC da seguradora',
    '0800 000 0000',
    'Ouvidoria',
    '0800 000 0001',
  ],
  ...['www.gov.br/susep', '0800 021 8484', 'www.consumidor.gov.br'],
  ...['https://seguros.example/verify', '01M7YT3 JAHDR4E X1NJJCG WCZ8P', 'Página 1 de 1'],
];

/** The figures of a sale of the first plan of a product with all its coverages. */
const quoteOf = (product: Product, { plans, coverages } = product): Quote =>
  quotePrice(
    { product, plan: plans[0], coverages, commissions: [] },
    { on: day('2026-11-20'), insuredAmount: cents(320_000), declaredPrice: cents(10_000) },
  ) as Quote;

const textOf = async (certificate: Certificate): Promise<string> =>
  (await pagesOf(await render(certificate))).join(' ');

describe('a certificate as a PDF', () => {
  /** What a lawyer looks for in the certificate of each demo product. */
  const CONDITIONS: readonly [Product, boolean, readonly string[]][] = [
    [
      ticket,
      false,
      [
        'Não cobre: desistência sem um desses motivos;',
        'Participação obrigatória do segurado 10% dos prejuízos de cada sinistro Carência Não há',
        'Riscos excluídos de todas as coberturas: ato intencional',
      ],
    ],
    [
      artist,
      true,
      [
        'Franquia R$ 500,00 por sinistro Carência Não há',
        'Coberturas não contratadas Instrumentos e equipamentos; Cancelamento da apresentação',
        'Franquia: o valor de cada prejuízo que fica com o segurado.',
      ],
    ],
    [
      phone,
      true,
      [
        'Roubo do aparelho',
        'Subtração com violência ou grave ameaça (Código Penal, art. 157).',
        'Furto qualificado do aparelho',
        'Não cobre: furto simples; perda, esquecimento ou extravio.',
        'Coberturas não contratadas',
        'Quebra de tela; Furto simples',
        '20% dos prejuízos de cada sinistro, no mínimo R$ 150,00',
        '5 dias desde o início da vigência',
        'Furto simples: furto sem nenhum dos meios',
        'Documentos: documento de identidade e CPF do segurado; boletim de ocorrência com o IMEI;',
      ],
    ],
    [
      honeymoon,
      false,
      [
        'Extravio de bagagem',
        'Cancelamento da viagem',
        'Não cobre: dinheiro, joias e eletrônicos.',
      ],
    ],
  ];
  for (const [product, issued, expected] of CONDITIONS) {
    it(`of ${product.name} says what is covered, what is not, and what to do in a claim`, async () => {
      const page = await textOf(await certificateOf({}, {}, { product, issued }));
      for (const text of [
        ...expected,
        'Precisou usar? sinistro@seguradora.example',
        'Como avisar: assim que souber do sinistro, por sinistro@seguradora.example',
        'em até 30 dias, contados do aviso com todos os documentos necessários',
        '(Lei 15.040/2024, art. 86)',
        'CNPJ do canal',
        '11.444.777/0001-61',
        'Atuação do canal',
        'Representante de seguros',
        'Glossário Prêmio: o preço do seguro',
      ])
        expect(page).to.include(text);
    });
  }

  it('shows the premium and the IOF of each coverage', async () => {
    const coverages = phone.coverages.map(({ id, code }) => ({ id, code }));
    const sold = { coverages, quote: quoteOf(phone), insuredAmount: cents(320_000) };
    const page = await textOf(await certificateOf(sold, {}, { product: phone, issued: true }));
    // 100.00 + 5.00 + 7.50, and 7.38 % of it: 112.50 and 8.30.
    for (const text of [
      'Roubo do aparelho R$ 3.200,00 20/11/2026 31/12/2026 R$ 60,00 R$ 4,44',
      'R$ 40,00 R$ 2,95',
      'Quebra de tela R$ 1.500,00 20/11/2026 31/12/2026 R$ 5,00 R$ 0,36',
      'R$ 7,50 R$ 0,55',
      'Prêmio líquido R$ 112,50 IOF (7,38%) R$ 8,30 Prêmio total R$ 120,80',
    ])
      expect(page).to.include(text);
  });

  it('says nothing of conditions that the catalogue does not have', async () => {
    const { plans, coverages } = ticket;
    const [{ id, code, name, tariff, period, maxInstallments }] = plans;
    const plan = { id, code, name, tariff, period, maxInstallments };
    const { customerService: _, ...insurer } = ticket.registration.insurer;
    const registration = { ...ticket.registration, insurer };
    const product: Product = { ...ticket, registration, plans: [plan], coverages };
    const page = await textOf(await certificateOf({}, {}, { product }));
    for (const text of [
      'Cobertura básica R$ 1.886,00',
      'pelo canal em que comprou o seguro',
      'Documentos: os que as condições contratuais do produto pedem.',
    ])
      expect(page).to.include(text);
    for (const text of [
      'Franquia',
      'Participação',
      'Carência',
      'Não cobre',
      'excluídos',
      'Precisou',
    ])
      expect(page).not.to.include(text);
  });

  it('says why no IOF is due', async () => {
    const certificate = await certificateOf();
    const paid = (paidOn: string, legalBasis: string): Promise<string> =>
      textOf({
        ...certificate,
        premium: { ...certificate.premium, iofRate: rate(0), iof: cents(0), legalBasis },
        payment: { ...certificate.payment, paidOn: day(paidOn) },
      });
    const exempt = 'Decreto 6.306/2007, art. 22, § 1º, I';
    expect(await paid('2026-12-31', exempt)).to.include(`IOF: alíquota zero (${exempt})`);
    for (const [paidOn, basis] of [
      ['2027-01-01', exempt],
      ['2027-01-01', 'EC 132/2023, arts. 3 e 23, I'],
      ['2026-12-31', 'EC 132/2023, arts. 3 e 23, I'],
    ] as const) {
      const page = await paid(paidOn, basis);
      expect(page).to.include('IOF: não incide (EC 132/2023)').and.not.include('alíquota zero');
    }
  });

  it('names other roles of a channel, and explains that of an estipulante', async () => {
    const certificate = await certificateOf();
    const sold = (channel: object) =>
      textOf({ ...certificate, channel: { ...certificate.channel, ...channel } });
    const cnpj = parseTaxId('12ABC34501DE35') as Cnpj;
    expect(await sold({ role: 'broker', cnpj }))
      .to.include('Corretor de seguros')
      .and.include('12.ABC.345/01DE-35');
    expect(await sold({ role: 'policyholder' })).to.include('Estipulante: quem contrata o seguro');
  });

  it('continues long lists on more pages, without splitting a row from its first note', async () => {
    const long = Array.from(
      { length: 50 },
      (_, index) => `item ${index} ${'palavra '.repeat(55)}fim`,
    );
    const [plan] = phone.plans;
    const [theft] = plan.includes as readonly [IncludedCoverage];
    const product: Product = {
      ...phone,
      plans: [
        {
          ...plan,
          includes: [{ ...theft, premiumShare: rate(1_000_000), notCovered: long }],
          exclusions: long,
          claimDocuments: long,
        },
      ],
    };
    const certificate = await certificateOf({}, {}, { product, issued: true });
    const pages = await pagesOf(await render(certificate));
    expect(pages.length).to.be.within(4, 12);
    const all = pages.join(' ');
    for (const [index] of long.entries())
      expect(all.split(`• item ${index} palavra`)).to.have.length(3 + 1);
    for (const page of pages) expect(page).not.to.match(/Coberturas( Página|$)/);
  });

  it('is the same file for the same certificate', async () => {
    const certificate = await certificateOf({}, {}, { product: phone, issued: true });
    const [one, other] = [await render(certificate), await render(structuredClone(certificate))];
    expect(Buffer.compare(one, other)).to.equal(0);
  });

  it('is the same file in another thread, whatever was made before', async () => {
    const certificate = await certificateOf({}, { name: 'Sofia Łucja 🎸' });
    for (const name of ['Żółć דוד', 'Zoë (1)', 'ffl'])
      await render(await certificateOf({}, { name }));
    const documents = new PdfDocuments();
    const other = await documents.certificate(certificate);
    await documents.close();
    expect(Buffer.compare(await render(certificate), other)).to.equal(0);
  });

  it('tells a screen reader headings, cells of tables, the order, and what the QR code opens', async () => {
    const certificate = await certificateOf({}, {}, { product: phone, issued: true });
    const pdf = await getDocumentProxy(new Uint8Array(await render(certificate)));
    expect(await pdf.getMarkInfo()).to.include({ Marked: true });
    const page = await pdf.getPage(1);
    const elements = elementsOf(await page.getStructTree());
    const { items } = await page.getTextContent({ includeMarkedContent: true });
    const textOf = new Map<string, string>();
    let current = '';
    for (const item of items) {
      if ('str' in item) textOf.set(current, `${textOf.get(current) ?? ''} ${item.str}`);
      else current = item.id ?? '';
    }
    const read = elements.map(({ role, alt, ids }) =>
      flat(`${role} ${alt ?? ids.map((id) => textOf.get(id)).join('')}`).trim(),
    );
    const wanted = [
      'H1 Seguro Celular',
      `Figure Código QR que abre ${certificate.verification.url}`,
      'P Apólice nº P-1',
      'H2 Segurado',
      'P Nome social Mari',
      'H2 Coberturas',
      'Table',
      'TR',
      'TH Cobertura',
      'TH Roubo do aparelho',
      'TD 20/11/2026',
      'P Não cobre: ',
      'H2 Prêmio e pagamento',
    ];
    const places = wanted.map((start) => read.findIndex((each) => each.startsWith(start)));
    expect(places, read.join('\n'))
      .to.deep.equal([...places].sort((one, other) => one - other))
      .and.not.include(-1);
    expect(read.filter((each) => each.startsWith('H1'))).to.have.length(1);
  });

  it('has valid XML metadata for names with signs of XML', async () => {
    const certificate = await certificateOf();
    const product = { ...certificate.product, name: 'Vida & Casa <1>' };
    const pdf = await getDocumentProxy(new Uint8Array(await render({ ...certificate, product })));
    const { info, metadata } = await pdf.getMetadata();
    const title = 'Bilhete de seguro B-000000123 – Vida & Casa <1>';
    expect([(info as { Title?: string }).Title, metadata?.get('dc:title')]).to.deep.equal([
      title,
      title,
    ]);
  });

  for (const [product, issued, insuredObject, expected] of OBJECTS) {
    it(`of ${product.name} has all required texts on one page`, async () => {
      const [page = '', ...others] = await pagesOf(
        await render(await certificateOf({ insuredObject }, {}, { product, issued })),
      );
      expect(others).to.deep.equal([]);
      for (const text of [product.name, ...requiredOf(product, issued), ...expected])
        expect(page).to.include(text);
    });
  }

  it('limits each coverage to the insured amount, and to the limit of the product', async () => {
    const coverages = phone.coverages.map(({ id, code }) => ({ id, code }));
    const sold = { coverages, insuredAmount: cents(320_000), quote: quoteOf(phone) };
    const [page = ''] = await pagesOf(
      await render(await certificateOf(sold, {}, { product: phone, issued: true })),
    );
    for (const text of [
      'Roubo do aparelho R$ 3.200,00',
      'Furto qualificado do aparelho R$ 3.200,00',
      'Quebra de tela R$ 1.500,00',
      'Furto simples R$ 3.200,00',
    ])
      expect(page).to.include(text);
    const { insuredAmount: _, ...without } = { ...sold, insuredAmount: undefined };
    const certificate = await certificateOf(
      { ...without, insuredAmount: undefined as never },
      {},
      { product: phone, issued: true },
    );
    const [bare = ''] = await pagesOf(await render(certificate));
    for (const text of [
      'Roubo do aparelho R$ 5.000,00',
      'Furto simples Conforme as condições contratuais',
    ])
      expect(bare).to.include(text);
  });

  it('describes the payment', async () => {
    const paid = async (payment: object) => {
      const certificate = await certificateOf();
      return (
        await pagesOf(
          await render({
            ...certificate,
            payment: { ...certificate.payment, ...payment },
          }),
        )
      ).join();
    };
    expect(await paid({})).to.include('Pix à vista, a Canal de demonstração, em 20/11/2026');
    expect(await paid({ method: 'credit', installments: 12, collectedBy: 'service' })).to.include(
      'Cartão de crédito em 12 parcelas, em 20/11/2026',
    );
    expect(await paid({ method: undefined })).to.include('Pago à vista, a Canal de demonstração');
  });

  it('supports companies, persons without an address, and products without contacts', async () => {
    const company = {
      taxId: parseTaxId('12ABC34501DE35') as TaxId,
      address: undefined as never,
      birthDate: undefined as never,
      socialName: undefined as never,
    };
    const { customerService: _, ombudsman: __, ...insurer } = ticket.registration.insurer;
    const product = { ...ticket, registration: { ...ticket.registration, insurer } };
    const [page = ''] = await pagesOf(await render(await certificateOf({}, company, { product })));
    expect(page).to.include('CNPJ 12.ABC.345/01DE-35').and.include('Nome Maria da Silva');
    for (const label of [
      'Endereço',
      'Nascimento',
      'Fundação',
      'Nome social',
      'SAC da',
      'Ouvidoria',
    ])
      expect(page).not.to.include(label);
  });

  const LONG: Address = {
    street:
      'Rua Doutor Professor Engenheiro Desembargador Antônio Carlos de Albuquerque Cavalcanti de Sá Barreto Filho Neto, nº 12345',
    district: 'Jardim das Acácias',
    city: 'São José do Vale do Rio Preto',
    state: 'RJ',
    postcode: '25780000' as Postcode,
  };

  it('breaks long names and addresses, and stays on one page', async () => {
    const names = {
      name: 'Maria Antonieta de Bragança '.repeat(7).trim(),
      socialName: 'W'.repeat(200),
      address: LONG,
    };
    const [page = '', ...others] = await pagesOf(await render(await certificateOf({}, names)));
    expect(others).to.deep.equal([]);
    expect(LONG.street).to.have.length.above(119);
    expect(page).to.include(LONG.street).and.include(names.name);
    expect(page.replaceAll(' ', '')).to.include(names.socialName);
  });

  it('continues on more pages, with header and number, for fifty additional insured', async () => {
    const additionalInsured = Array.from({ length: 50 }, (_, index) => ({
      name: `Segurado ${index} de Nome Comprido o Bastante`,
      taxId: parseTaxId('52998224725') as TaxId,
      birthDate: day('1990-01-01'),
    }));
    const insuredObject = Object.fromEntries(
      Array.from({ length: 70 }, (_, index) => [`campo${index}`, 'palavra '.repeat(200)]),
    );
    const pages = await pagesOf(
      await render(await certificateOf({ additionalInsured, insuredObject })),
    );
    expect(pages.length).to.be.within(3, 8);
    const all = pages.join(' ');
    for (const { name } of additionalInsured) expect(all).to.include(name);
    for (const [index, page] of pages.entries())
      expect(page)
        .to.include('B-000000123')
        .and.include(`Página ${index + 1} de ${pages.length}`);
    expect(all).to.include('campo12').and.include('E mais 57 informações').and.include('…');
    expect(all).not.to.include('campo13');
  });

  it('shows all fields of the insured object with their labels', async () => {
    const attributes = {
      properties: {
        species: {
          title: 'Espécie',
          oneOf: [
            { const: 'dog', title: 'Cão' },
            { const: 'cat', title: 'Gato' },
          ],
        },
        vaccinated: { title: 'Vacinado', type: 'boolean' },
        owner: { title: 'Dono', properties: { since: { title: 'Desde' } } },
        weights: { title: 'Pesos', items: { type: 'number' } },
      },
    };
    const insuredObject = {
      species: 'dog',
      vaccinated: true,
      owner: { since: '2020-02-29' },
      weights: [1234.5, 2],
      note: null,
      only: ['x'],
    };
    const product = { ...ticket, attributes };
    const [page = ''] = await pagesOf(
      await render(await certificateOf({ insuredObject }, {}, { product })),
    );
    const said = [
      'Espécie Cão',
      'Vacinado Sim',
      'Dono · Desde 29/02/2020',
      'Pesos · 1 1234,5',
      'Pesos · 2 2',
      'only x',
    ];
    for (const text of said) expect(page).to.include(text);
    expect(page).not.to.include('note');
  });

  it('lists each commission with its kind, and the installments of the service', async () => {
    const certificate = await certificateOf();
    const { commission } = certificate.channel;
    const items = [
      { kind: 'brokerage', rate: rate(125_000), amount: cents(763) },
      { kind: 'pro_labore', rate: rate(10_000), amount: cents(61) },
    ] as const;
    const parts = { first: cents(4_256), others: cents(4_250) };
    const payment = {
      ...certificate.payment,
      method: 'credit',
      collectedBy: 'service',
      installments: 12,
      parts,
    } as const;
    const changed = {
      ...certificate,
      payment,
      channel: { name: 'Canal', commission: { ...commission, items } },
    };
    const [page = ''] = await pagesOf(await render(changed));
    expect(page).to.include('Remuneração (corretagem) R$ 7,63 (12,5% do prêmio líquido)');
    expect(page).to.include('Remuneração (pró-labore) R$ 0,61 (1% do prêmio líquido)');
    expect(page).to.include(
      'em 12 parcelas (a primeira de R$ 42,56, as outras de R$ 42,50), em 20/11/2026',
    );
  });

  it('shows numbers and names of the insured object unchanged', async () => {
    const insuredObject = {
      year: 2024,
      imei: 490154203237518,
      tiny: 1e-12,
      constructor: 'a',
      toString: 'b',
      __proto__x: 'c',
    };
    const [page = ''] = await pagesOf(await render(await certificateOf({ insuredObject })));
    for (const text of [
      'year 2024',
      'IMEI 490154203237518',
      'tiny 1e-12',
      'constructor a',
      'toString b',
      '__proto__x c',
    ])
      expect(page).to.include(text);
  });

  it('lists the fields of the object in reading order, and says so if it has no field', async () => {
    const insuredObject = {
      z: 1,
      eventEndDate: '2026-12-03',
      eventName: 'Show',
      a: 2,
      eventStartDate: '2026-12-02',
      artisticName: 'Zé',
    };
    const page = (await pagesOf(await render(await certificateOf({ insuredObject })))).join();
    const places = [
      'Evento Show',
      'Nome artístico Zé',
      'Início do evento',
      'Fim do evento',
      'z 1',
      'a 2',
    ].map((text) => page.indexOf(text));
    expect(places)
      .to.deep.equal([...places].sort((one, other) => one - other))
      .and.not.include(-1);
    const none = (await pagesOf(await render(await certificateOf({ insuredObject: {} })))).join();
    expect(none).to.include('Objeto segurado Não foi descrito na venda.');
  });

  it('orders right-to-left names, with their numbers and brackets', async () => {
    const turned = (word: string): string => [...word].reverse().join('');
    const [david, cohen] = ['דוד', 'כהן'];
    expect(reorderLine(`Anna ${david} ${cohen}`)).to.equal(
      `Anna ${turned(cohen)} ${turned(david)}`,
    );
    expect(reorderLine(`${cohen} (12) ABC`)).to.equal(`ABC (12) ${turned(cohen)}`);
    expect(reorderLine('שלום')).to.equal([...'שלום'].reverse().join(''));
    expect(reorderLine('מ🎸(a)')).to.equal('(a)🎸מ');
    expect(reorderLine('Maria')).to.equal('Maria');
  });

  it('has a header that fits a long product name and a long address', async () => {
    const certificate = await certificateOf();
    const product = {
      ...certificate.product,
      name: 'Proteção Completa de Ingressos '.repeat(6).trim(),
    };
    const url = `https://${'muito-longo.'.repeat(12)}example.com/verify/01M7YT3JAHDR4EX1NJJCGWCZ8P`;
    const [page = '', ...others] = await pagesOf(
      await render({
        ...certificate,
        product,
        verification: { ...certificate.verification, url },
      }),
    );
    expect(others).to.deep.equal([]);
    expect(page).to.include(product.name).and.include('e informe 01M7YT3 JAHDR4E X1NJJCG WCZ8P');
  });

  const ODD: readonly [string, (length: number) => string][] = [
    ['of one word', (length) => 'Aa0/'.repeat(length / 4)],
    [
      'in Chinese',
      (length) =>
        Array.from({ length }, (_, index) =>
          String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
        ).join(''),
    ],
    [
      'in Devanagari',
      (length) =>
        Array.from({ length }, (_, index) =>
          String.fromCodePoint(0x905 + ((index * 31) % 60)),
        ).join(''),
    ],
    ['of accents alone', (length) => `a${'\u0301'.repeat(length - 1)}`],
  ];
  for (const [what, text] of ODD) {
    it(`renders texts ${what} of maximum length within the time limit`, async () => {
      const insuredObject = Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [`${index}${text(100)}`, text(2_000)]),
      );
      const certificate = await certificateOf(
        { insuredObject },
        { name: text(200), socialName: text(200) },
      );
      expect((await pagesOf(await render(certificate))).length).to.be.below(6);
    });
  }

  it('limits stacked accents, so that they do not overlap other lines', async () => {
    const socialName = `Zo${'\u0302'.repeat(25)}e\u0302 Silva`;
    const [page = ''] = await pagesOf(await render(await certificateOf({}, { socialName })));
    expect(page).to.match(/Z(ô|o).*(ê|e).* Silva/u);
    expect(page.match(/\u0302/g) ?? []).to.have.lengthOf.within(1, 4);
  });

  it('shows a replacement sign for a character that no font has', async () => {
    const [page = ''] = await pagesOf(
      await render(await certificateOf({}, { socialName: 'Zé \u{1F9FF}\u{13000} Silva' })),
    );
    expect(page).to.match(/Zé .*\uFFFD ?Silva/u);
  });

  it('says on each page of a test environment that it is worth nothing, and elsewhere not', async () => {
    const names = Array.from({ length: 50 }, (_, index) => ({
      ...{ name: `Segurado ${index}`, taxId: parseTaxId('52998224725') as TaxId },
      birthDate: '1990-05-17' as CalendarDate,
    }));
    const certificate = await certificateOf({ additionalInsured: names });
    const pages = await pagesOf(await render(certificate, true));
    expect(pages.length).to.be.above(1);
    for (const page of pages) expect(page).to.include('TESTE – SEM VALOR');
    expect((await pagesOf(await render(certificate))).join(' ')).not.to.include('TESTE');
  });

  it('has the mark of a test in the margins, where it crosses nothing', async () => {
    const document = await getDocumentProxy(
      new Uint8Array(await render(await certificateOf(), true)),
    );
    const { items } = await (await document.getPage(1)).getTextContent();
    const [left, right, top] = [42, 595.28 - 42, 841.89 - 36];
    const places = items.flatMap((item) =>
      'str' in item && item.str.includes('SEM VALOR') ? [item.transform.slice(4)] : [],
    );
    expect(places).to.have.length(5);
    for (const [x = 0, y = 0] of places) expect(x < left || x > right || y > top).to.equal(true);
  });

  it('fills the pages that a long contract needs', async () => {
    const exclusions = Array.from(
      { length: 42 },
      (_, count) => `o caso de número ${count}, descrito`,
    );
    const certificate = await certificateOf();
    const conditions = { ...certificate.conditions, exclusions };
    const document = await getDocumentProxy(
      new Uint8Array(await render({ ...certificate, conditions })),
    );
    expect(document.numPages).to.equal(2);
    const { items } = await (await document.getPage(2)).getTextContent();
    const heights = items.flatMap((item) => ('str' in item ? [item.transform[5]] : []));
    expect(heights.filter((y) => y > 44).at(-1)).to.be.below(841.89 / 2);
  });

  it('has a title, a language and the date of the contract, and no scripts', async () => {
    const bytes = await render(await certificateOf());
    const text = Buffer.from(bytes).toString('latin1');
    expect(text)
      .to.match(/^%PDF-1\.7/)
      .and.include('/Lang (pt-BR)')
      .and.include('(D:20261120150000Z)')
      .and.not.match(/JavaScript|OpenAction|Launch/);
    const { info } = await (await getDocumentProxy(new Uint8Array(bytes))).getMetadata();
    expect(info).to.deep.include({
      Title: 'Bilhete de seguro B-000000123 – Ingresso Protegido',
      Author: 'Seguradora Demonstração S.A.',
    });
    expect(bytes.length).to.be.below(60_000);
  });

  describe('checked with other tools', () => {
    let certificate: Certificate;
    let file: string;
    before(async () => {
      certificate = await certificateOf(
        {},
        { name: 'Conceição Åsa Жанна 🎸', socialName: 'João Açaí' },
      );
      file = join(temporaryFolder(), 'bilhete.pdf');
      writeFileSync(file, await render(certificate));
    });

    it('is readable by pdftotext', function () {
      if (!isInstalled('pdftotext')) this.skip();
      const text = flat(execFileSync('pdftotext', ['-raw', file, '-']).toString());
      for (const expected of [
        'João Açaí',
        'Conceição Åsa Жанна 🎸',
        ...requiredOf(ticket, false).filter((each) => !/^(Mari|Maria da Silva)$/.test(each)),
      ])
        expect(text).to.include(expected);
    });

    it('has no faults for qpdf', function () {
      if (!isInstalled('qpdf')) this.skip();
      expect(execFileSync('qpdf', ['--check', file]).toString()).to.include(
        'No syntax or stream encoding errors found',
      );
    });
  });
});
