import { type Fault, type FaultKind, messageOf } from '#domain';
import type { CatalogueConflict } from '../../../application/catalogue/manage-catalogue.ts';
import { MAX_LISTED_FAULTS } from '../contract/complaints.ts';
import type { FieldCode } from '../contract/error-codes.ts';
import {
  type Complaint,
  complain,
  type FieldFaults,
  groupFaults,
} from '../contract/field-faults.ts';
import { FORMATS } from '../contract/formats.ts';

const describeLine = (most: number): string =>
  `deve ter uma linha de até ${most} caracteres, sem espaços nas pontas nem repetidos`;

/** What a field must be like, in the units of the body. The domain's faults have cents and ppm. */
const FIELD_COMPLAINTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    from: 'deve ser uma data, AAAA-MM-DD, de hoje a dez anos adiante',
    legalBasis: 'deve ter uma linha de até 200 caracteres, sem espaços nas pontas nem repetidos',
    code: 'deve começar com letra ou dígito e ter só letras, dígitos, ponto, sublinhado e hífen, até 50',
    name: describeLine(200),
    branchName: describeLine(200),
    customerService: describeLine(200),
    ombudsman: describeLine(200),
    line: 'deve ter letras minúsculas, dígitos e sublinhado, até 50, e começar com letra',
    channelLink: FORMATS['channel-link'].complaint,
    susepProcess: 'deve ter a forma 15414.NNNNNN/AAAA-DD',
    branchCode: 'deve ter de 2 a 4 dígitos',
    susepCode: 'deve ter 4 ou 5 dígitos',
    returnOrigins:
      'deve ser uma origem https em letras minúsculas, como https://loja.example: sem caminho, barra no fim, usuário, curinga nem a porta usual (http só para localhost)',
    cnpj: 'deve ser um CNPJ válido, sem pontuação',
    amount:
      'deve ser um valor em reais maior que zero (zero só em coberturas e franquias), com até duas casas decimais',
    minimum: FORMATS.money.complaint,
    rate: 'deve ser um percentual de 0 (em tarifas, acima de 0) a 100 com até quatro casas decimais, como 7.38',
    commissionRate: FORMATS.percent.complaint,
    commissionCap: FORMATS.percent.complaint,
    premiumShare: FORMATS.percent.complaint,
    covers: describeLine(200),
    claimContact: describeLine(200),
    exclusions: describeLine(500),
    notCovered: describeLine(500),
    claimDocuments: describeLine(500),
    description: describeLine(1_000),
  }),
);

/** The same for keywords inside the schema of attributes, where those names mean other things. */
const SCHEMA_COMPLAINTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    attributes: 'deve ser um JSON Schema (2020-12) válido',
    pattern: 'deve ser uma expressão regular da sintaxe RE2 (sem (?=…), (?<=…) nem \\1)',
    $ref: 'deve apontar para um item de $defs do próprio esquema, como #/$defs/nome',
    $defs: 'não pode ter item que volte a si mesmo por $ref',
  }),
);

/** The code of each kind of fault. */
const CODES: Readonly<Record<FaultKind, FieldCode>> = {
  missing: 'required',
  unknown_field: 'unknown',
  not_an_object: 'invalid_type',
  not_a_list: 'invalid_type',
  not_json: 'invalid_format',
  too_deep: 'too_complex',
  too_large: 'too_complex',
  too_long_to_match: 'too_complex',
  empty_list: 'too_short',
  not_a_text: 'invalid_type',
  badly_formed: 'invalid_format',
  not_a_whole_number: 'invalid_type',
  out_of_range: 'out_of_range',
  not_true_or_false: 'invalid_type',
  not_one_of_these: 'not_offered',
  repeated: 'repeated',
  not_found: 'not_offered',
  above_cap: 'out_of_range',
  in_force: 'in_the_past',
  shares_not_whole: 'contradicts',
  shares_above_whole: 'contradicts',
  priced_twice: 'contradicts',
};

const KINDS_BY_FIELD: ReadonlySet<FaultKind> = new Set([
  'badly_formed',
  'not_a_whole_number',
  'out_of_range',
]);

/** A sentence about a fault. `place` names the field to people. */
const describeCatalogueFault = (fault: Fault, path: string, place = path): string => {
  const complaints = /^attributes\b/.test(path) ? SCHEMA_COMPLAINTS : FIELD_COMPLAINTS;
  const field = path.split('.').findLast((part) => !/^\d+$/.test(part));
  const ofField = complaints.get(field ?? '');
  return KINDS_BY_FIELD.has(fault.kind) && ofField !== undefined
    ? `O campo ${place} ${ofField}.`
    : messageOf({ ...fault, path: place }, 'pt-BR');
};

const codeOf = ({ kind }: Fault, path: string): FieldCode =>
  kind === 'badly_formed' && /\bcnpj$/.test(path) ? 'invalid_tax_id' : CODES[kind];

/** The domain's faults as complaints in Portuguese, by their path in the body. */
export const describeCatalogueFaults = (
  faults: readonly Fault[],
  wirePath: (path: string) => string,
): FieldFaults =>
  groupFaults(
    faults.slice(0, MAX_LISTED_FAULTS).map((fault) => {
      const path = wirePath(fault.path);
      return [path, complain(codeOf(fault, path), describeCatalogueFault(fault, path))];
    }),
  );

/** Complaints about other products and channels that the change would make invalid. */
export const describeConflicts = (
  conflicts: readonly CatalogueConflict[],
  wirePath: (path: string) => string,
): readonly Complaint[] =>
  conflicts.map(({ with: other, fault }) => {
    const name = 'product' in other ? `do produto ${other.product}` : `do canal ${other.channel}`;
    const path = wirePath(fault.path);
    const message = describeCatalogueFault(fault, path, `${path} ${name}`);
    return complain(codeOf(fault, path), message);
  });
