import {
  formatDate,
  formatPercent,
  formatPostcode,
  formatReais,
  formatTaxId,
  type Insured,
} from '#domain';
import { type Certificate, describePeriod } from '../../application/certificates/certificate.ts';
import { describeObject } from '../../application/certificates/insured-object.ts';
import type { Blocks } from './blocks.ts';
import {
  COMMISSION_NAMES,
  describePayment,
  explainNoIof,
  formatInstant,
  ROLE_NAMES,
  TITLES,
} from './certificate-words.ts';
import { createClaimContent, createGlossary } from './claim-content.ts';
import { createCoverageContent } from './coverage-content.ts';
import type { Block } from './page.ts';

type Field = readonly [label: string, value: string];

const optionalField = (label: string, value: string | undefined): readonly Field[] =>
  value === undefined ? [] : [[label, value]];

const formatTaxIdField = ({ taxId }: Pick<Insured, 'taxId'>): Field => [
  taxId.length === 11 ? 'CPF' : 'CNPJ',
  formatTaxId(taxId),
];

const formatAddress = ({ address }: Insured): string | undefined => {
  if (address === undefined) return undefined;
  const { street, number, complement, district, city, state, postcode } = address;
  const line = [street, number, complement].filter((part) => part !== undefined).join(', ');
  return `${line}, ${district}, ${city}/${state}, CEP ${formatPostcode(postcode)}`;
};

const listContract = ({
  kind,
  number,
  issuedAt,
  period,
  product,
}: Certificate): readonly Field[] => [
  [TITLES[kind].number, number],
  ['Emissão (horário de Brasília)', formatInstant(issuedAt)],
  ['Vigência', describePeriod(period)],
  ['Plano', product.plan],
];

const listInsurer = ({ registration }: Certificate): readonly Field[] => [
  ['Seguradora', registration.insurer.name],
  ['CNPJ', formatTaxId(registration.insurer.cnpj)],
  ['Código SUSEP da seguradora', registration.insurer.susepCode],
  ['Processo SUSEP do produto', registration.susepProcess],
  ['Ramo', `${registration.branchCode} – ${registration.branchName}`],
];

/** The social name comes before the legal name (Decreto 8.727/2016). */
const listInsured = ({ insured }: Certificate): readonly Field[] => [
  [insured.socialName === undefined ? 'Nome' : 'Nome social', insured.socialName ?? insured.name],
  ...optionalField('Nome civil', insured.socialName === undefined ? undefined : insured.name),
  formatTaxIdField(insured),
  ...optionalField(
    insured.taxId.length === 11 ? 'Nascimento' : 'Fundação',
    insured.birthDate && formatDate(insured.birthDate),
  ),
  ...optionalField('Endereço', formatAddress(insured)),
];

const listPremium = (certificate: Certificate): readonly Field[] => {
  const { net, iof, iofRate, total } = certificate.premium;
  const noIof = explainNoIof(certificate);
  return [
    ['Prêmio líquido', formatReais(net)],
    noIof === undefined
      ? [`IOF (${formatPercent(iofRate)})`, formatReais(iof)]
      : ['Imposto sobre operações financeiras', `IOF: ${noIof}`],
    ['Prêmio total', formatReais(total)],
    ['Forma de pagamento', describePayment(certificate)],
  ];
};

/** The certificate must state the commissions of the channel (Resolução CNSP 382/2020, art. 4). */
const listChannel = ({
  channel: { name, cnpj, role, commission },
}: Certificate): readonly Field[] => [
  ['Canal de venda', name],
  ...optionalField('CNPJ do canal', cnpj && formatTaxId(cnpj)),
  ...optionalField('Atuação do canal', role && ROLE_NAMES[role]),
  ...commission.items.map(
    ({ kind, rate, amount }): Field => [
      `Remuneração (${COMMISSION_NAMES[kind]})`,
      `${formatReais(amount)} (${formatPercent(rate)} do prêmio líquido)`,
    ],
  ),
];

const listAdditionalInsured = ({ additionalInsured }: Certificate): readonly Field[] =>
  additionalInsured.map((each) => [
    `Segurado adicional, ${formatTaxIdField(each).join(' ')}, nascimento ${formatDate(each.birthDate)}`,
    each.name,
  ]);

const describeWithdrawal = ({
  withdrawalUntil,
  legalPeriods: { withdrawal },
}: Certificate): string =>
  `Direito de arrependimento: o segurado pode desistir do seguro em até ${withdrawal.days} dias da contratação, ` +
  `até ${formatDate(withdrawalUntil)}, inclusive, pelo canal em que comprou, e recebe de volta ` +
  `todo o valor pago (${withdrawal.source}).`;

const listContacts = ({ registration: { insurer } }: Certificate): readonly Field[] => [
  ...optionalField('SAC da seguradora', insurer.customerService),
  ...optionalField('Ouvidoria', insurer.ombudsman),
  ['SUSEP', 'www.gov.br/susep · 0800 021 8484'],
  ['Reclamações de consumo', 'www.consumidor.gov.br'],
];

const NOTES = [
  'O registro do produto na SUSEP não implica, por parte da autarquia, incentivo ou recomendação ' +
    'à sua comercialização. O segurado pode consultar a situação cadastral da seguradora e as ' +
    'condições contratuais do produto em www.gov.br/susep, pelo número do processo.',
  'SUSEP – Superintendência de Seguros Privados: autarquia federal responsável pela ' +
    'fiscalização, normatização e controle dos mercados de seguro, previdência complementar aberta, ' +
    'capitalização, resseguro e corretagem de seguros.',
];

/** Creates all blocks of a certificate, from top to bottom. */
export const createContent = (certificate: Certificate, blocks: Blocks): readonly Block[] => {
  const { fields: object, omitted } = describeObject(certificate.insuredObject);
  return [
    ...blocks.fields(listContract(certificate), 4),
    blocks.heading('Seguradora e produto'),
    ...blocks.fields(listInsurer(certificate), 3),
    blocks.heading('Segurado'),
    ...blocks.fields(listInsured(certificate), 4),
    ...blocks.fields(listAdditionalInsured(certificate), 2),
    blocks.heading('Objeto segurado'),
    ...blocks.fields(object, 3),
    ...(object.length === 0 ? [blocks.paragraph('Não foi descrito na venda.')] : []),
    ...(omitted > 0
      ? [blocks.paragraph(`E mais ${omitted} informações, registradas na venda.`)]
      : []),
    ...createCoverageContent(certificate, blocks),
    blocks.heading('Prêmio e pagamento'),
    ...blocks.fields(listPremium(certificate), 4),
    ...blocks.fields(listChannel(certificate), 4),
    ...createClaimContent(certificate, blocks),
    blocks.heading('Direitos e atendimento'),
    blocks.paragraph(describeWithdrawal(certificate)),
    ...blocks.fields(listContacts(certificate), 2),
    ...NOTES.map((note) => blocks.paragraph(note, { size: 6.6 })),
    ...createGlossary(certificate, blocks),
  ];
};
