import { addDays, type CalendarDate } from '#domain';
import type { FirstRun } from './first-run.ts';

type Credentials = { readonly clientId: string; readonly clientSecret: string };

/**
 * Three lines for bash: get a token, make the first sale of a new service, query it. The last one
 * prints the link of its certificate.
 */
const firstSale = (
  baseUrl: string,
  today: CalendarDate,
  { clientId, clientSecret }: Credentials,
): string => {
  const sale = {
    externalSaleId: 'first-sale',
    product: { code: 'INGRESSO' },
    amounts: { insuredAmount: 1886 },
    insured: { name: 'Maria da Silva', cpfOrCnpj: '52998224725', email: 'maria@example.com' },
    payment: { status: 'paid', method: 'pix', paidAt: today },
    attributes: { eventName: 'Festival', eventDate: addDays(today, 30) },
  };
  const address = `${baseUrl}/private/integration/sale`;
  const authorization = `-H "Authorization: Bearer $TOKEN"`;
  return `
TOKEN=$(curl -s '${baseUrl}/seguros/auth/token' -u '${clientId}:${clientSecret}' -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -s '${address}' ${authorization} -H 'Content-Type: application/json' -d '${JSON.stringify(sale)}'; echo
curl -s '${address}/${sale.externalSaleId}' ${authorization} | sed 's/.*"document_url":"\\([^"]*\\)".*/Certificate: \\1/'; echo
`;
};

const credentialsOf = (who: string, created: FirstRun['partner']): string =>
  created === undefined
    ? ''
    : `${who} (shown once): client_id=${created.client.clientId} client_secret=${created.clientSecret}\n`;

/** Later starts cannot show the secrets: they are stored as hashes. */
const lostSecrets = (settings: string): string => `
A lost secret: ${settings}npm run -s admin -- rotate CLIENT_ID --grace-hours 0
  Client ids:  ${settings}npm run -s admin -- list
`;

interface Welcome {
  /** The public URL, without `/api`. */
  readonly publicUrl: string;
  readonly today: CalendarDate;
  readonly firstRun: FirstRun;
  /** Enters the console once. */
  readonly consoleLink: string;
  /** Undefined if mail is sent, or kept in memory. */
  readonly mailFolder: string | undefined;
  /** The settings that name the database of a command, as a shell takes them: `DATA_DIR=/tmp/try `. */
  readonly settings: string;
}

/**
 * What a start in the test environment prints: where to read and, on the first start, credentials
 * and three lines to paste.
 */
export const welcome = (given: Welcome): string => {
  const { publicUrl, today, firstRun, consoleLink, mailFolder, settings } = given;
  const { administrator, partner } = firstRun;
  const baseUrl = `${publicUrl}/api`;
  const credentials = `${credentialsOf('Administrator', administrator)}${credentialsOf('Demo partner', partner)}`;
  const lines =
    partner === undefined
      ? ''
      : firstSale(baseUrl, today, {
          clientId: partner.client.clientId,
          clientSecret: partner.clientSecret,
        });
  return `
Insurance sales API: ${baseUrl}
  Start:     ${publicUrl}/
  Guide:     ${publicUrl}/docs
  Reference: ${publicUrl}/docs/api
  Products:  ${publicUrl}/docs/en/operator/catalogue
${mailFolder === undefined ? '' : `  Mail:      ${mailFolder}\n`}Console: ${consoleLink}

${credentials || lostSecrets(settings)}${lines === '' ? '' : `\nThe first sale, three lines to paste into bash:\n${lines}`}
`;
};

/** The last lines of a start, printed when the service takes requests. */
export const readyLines = (publicUrl: string, pid: number): string => `
Ready: ${publicUrl}/
Stop:  Ctrl-C, or kill ${pid}
`;
