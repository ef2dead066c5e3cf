import { isRefusal, type Refusal } from '../refusals/refusal.ts';
import { sentenceOfRefusal } from '../refusals/sentences.ts';
import { toPercent } from '../values/decimal.ts';
import type { Rate } from '../values/money.ts';

/** What each kind of fault tells people after the name of the field, with the accepted values. */
const COMPLAINTS = {
  missing: () => 'é obrigatório',
  unknown_field: () => 'não é conhecido, ou não cabe aqui',
  not_an_object: () => 'deve ser um objeto',
  not_a_list: () => 'deve ser uma lista',
  not_json: () =>
    'deve ser um valor JSON que se possa guardar (sem caracteres nulos nem incompletos)',
  too_deep: (expected) => `tem mais de ${expected} níveis`,
  too_large: (expected) => `é grande ou complexo demais (mais de ${expected} partes)`,
  too_many_patterns: (expected) =>
    `passa do limite de ${expected} padrões (pattern, nomes em patternProperties e uniqueItems; os de $defs contam a cada $ref)`,
  pattern_too_large: (expected) =>
    `passa do tamanho máximo: um padrão tem até ${expected} caracteres, e todos juntos até ${expected} passos (cerca de um por caractere, com as repetições por extenso)`,
  too_long_to_match: (expected) =>
    `pode demorar em listas e em campos sem nome fixo: deve começar com ^, não ter |, *, + nem {n,}, e ter até ${expected} passos`,
  empty_list: () => 'não pode ser uma lista vazia',
  not_a_text: () => 'deve ser um texto',
  badly_formed: () => 'não tem a forma esperada',
  not_a_whole_number: () => 'deve ser um número inteiro',
  out_of_range: (expected) => `deve ser de ${expected.replace(' to ', ' a ')}`,
  not_true_or_false: () => 'deve ser verdadeiro ou falso',
  not_one_of_these: (expected) => `deve ser um destes: ${expected}`,
  repeated: () => 'repete o de outro item',
  not_found: () => 'não existe no catálogo',
  above_cap: (expected) =>
    `passa do teto de comissão do produto, ${toPercent(Number.parseInt(expected, 10) as Rate)} % ao todo`,
  in_force: (expected) => `está em vigor desde ${expected} e não muda mais`,
  too_early: (expected) => `deve ser ${expected} ou depois`,
  shares_not_whole: () => 'deve ter em premiumShare 100 % ao todo',
  shares_above_whole: () => 'tem em premiumShare mais de 100 % ao todo',
  priced_twice: () => 'não cabe em uma cobertura que tem preço próprio (tariff)',
} satisfies Readonly<Record<string, (expected: string) => string>>;

/** What is wrong with a piece of catalogue data. `messageOf` tells it to people. */
export type FaultKind = keyof typeof COMPLAINTS;

/** Lists every kind of fault, once. @example FAULT_KINDS.includes('missing') // true */
export const FAULT_KINDS = Object.keys(COMPLAINTS) as readonly FaultKind[];

/** A fault and its dotted path: `plans.0.tariff.rate`. The empty path is the whole input. */
export interface Fault {
  readonly path: string;
  readonly kind: FaultKind;
  /** The accepted values, if a few words can tell: `net, gross`; `1 to 60`. */
  readonly expected?: string;
}

const sentenceOfFault = ({ path, kind, expected = '' }: Fault): string => {
  if (!Object.hasOwn(COMPLAINTS, kind)) throw new RangeError(`no message for the fault ${kind}`);
  const field = path === '' ? 'O conteúdo' : `O campo ${path}`;
  return `${field} ${COMPLAINTS[kind](expected)}.`;
};

/**
 * Gives a sentence for people, of a refusal or of a fault of catalogue data. It names the right
 * amount and the field at fault. Amounts and rates of a fault are in the units of the data: cents
 * and ppm.
 *
 * @example messageOf({ path: 'plans', kind: 'missing' }, 'pt-BR') // 'O campo plans é obrigatório.'
 * @throws RangeError if `REFUSAL_KINDS` and `FAULT_KINDS` lack the kind, or the language is unknown.
 */
export const messageOf = (refusalOrFault: Refusal | Fault, locale: 'pt-BR'): string => {
  if (locale !== 'pt-BR') throw new RangeError(`no messages in the language ${locale}`);
  return isRefusal(refusalOrFault)
    ? sentenceOfRefusal(refusalOrFault)
    : sentenceOfFault(refusalOrFault);
};
