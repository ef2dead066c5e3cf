import {
  formatDate,
  formatPercent,
  formatPostcode,
  formatReais,
  formatTaxId,
  type Insured,
} from '#domain';
import type { Certificate } from '../../application/certificates/certificate.ts';
import type { Block, Blocks } from './blocks.ts';
import {
  COMMISSIONS,
  momentInWords,
  objectInWords,
  paymentInWords,
  TITLES,
} from './certificate-words.ts';

type Field = readonly [label: string, value: string];

const given = (label: string, value: string | undefined): readonly Field[] =>
  value === undefined ? [] : [[label, value]];

const taxIdField = ({ taxId }: Pick<Insured, 'taxId'>): Field => [
  taxId.length === 11 ? 'CPF' : 'CNPJ',
  formatTaxId(taxId),
];

const addressOf = ({ address }: Insured): string | undefined => {
  if (address === undefined) return undefined;
  const { street, number, complement, district, city, state, postcode } = address;
  const line = [street, number, complement].filter((part) => part !== undefined).join(', ');
  return `${line}, ${district}, ${city}/${state}, CEP ${formatPostcode(postcode)}`;
};

const contract = ({ kind, number, issuedAt, period, product }: Certificate): readonly Field[] => [
  [TITLES[kind].number, number],
  ['Emissão (horário de Brasília)', momentInWords(issuedAt)],
  ['Vigência, dias inteiros', `${formatDate(period.start)} a ${formatDate(period.end)}`],
  ['Plano', product.plan],
];

const insurer = ({
  registration: { insurer: its, ...registration },
}: Certificate): readonly Field[] => [
  ['Seguradora', its.name],
  ['CNPJ', formatTaxId(its.cnpj)],
  ['Código SUSEP da seguradora', its.susepCode],
  ['Processo SUSEP do produto', registration.susepProcess],
  ['Ramo', `${registration.branchCode} – ${registration.branchName}`],
];

/** The name by which the insured wants to be called comes first (Decreto 8.727/2016). */
const insured = ({ insured: its }: Certificate): readonly Field[] => [
  [its.socialName === undefined ? 'Nome' : 'Nome social', its.socialName ?? its.name],
  ...given('Nome civil', its.socialName === undefined ? undefined : its.name),
  taxIdField(its),
  ...given(
    its.taxId.length === 11 ? 'Nascimento' : 'Fundação',
    its.birthDate && formatDate(its.birthDate),
  ),
  ...given('Endereço', addressOf(its)),
];

const premium = (certificate: Certificate): readonly Field[] => {
  const { net, iof, iofRate, total } = certificate.premium;
  return [
    ['Prêmio líquido', formatReais(net)],
    [`IOF (${formatPercent(iofRate)})`, formatReais(iof)],
    ['Prêmio total', formatReais(total)],
    ['Forma de pagamento', paymentInWords(certificate)],
  ];
};

/** What the channel earns must be said (Resolução CNSP 382/2020, art. 4). */
const channel = ({ channel: { name, commission } }: Certificate): readonly Field[] => [
  ['Canal de venda', name],
  ...commission.items.map(
    ({ kind, rate, amount }): Field => [
      `Remuneração (${COMMISSIONS[kind]})`,
      `${formatReais(amount)} (${formatPercent(rate)} do prêmio líquido)`,
    ],
  ),
];

const coverages = (certificate: Certificate, blocks: Blocks): readonly Block[] => {
  const { start, end } = certificate.period;
  const rows = certificate.coverages.map(({ name = 'Cobertura básica', limit }) => [
    name,
    limit === undefined ? 'Conforme as condições contratuais' : formatReais(limit),
    formatDate(start),
    formatDate(end),
  ]);
  return blocks.table(
    ['Cobertura', 'Limite máximo de indenização', 'Início', 'Fim'],
    rows,
    [0.42, 0.3, 0.14, 0.14],
  );
};

const others = ({ additionalInsured }: Certificate): readonly Field[] =>
  additionalInsured.map((each) => [
    `Segurado adicional, ${taxIdField(each).join(' ')}, nascimento ${formatDate(each.birthDate)}`,
    each.name,
  ]);

const rights = ({ withdrawalUntil }: Certificate): string =>
  `Direito de arrependimento: o segurado pode desistir do seguro em até 7 dias da contratação, até ${formatDate(withdrawalUntil)}, ` +
  'inclusive, pelo canal em que comprou, e recebe de volta todo o valor pago (Código de Defesa do Consumidor, art. 49).';

const contacts = ({ registration: { insurer: its } }: Certificate): readonly Field[] => [
  ...given('SAC da seguradora', its.customerService),
  ...given('Ouvidoria', its.ombudsman),
  ['SUSEP', 'www.gov.br/susep · 0800 021 8484'],
  ['Reclamações de consumo', 'www.consumidor.gov.br'],
];

const NOTES = [
  'O registro do produto na SUSEP não implica, por parte da autarquia, incentivo ou recomendação à sua comercialização. O ' +
    'segurado pode consultar a situação cadastral da seguradora e as condições contratuais do produto em www.gov.br/susep, pelo ' +
    'número do processo.',
  'SUSEP – Superintendência de Seguros Privados: autarquia federal responsável pela fiscalização, normatização e controle ' +
    'dos mercados de seguro, previdência complementar aberta, capitalização, resseguro e corretagem de seguros.',
];

/** All that a certificate says, from top to bottom. */
export const contentOf = (certificate: Certificate, blocks: Blocks): readonly Block[] => {
  const { fields: object, left } = objectInWords(certificate.insuredObject);
  return [
    ...blocks.fields(contract(certificate), 4),
    blocks.heading('Seguradora e produto'),
    ...blocks.fields(insurer(certificate), 3),
    blocks.heading('Segurado'),
    ...blocks.fields(insured(certificate), 3),
    ...blocks.fields(others(certificate), 2),
    blocks.heading('Objeto segurado'),
    ...blocks.fields(object, 3),
    ...(object.length === 0 ? [blocks.paragraph('Não foi descrito na venda.')] : []),
    ...(left > 0 ? [blocks.paragraph(`E mais ${left} informações, registradas na venda.`)] : []),
    blocks.heading('Coberturas'),
    ...coverages(certificate, blocks),
    blocks.heading('Prêmio e pagamento'),
    ...blocks.fields([...premium(certificate), ...channel(certificate)], 3),
    blocks.heading('Direitos e atendimento'),
    blocks.paragraph(rights(certificate)),
    ...blocks.fields(contacts(certificate), 2),
    ...NOTES.map((note) => blocks.paragraph(note, { size: 6.6 })),
  ];
};
