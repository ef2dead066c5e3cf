import { type Deductible, formatDate, formatPercent, formatReais } from '#domain';
import type { Certificate, CertifiedCoverage } from '../../application/certificates/certificate.ts';
import type { Blocks } from './blocks.ts';
import { explainNoIof } from './certificate-words.ts';
import { type Block, keepWithNext } from './page.ts';

type Field = readonly [label: string, value: string];

const HEAD = [
  'Cobertura',
  'Limite máximo de indenização',
  'Início',
  'Fim',
  'Prêmio líquido',
  'IOF',
];
const WIDTHS = [0.27, 0.2, 0.135, 0.135, 0.145, 0.115];

const tabulateCoverage = (
  { name = 'Cobertura básica', limit, premium, description, notCovered }: CertifiedCoverage,
  certificate: Certificate,
  blocks: Blocks,
): readonly Block[] => {
  const { start, end } = certificate.period;
  const cells = [
    name,
    limit === undefined ? 'Conforme as condições contratuais' : formatReais(limit),
    formatDate(start),
    formatDate(end),
    formatReais(premium.net),
    explainNoIof(certificate)?.replace(/ \(.*/, '') ?? formatReais(premium.iof),
  ];
  const row = blocks.tableRow(cells, WIDTHS);
  const notes = [
    ...(description === undefined ? [] : [blocks.paragraph(description)]),
    ...blocks.list('Não cobre', notCovered),
  ];
  return [
    notes.length > 0 ? keepWithNext(row) : row,
    ...notes.map((note) => blocks.tableNote(note, HEAD.length)),
  ];
};

/** `fixed` is a franquia, `rate` a participação obrigatória. */
const describeDeductible = (deductible: Deductible): Field => {
  if (deductible.kind === 'fixed') {
    const { amount } = deductible;
    return ['Franquia', amount === 0 ? 'Não há' : `${formatReais(amount)} por sinistro`];
  }
  const { rate, minimum } = deductible;
  const least = minimum === 0 ? '' : `, no mínimo ${formatReais(minimum)}`;
  return [
    'Participação obrigatória do segurado',
    `${formatPercent(rate)} dos prejuízos de cada sinistro${least}`,
  ];
};

const describeWaiting = (days: number): Field => [
  'Carência',
  days === 0 ? 'Não há' : `${days} ${days === 1 ? 'dia' : 'dias'} desde o início da vigência`,
];

const listConditions = ({ conditions, coveragesNotBought }: Certificate): readonly Field[] => {
  const { deductible, waitingDays } = conditions;
  return [
    ...(deductible === undefined ? [] : [describeDeductible(deductible)]),
    ...(waitingDays === undefined ? [] : [describeWaiting(waitingDays)]),
    ...(coveragesNotBought.length === 0
      ? []
      : [['Coberturas não contratadas', coveragesNotBought.join('; ')] as const]),
  ];
};

/** Space between the last coverage and the conditions, in points. */
const SPACE: Block = { height: 3, draw: () => {} };

/** Creates the blocks that say what is covered, what is not, and what the insured bears. */
export const createCoverageContent = (
  certificate: Certificate,
  blocks: Blocks,
): readonly Block[] => [
  blocks.heading('Coberturas'),
  ...blocks.table([
    keepWithNext(blocks.tableHead(HEAD, WIDTHS)),
    ...certificate.coverages.flatMap((each) => tabulateCoverage(each, certificate, blocks)),
  ]),
  SPACE,
  ...blocks.fields(listConditions(certificate), 3),
  ...blocks.list('Riscos excluídos de todas as coberturas', certificate.conditions.exclusions),
];
