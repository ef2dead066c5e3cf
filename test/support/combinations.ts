import { generateKeyPairSync, randomBytes } from 'node:crypto';

export type Variables = Readonly<Record<string, string>>;

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** The keys of a service that keeps nothing itself. */
export const KEYS = {
  SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  SECRETS_KEY: randomBytes(32).toString('base64'),
};

export const asaasAt = (url: string): Variables => ({
  PAYMENT_GATEWAY: 'asaas',
  ...{
    ASAAS_API_URL: url,
    ASAAS_API_KEY: 'asaas-key-of-the-tests',
    ASAAS_WEBHOOK_TOKEN: 'w'.repeat(40),
  },
});
export const insurerAt = (url: string): Variables => ({
  ...{ POLICY_ISSUER: 'http', ISSUER_URL: url, ISSUER_TOKEN: 'insurer-token-of-the-tests' },
});
export const smtpAt = (port: number): Variables => ({
  ...{ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Seguros <seguros@example.com>' },
});

/** Each choice of the first with each of the others. */
export const combine = (...choices: readonly Readonly<Record<string, Variables>>[]) =>
  choices.reduce<readonly (readonly [string, Variables])[]>(
    (made, choice) =>
      made.flatMap(([name, variables]) =>
        Object.entries(choice).map(
          ([more, added]) => [`${name}, ${more}`, { ...variables, ...added }] as const,
        ),
      ),
    [['a service', {}]],
  );
