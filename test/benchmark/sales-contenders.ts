import { rowsIn } from '../support/postgres.ts';
import { inDays } from '../support/today.ts';
import { ANY_NAME } from './load.ts';
import type { Contender } from './rounds.ts';
import type { Stage } from './stage.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** About 1 KB, as it goes over the wire with its headers about 1.8 KB. */
const ticketSale = (): string =>
  JSON.stringify({
    ...{
      productId: 1,
      channelLink: 'canal-demo',
      nomeCompleto: 'Maria Conceição Aparecida dos Santos Figueiredo de Albuquerque',
    },
    ...{
      nomeSocial: 'Maria Conceição',
      cpfCnpj: '52998224725',
      dataNascimento: '1990-05-17',
      telefone: '+55 (11) 98765-4321',
    },
    email: 'maria.conceicao.aparecida.albuquerque@correio.example.com.br',
    logradouro:
      'Avenida Engenheiro Luís Carlos Berrini, 1748, conjunto 2304, torre norte, entrada pela rua dos fundos',
    ...{ bairro: 'Cidade Monções (Brooklin Novo)', cidade: 'São Paulo', uf: 'SP', cep: '04571000' },
    ...{
      dataPagamento: inDays(0),
      formaPagamento: 'credito',
      tipoIngresso: 'inteira',
      dataEvento: inDays(60),
    },
    numeroIngresso: 'ESTADIO-2026/SETOR-LESTE-SUPERIOR/FILA-AC/ASSENTO-0421/LOTE-03',
    ...{ valorIngresso: 1886, valorSeguro: 188.6 },
  });

const genericSale = (): string =>
  JSON.stringify({
    externalSaleId: ANY_NAME,
    product: { code: 'INGRESSO' },
    insured: {
      ...{
        name: 'Maria Conceição Aparecida dos Santos Figueiredo de Albuquerque',
        socialName: 'Maria Conceição',
      },
      ...{ cpfOrCnpj: '52998224725', birthDate: '1990-05-17', phone: '+55 (11) 98765-4321' },
      email: 'maria.conceicao.aparecida.albuquerque@correio.example.com.br',
    },
    coverage: { startDate: inDays(0), endDate: inDays(60) },
    amounts: { insuredAmount: 1886, netPremium: 188.6 },
    payment: { status: 'paid', method: 'credito', paidAt: inDays(0) },
    attributes: {
      ticketType: 'full',
      ticketNumber: 'ESTADIO-2026/SETOR-LESTE-SUPERIOR/FILA-AC',
      eventDate: inDays(60),
    },
  });

/** Charged at once, and issued. */
const phoneSale = (): string =>
  JSON.stringify({
    ...{
      productId: 3,
      channelLink: 'canal-demo',
      plan: { id: 32 },
      nameOrRazao: 'Maria da Silva',
      cpfOrCnpj: '52998224725',
    },
    ...{
      email: 'maria@example.com',
      phone: '+55 (11) 98765-4321',
      device: { brand: 'Fabricante', model: 'X1', value: 3200 },
    },
    creditCard: {
      flag: 'visa',
      number: '4111111111111111',
      cvv: '123',
      expiryMonth: '12',
      expiryYear: '39',
    },
  });

/** Sales of tickets, each under a key of its own, by all these clients in turn. */
export const ticketSales = (url: string, tokens: readonly string[]) => {
  const body = ticketSale();
  return tokens.map((token) => ({
    url,
    headers: { ...JSON_TYPE, Authorization: `Bearer ${token}`, 'Idempotency-Key': ANY_NAME },
    body,
  }));
};

/** Sales by the generic endpoint, each under a name of its own, by all these clients in turn. */
export const genericSales = (baseUrl: string, tokens: readonly string[]) => {
  const body = genericSale();
  return tokens.map((token) => ({
    url: `${baseUrl}/private/integration/sale`,
    headers: { ...JSON_TYPE, Authorization: `Bearer ${token}` },
    body,
  }));
};

export const CREATE = '/seguros/ingresso-protegido/create';

