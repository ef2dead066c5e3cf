import type { Fault, FaultKind } from '#domain';
import type { CatalogueConflict } from '../../../application/catalogue/manage-catalogue.ts';
import type { Faults } from '../contract/answer-error.ts';
import { FORMATS } from '../contract/formats.ts';
import { MOST_FAULTS } from '../contract/validation.ts';

/** What a field must look like, in place of what the domain says of cents and parts per million. */
const LOOKS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    code: 'deve começar com letra ou dígito e ter só letras, dígitos, ponto, sublinhado e hífen, até 50',
    name: 'deve ter uma linha de até 200 caracteres, sem espaços nas pontas nem repetidos',
    branchName: 'deve ter uma linha de até 200 caracteres, sem espaços nas pontas nem repetidos',
    line: 'deve ter letras minúsculas, dígitos e sublinhado, até 50, e começar com letra',
    channelLink: FORMATS['channel-link'].complaint,
    susepProcess: 'deve ter a forma 15414.NNNNNN/AAAA-DD',
    branchCode: 'deve ter de 2 a 4 dígitos',
    susepCode: 'deve ter 4 ou 5 dígitos',
    cnpj: 'deve ser um CNPJ válido, sem pontuação',
    amount:
      'deve ser um valor em reais maior que zero (zero só em coberturas), com até duas casas decimais',
    minimum: FORMATS.money.complaint,
    rate: 'deve ser um percentual de 0 (em tarifas, acima de 0) a 100 com até quatro casas decimais, como 7.38',
    commissionRate: FORMATS.percent.complaint,
    commissionCap: FORMATS.percent.complaint,
  }),
);

/** Of what stands in a schema of attributes, where the names above mean something else. */
const SCHEMA_LOOKS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    attributes: 'deve ser um JSON Schema (2020-12) válido',
    pattern: 'deve ser uma expressão regular da sintaxe RE2 (sem (?=…), (?<=…) nem \\1)',
    $ref: 'deve apontar para um item de $defs do próprio esquema, como #/$defs/nome',
    $defs: 'não pode ter item que volte a si mesmo por $ref',
  }),
);

const WORDS: Readonly<Record<FaultKind, (expected: string) => string>> = {
  missing: () => 'é obrigatório',
  unknown_field: () => 'não é conhecido, ou não cabe aqui',
  not_an_object: () => 'deve ser um objeto',
  not_a_list: () => 'deve ser uma lista',
  not_json: () =>
    'deve ser um valor JSON que se possa guardar (sem caracteres nulos nem incompletos)',
  too_deep: (expected) => `tem mais de ${expected} níveis`,
  too_large: (expected) => `é grande ou complexo demais (mais de ${expected} partes)`,
  too_long_to_match: (expected) =>
    `pode levar tempo demais para ser conferido: limite os textos com maxLength, as listas com maxItems e os campos com maxProperties (partes dos padrões × caracteres × textos: mais de ${expected} ao todo)`,
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
    `passa do teto de comissão do produto, ${Number.parseInt(expected, 10) / 10_000} % ao todo`,
};

const LOOKED_AT: ReadonlySet<FaultKind> = new Set([
  'badly_formed',
  'not_a_whole_number',
  'out_of_range',
]);

const complaint = ({ kind, expected = '' }: Fault, path: string): string => {
  const looks = (/^attributes\b/.test(path) ? SCHEMA_LOOKS : LOOKS).get(
    path.split('.').at(-1) ?? '',
  );
  return LOOKED_AT.has(kind) && looks !== undefined ? looks : WORDS[kind](expected);
};

/** The domain's faults in Portuguese, by the paths of the body. */
export const faultsOf = (faults: readonly Fault[], wirePath: (path: string) => string): Faults => {
  const found = new Map<string, string[]>();
  for (const fault of faults.slice(0, MOST_FAULTS)) {
    const path = wirePath(fault.path);
    found.set(path, [...(found.get(path) ?? []), `O campo ${path} ${complaint(fault, path)}.`]);
  }
  return Object.fromEntries(found);
};

/** What would no longer go together elsewhere in the catalogue. */
export const conflictsOf = (
  conflicts: readonly CatalogueConflict[],
  wirePath: (path: string) => string,
): readonly string[] =>
  conflicts.map(({ with: other, fault }) => {
    const name = 'product' in other ? `do produto ${other.product}` : `do canal ${other.channel}`;
    const path = wirePath(fault.path);
    return `O campo ${path} ${name} ${complaint(fault, path)}.`;
  });
