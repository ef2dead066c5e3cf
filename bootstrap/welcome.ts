import { addDays, type CalendarDate, percent, rate } from '#domain';
import { DEMO_CHANNEL } from './demo-catalogue.ts';
import type { FirstRun } from './first-run.ts';

type Credentials = { readonly clientId: string; readonly clientSecret: string };

const REGISTRATION = {
  ...{ susepProcess: '15414.900060/2026-00', branchCode: '31', branchName: 'Animais' },
  insurer: { name: 'Seguradora Demonstração S.A.', cnpj: '11222333000181', susepCode: '00000' },
};

const PET = {
  ...{ id: 60, name: 'Seguro Pet', line: 'pet', iofClass: 'health', registration: REGISTRATION },
  attributes: {
    type: 'object',
    required: ['species'],
    properties: { species: { title: 'Espécie', enum: ['dog', 'cat'] } },
  },
  plans: [
    {
      ...{ id: 61, code: 'ANUAL', name: 'Anual', period: { kind: 'months', months: 12 } },
      tariff: { kind: 'rate', rate: 8, minimum: 60 },
    },
  ],
};

/** Lines that create a product and sell it. */
const newProduct = (baseUrl: string, administrator: Credentials, partner: Credentials): string => {
  const granted = DEMO_CHANNEL.grants.map(({ productCode, commissions }) => ({
    code: productCode,
    commissionRate: percent(commissions[0]?.rate ?? rate(0)),
  }));
  const products = [...granted, { code: 'PET', commissionRate: 15 }];
  const sale = {
    ...{
      externalSaleId: 'rex-1',
      product: { code: 'PET' },
      amounts: { insuredAmount: 1234.56 },
      attributes: { species: 'dog' },
    },
    insured: { name: 'Maria da Silva', cpfOrCnpj: '52998224725', email: 'maria@example.com' },
    payment: { status: 'paid', method: 'pix' },
  };
  const json = `-H 'Content-Type: application/json'`;
  return `
ADMIN=$(curl -s ${baseUrl}/seguros/auth/token -u '${administrator.clientId}:${administrator.clientSecret}' \\
  -d grant_type=client_credentials | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

curl -s -X PUT ${baseUrl}/admin/products/PET -H "Authorization: Bearer $ADMIN" ${json} -d '${JSON.stringify(PET)}'; echo

curl -s -X PUT ${baseUrl}/admin/channels/${DEMO_CHANNEL.channelLink} -H "Authorization: Bearer $ADMIN" ${json} -d '${JSON.stringify(
    { name: DEMO_CHANNEL.name, products, returnOrigins: DEMO_CHANNEL.returnOrigins },
  )}'; echo

curl -s ${baseUrl}/private/integration/sale -u '${partner.clientId}:${partner.clientSecret}' ${json} -d '${JSON.stringify(sale)}'; echo
`;
};

/**
 * Lines to paste: get a token, make a sale, query its status, request a second copy and find its
 * mail.
 */
const tour = (
  baseUrl: string,
  today: CalendarDate,
  { clientId, clientSecret }: Credentials,
  mailFolder?: string,
): string => {
  const sale = {
    productId: 1,
    channelLink: 'canal-demo',
    nomeCompleto: 'Maria da Silva',
    cpfCnpj: '52998224725',
    dataNascimento: '1990-05-17',
    email: 'maria@example.com',
    telefone: '11987654321',
    logradouro: 'Rua das Flores, 100',
    bairro: 'Centro',
    cidade: 'São Paulo',
    uf: 'SP',
    cep: '01001000',
    dataPagamento: today,
    formaPagamento: 'pix',
    tipoIngresso: 'inteira',
    numeroIngresso: 'ABC-123',
    dataEvento: addDays(today, 30),
    valorIngresso: 1886,
    valorSeguro: 188.6,
  };
  return `
TOKEN=$(curl -s ${baseUrl}/seguros/auth/token -H 'Content-Type: application/json' \\
  -d '{"client_id":"${clientId}","client_secret":"${clientSecret}"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

curl -s ${baseUrl}/seguros/ingresso-protegido/create -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '${JSON.stringify(sale)}'; echo

curl -s ${baseUrl}/seguros/ingresso-protegido/status/1 -H "Authorization: Bearer $TOKEN"; echo

curl -s ${baseUrl}/seguros/ingresso-protegido/segunda-via -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"transaction_id":1}'; echo
${mailFolder === undefined ? '' : `\nuntil ls '${mailFolder}'/1-*-1.eml 2>/dev/null; do sleep 0.2; done\n`}`;
};

/**
 * What a start in the test environment prints: the address and, on the first start, credentials and
 * a tour.
 */
export const welcome = (
  baseUrl: string,
  today: CalendarDate,
  { administrator, partner }: FirstRun,
  mailFolder?: string,
): string => {
  const shown = (who: string, created: FirstRun['partner']): string =>
    created
      ? `${who} (shown once): client_id=${created.client.clientId} client_secret=${created.clientSecret}\n`
      : '';
  const credentials = `${shown('Administrator', administrator)}${shown('Demo partner', partner)}`;
  const of = ({ client, clientSecret }: NonNullable<FirstRun['partner']>): Credentials => ({
    clientId: client.clientId,
    clientSecret,
  });
  const hint = partner ? `\nTry it:\n${tour(baseUrl, today, of(partner), mailFolder)}` : '';
  const further =
    administrator && partner
      ? `\nA new product, sold without code:\n${newProduct(baseUrl, of(administrator), of(partner))}`
      : '';
  const mail = mailFolder === undefined ? '' : `Mail is kept in ${mailFolder}\n`;
  return `\nInsurance sales API: ${baseUrl}\n${mail}${credentials}${hint}${further}\n`;
};
