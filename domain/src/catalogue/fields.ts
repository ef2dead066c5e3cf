import { type Cnpj, parseCnpj } from '../values/tax-id.ts';
import { list, type Reader, shaped, text, whole } from './reading.ts';

// Fields that products and channels share.

/** An integration code. Its characters need no escaping in a URL or a file name. */
export const code = text(
  50,
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/,
  'letters, digits, dots, underscores and hyphens, 50 at most',
  'deve começar com letra ou dígito e ter só letras, dígitos, ponto, sublinhado e hífen, até 50',
);
const VISIBLE = String.raw`(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]`;
const WORDS = String.raw`[^\s\p{Cc}]+(?: [^\s\p{Cc}]+)*`;

/** One line of up to `most` characters, without leading or trailing spaces. */
export const oneLine = (most: number): Reader<string> =>
  text(
    most,
    new RegExp(`^(?=.{1,${most}}$)(?=.*${VISIBLE})${WORDS}$`, 'u'),
    `one line without blanks around, ${most} characters at most`,
    `deve ter uma linha de até ${most} caracteres, sem espaços nas pontas nem repetidos`,
  );

export const name = oneLine(200);
/** Lines of text for the certificate. */
export const lines = list(oneLine(500));
export const id = whole(1);

const cnpjText = text(
  14,
  { test: (given) => parseCnpj(given) === given.toUpperCase() },
  'a CNPJ without punctuation',
  'deve ser um CNPJ válido, sem pontuação',
);

/** Small letters are taken as capitals. */
export const cnpj = shaped(
  cnpjText.shape,
  (value, path, note) => parseCnpj(String(cnpjText(value, path, note))) as Cnpj,
);
