import { type Certificate, claimContactOf } from '../../application/certificates/certificate.ts';
import type { Blocks } from './blocks.ts';
import type { Block } from './page.ts';

const describeNotice = (certificate: Certificate): string => {
  const contact = claimContactOf(certificate);
  const where = contact === undefined ? 'pelo canal em que comprou o seguro' : `por ${contact}`;
  return `Como avisar: assim que souber do sinistro, ${where}.`;
};

const describeDecision = ({ legalPeriods: { claim_decision } }: Certificate): string =>
  `Decisão da seguradora: em até ${claim_decision.days} dias, contados do aviso com todos os documentos necessários, a ` +
  'seguradora diz se o sinistro está coberto; depois desse prazo não pode mais recusar a cobertura ' +
  `(${claim_decision.source}).`;

/** Creates the blocks that say how to give notice of a claim and what happens then. */
export const createClaimContent = (certificate: Certificate, blocks: Blocks): readonly Block[] => {
  const { claimDocuments } = certificate.conditions;
  return [
    blocks.heading('Em caso de sinistro'),
    blocks.paragraph(describeNotice(certificate)),
    ...(claimDocuments.length === 0
      ? [blocks.paragraph('Documentos: os que as condições contratuais do produto pedem.')]
      : blocks.list('Documentos', claimDocuments)),
    blocks.paragraph(describeDecision(certificate)),
  ];
};

interface Entry {
  readonly term: string;
  readonly meaning: string;
  /** Whether a certificate needs the entry. Absent: every certificate does. */
  readonly isUsed?: (certificate: Certificate) => boolean;
}

const names =
  (term: RegExp) =>
  ({ coverages, coveragesNotBought }: Certificate): boolean =>
    coverages
      .flatMap(({ name = '', description = '', notCovered }) => [name, description, ...notCovered])
      .concat(coveragesNotBought)
      .some((text) => term.test(text));

const GLOSSARY: readonly Entry[] = [
  { term: 'Prêmio', meaning: 'o preço do seguro; o líquido é sem IOF.' },
  { term: 'Sinistro', meaning: 'o acontecimento coberto que causa o prejuízo.' },
  {
    term: 'Limite máximo de indenização',
    meaning: 'o máximo que a seguradora paga pela cobertura.',
  },
  {
    term: 'Franquia',
    meaning: 'o valor de cada prejuízo que fica com o segurado.',
    isUsed: ({ conditions: { deductible } }) =>
      deductible?.kind === 'fixed' && deductible.amount > 0,
  },
  {
    term: 'Participação obrigatória',
    meaning: 'a parte de cada prejuízo que fica com o segurado.',
    isUsed: ({ conditions: { deductible } }) => deductible?.kind === 'rate',
  },
  {
    term: 'Carência',
    meaning: 'os dias iniciais da vigência sem direito à indenização.',
    isUsed: ({ conditions: { waitingDays = 0 } }) => waitingDays > 0,
  },
  {
    term: 'Roubo',
    meaning: 'subtração com violência ou ameaça (Código Penal, art. 157).',
    isUsed: names(/\broubo\b/i),
  },
  {
    term: 'Furto qualificado',
    meaning: 'furto com arrombamento, fraude, destreza ou outro meio do art. 155, § 4º.',
    isUsed: names(/furto qualificado/i),
  },
  {
    term: 'Furto simples',
    meaning: 'furto sem nenhum dos meios do art. 155, § 4º, do Código Penal.',
    isUsed: names(/furto simples/i),
  },
  {
    term: 'Representante de seguros',
    meaning: 'empresa que vende em nome da seguradora.',
    isUsed: ({ channel }) => channel.role === 'representative',
  },
  {
    term: 'Estipulante',
    meaning: 'quem contrata o seguro em favor do grupo segurado.',
    isUsed: ({ channel }) => channel.role === 'policyholder',
  },
];

/** Creates the blocks that explain the terms a certificate uses. */
export const createGlossary = (certificate: Certificate, blocks: Blocks): readonly Block[] => [
  blocks.heading('Glossário'),
  ...blocks.columns(
    GLOSSARY.filter(({ isUsed }) => isUsed?.(certificate) ?? true).map(
      ({ term, meaning }) => `${term}: ${meaning}`,
    ),
  ),
];
