import Type, { type Static } from 'typebox';
import { type Acceptance, type Instant, parseInstant } from '#domain';
import { type FieldFaults, faultAt } from './field-faults.ts';
import { formatted, moment, PERSONAL, text } from './formats.ts';

const acceptanceFields = {
  acceptedAt: moment({ description: 'Quando o cliente aceitou; não pode ser futuro' }),
  termsVersion: text(100, { description: 'Versão das condições, como o canal a chama' }),
  termsHash: formatted('terms-hash', {
    maxLength: 128,
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    description: 'SHA-256, SHA-384 ou SHA-512 do texto aceito, em hexadecimal',
  }),
  disclosureHash: Type.Optional(
    formatted('sha256', {
      maxLength: 64,
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      description: 'O disclosure_hash da informação prévia que o cliente viu',
    }),
  ),
  ipAddress: Type.Optional(
    formatted('ip-address', {
      maxLength: 45,
      examples: ['203.0.113.7', '2001:db8::7'],
      description: 'Endereço IPv4 ou IPv6 do cliente; ausente em venda presencial',
    }),
  ),
  userAgent: Type.Optional(
    text(1_000, { description: 'Navegador ou aplicativo do cliente, como ele se identifica' }),
  ),
};

/** How the customer accepted. Marked personal as a whole: answers that show it back mask it. */
export const acceptanceBody = Type.Object(acceptanceFields, {
  title: 'Acceptance',
  description: 'Como o cliente aceitou as condições: guardado como prova',
  ...PERSONAL,
});

type AcceptanceBody = Static<typeof acceptanceBody>;

/** How far a channel's clock may be ahead of ours, ms. */
export const MAX_CLOCK_LEAD_MS = 300_000;

/** An acceptance must be of the past. */
export const findAcceptanceFaults = (
  { acceptedAt }: Partial<AcceptanceBody>,
  now: Instant,
): FieldFaults => {
  const at = acceptedAt === undefined ? undefined : parseInstant(acceptedAt);
  return at !== undefined && Date.parse(at) > Date.parse(now) + MAX_CLOCK_LEAD_MS
    ? faultAt(
        'acceptance.acceptedAt',
        'in_the_future',
        'O campo acceptance.acceptedAt não pode ser futuro.',
      )
    : {};
};

export const readAcceptance = ({
  acceptedAt,
  termsHash,
  disclosureHash,
  ...sent
}: AcceptanceBody): Acceptance => ({
  ...sent,
  ...(disclosureHash !== undefined && { disclosureHash: disclosureHash.toLowerCase() }),
  acceptedAt: parseInstant(acceptedAt) as Instant,
  termsHash: termsHash.toLowerCase(),
});