interface Table {
  readonly writers: readonly Contender[];
  readonly readers: readonly Contender[];
}

/** Everybody who takes part, up and ready. */
export const contendersOn = async (stage: Stage, say: (line: string) => void): Promise<Table> => {
  const url = await stage.database();
  const { process: ours, tokens } = await stage.service(url);
  const authorized = tokens.map((token) => ({ ...JSON_TYPE, Authorization: `Bearer ${token}` }));
  const create = (address: string) => ticketSales(address, tokens);
  const generic = genericSales(ours.url, tokens);

  const answers = [];
  for (const request of create(`${ours.url}${CREATE}`).slice(0, 100))
    answers.push(
      await sold({
        ...request,
        headers: { ...request.headers, 'Idempotency-Key': `sample-${answers.length}` },
      }),
    );
  const phones = [];
  for (const headers of authorized.slice(0, 100))
    phones.push(
      await sold({ url: `${ours.url}/seguros/seguro-celular/create`, headers, body: phoneSale() }),
    );
  const [like] = await rowsIn(
    url,
    'select channel_link, client_id, terms, progress from sale order by id limit 1',
  );

  const environment = { SALE_LIKE: JSON.stringify(like), PUBLIC_KEY: stage.publicKey };
  const contender = async (file: string, ...more: string[]) => {
    const DATABASE_URL = await stage.database();
    return stage.start([`test/benchmark/contenders/${file}.ts`, ...more], {
      ...environment,
      DATABASE_URL,
    });
  };
  const floor = await contender('floor');
  const together = await contender('floor', 'grouped');
  const fastify = await contender('fastify');
  const nest = await contender('nest');
  say(
    `A sale of ${Buffer.byteLength(ticketSale())} bytes; the row of it ${JSON.stringify(like).length} bytes of JSON and the body itself.`,
  );

  const read = (path: string, keys: readonly (string | number)[]) =>
    authorized.map((headers, index) => ({
      url: `${ours.url}${path}/${keys[index % keys.length]}`,
      method: 'GET' as const,
      headers,
    }));
  await sold({ url: `${floor.url}/create`, headers: JSON_TYPE, body: ticketSale() });
  return {
    writers: [
      { name: FLOOR, pid: floor.pid, requests: create(`${floor.url}/create`) },
      { name: GROUP_FLOOR, pid: together.pid, requests: create(`${together.url}/create`) },
      { name: FASTIFY, pid: fastify.pid, requests: create(`${fastify.url}/create`) },
      { name: NEST, pid: nest.pid, requests: create(`${nest.url}/create`) },
      { name: INGRESSO, pid: ours.pid, requests: create(`${ours.url}${CREATE}`) },
      { name: GENERIC, pid: ours.pid, requests: generic },
    ],
    readers: [
      {
        name: READ_FLOOR,
        pid: floor.pid,
        requests: [{ url: `${floor.url}/sale/1`, method: 'GET' }],
      },
      {
        name: BY_ID,
        pid: ours.pid,
        requests: read(
          '/seguros/ingresso-protegido/status',
          answers.map(({ transaction_id: id }) => id),
        ),
      },
      {
        name: BY_TICKET,
        pid: ours.pid,
        requests: read(
          '/seguros/seguro-celular/status',
          phones.map(({ ticket }) => ticket),
        ),
      },
    ],
  };
};

export const FLOOR = 'floor';
export const GROUP_FLOOR = 'group floor';
export const FASTIFY = 'Fastify, as usual';
export const NEST = 'NestJS + TypeORM';
export const INGRESSO = 'ours: Ingresso create';
export const GENERIC = 'ours: generic sale';
export const READ_FLOOR = 'floor: read by key';
export const BY_ID = 'ours: status by id';
export const BY_TICKET = 'ours: status by ticket';

const sold = async ({
  url,
  headers,
  body,
}: {
  url: string;
  headers: Record<string, string>;
  body: string;
}) => {
  const answer = await fetch(url, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return (JSON.parse(text) as { data: { transaction_id: number; ticket: string } }).data;
};
