import { addDays, type CalendarDate } from '#domain';
import type { FirstRun } from './first-run.ts';

/** The lines that a newcomer may paste: a token, a sale, its status. */
const tour = (baseUrl: string, today: CalendarDate, clientId: string, clientSecret: string): string => {
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
`;
};

/** What a start in the test environment prints: the address and, on the first one, the credentials and a tour. */
export const welcome = (baseUrl: string, today: CalendarDate, { administrator, partner }: FirstRun): string => {
  const shown = (who: string, created: FirstRun['partner']): string =>
    created ? `${who} (shown once): client_id=${created.client.clientId} client_secret=${created.clientSecret}\n` : '';
  const credentials = `${shown('Administrator', administrator)}${shown('Demo partner', partner)}`;
  const hint = partner ? `\nTry it:\n${tour(baseUrl, today, partner.client.clientId, partner.clientSecret)}` : '';
  return `\nInsurance sales API: ${baseUrl}\n${credentials}${hint}\n`;
};
