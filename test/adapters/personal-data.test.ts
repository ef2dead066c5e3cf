import { expect } from 'chai';
import { PERSONAL_DATA } from '../../adapters/persistence/schema/personal-data.ts';
import { SALE, saleOrder } from '../support/generic-sales.ts';
import { address, artistOrderToday, byCard, phoneOrder } from '../support/orders.ts';
import { rowsIn } from '../support/postgres.ts';
import { LocalService, Partner } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';
import { inDays } from '../support/today.ts';
import { Visitor } from '../support/visitor.ts';

/** What identifies the people of this test. Where one of these stands in a row, a person does. */
const KNOWN = [
  ...['zuleika', 'quiteria', 'quitéria', '52998224725', '11144477735', '987654321', '912345678'],
  ...['1931-03-07', '1962-08-09', 'rua das flores', '203.0.113.77', '198.51.100.9'],
];

/** The holder of the card, who must be found nowhere. */
const HOLDER = { name: 'Hermengarda Dias', document: '39053344705' };

/** The end of a column's or property's name that may be one of a person. */
const PERSONAL_NAME =
  /[._a-z](?:name|mail|phone|tax_?id|cpf|cnpj|birth_?date|born_?on|address|ip|agent|holder|person|document|note|description)s?$/i;

/** Places with such a name that say nothing about a person. */
const OTHER_NAMES = [
  ...['product.definition', 'channel.definition', 'catalogue_version'],
  ...['sale.terms.product.name', 'sale.terms.channelName', 'sale.terms.quote', 'sale.lease_holder'],
  ...['provider_record.content', 'mikro_orm_migrations'],
];

const insured = {
  name: 'Zuleika de Souza',
  socialName: 'Zuleika Souza',
  cpfOrCnpj: '529.982.247-25',
  email: 'zuleika@example.com',
  phone: '11987654321',
  birthDate: '1931-03-07',
  address,
};

const companion = {
  name: 'Quitéria de Souza',
  cpfOrCnpj: '11144477735',
  birthDate: '1962-08-09',
  email: 'quiteria@example.com',
  phone: '11912345678',
};

/** Enters the console, and invites a person, from a browser that says who uses it. */
const workInConsole = async (base: string, link: string): Promise<void> => {
  const visitor = new Visitor(base);
  const headers = {
    ...{ 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': '198.51.100.9' },
    'User-Agent': 'Netscape of Zuleika',
  };
  await visitor.post(new URL(link).pathname, {}, headers);
  const asked = { name: 'Zuleika de Souza', email: 'zuleika@example.com', role: 'support' };
  const invited = await visitor.post('/console/people/new', asked, headers);
  if (invited.status !== 303) throw new Error(`the invitation was answered ${invited.status}`);
};

/** Lets customers, a partner and an administrator do what leaves something about them. */
const actWithPeople = async (service: LocalService, url: string): Promise<void> => {
  const partner = new Partner(service.baseUrl, service.credentials('Demo partner'));
  const administrator = new Partner(service.baseUrl, service.credentials('Administrator'));
  const [sells, administers] = [await partner.token(), await administrator.token()];
  const send = async (token: string, path: string, body: object): Promise<void> => {
    const headers = { 'X-Forwarded-For': '198.51.100.9' };
    const init = { method: 'POST', body: JSON.stringify(body), headers };
    const answer = await partner.call(path, token, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${text}`);
  };
  const acceptance = {
    ...{ acceptedAt: new Date().toISOString(), termsVersion: '1', termsHash: 'ab'.repeat(32) },
    ...{ ipAddress: '203.0.113.77', userAgent: 'Netscape of Zuleika' },
  };
  const named = { nameOrRazao: insured.name, nomeSocial: insured.socialName, email: insured.email };
  const card = byCard({}, { holder: HOLDER });
  await send(sells, SALE, {
    ...saleOrder({ insured, acceptance, additionalInsured: [companion] }),
    attributes: { destination: 'Casa da Zuleika' },
    payment: { status: 'paid', method: 'pix', paidAt: inDays(0) },
  });
  await send(
    sells,
    SALE,
    saleOrder({ externalSaleId: 'link', insured, payment: { status: 'pending', method: 'pix' } }),
  );
  await send(
    sells,
    '/seguros/artista-protegido/create',
    artistOrderToday({ ...named, payment: card }),
  );
  await send(sells, '/seguros/seguro-celular/create', phoneOrder({ ...named, address }));
  await within(
    () => rowsIn(url, "select from mailing where status = 'sent' and sale_id = 1"),
    ({ length }) => length === 1,
  );
  await send(sells, `${SALE}/order-1/correct-email`, { email: 'z.quiteria@example.com' });
  await send(sells, `${SALE}/order-1/second-copy`, {});
  await send(sells, `${SALE}/order-1/cancel`, { reason: 'customer_request' });
  await send(sells, '/private/integration/webhooks', {
    url: 'https://zuleika.example/eventos',
    events: ['sale.paid'],
    description: 'Zuleika',
  });
  await send(administers, '/admin/api-clients', { name: 'Zuleika', channelLink: 'canal-demo' });
  await workInConsole(new URL(service.baseUrl).origin, await service.consoleLink());
};

/** Each place in which something stands, with all that stands there. */
const contentOf = async (url: string): Promise<ReadonlyMap<string, string>> => {
  const columns = await rowsIn<{ place: string }>(
    url,
    `select table_name || '.' || column_name as place from information_schema.columns
     where table_schema = 'public'`,
  );
  const content = new Map(columns.map(({ place }) => [place, '']));
  const read = (place: string, value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) read(`${place}.*`, item);
    else if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value)) read(`${place}.${name}`, part);
    else content.set(place, `${content.get(place) ?? ''} ${value}`.toLowerCase());
  };
  const tables = await rowsIn<{ schema: string; name: string }>(
    url,
    `select schemaname as schema, tablename as name from pg_tables
     where schemaname in ('public', 'jobs')`,
  );
  for (const { schema, name } of tables)
    for (const { row } of await rowsIn<{ row: object }>(
      url,
      `select to_jsonb(each) as row from ${schema}.${name} each`,
    ))
      read(schema === 'public' ? name : `${schema}.${name}`, row);
  return content;
};

/** A tax id is also known by its digits alone. */
const names = (content: string, known: string): boolean =>
  content.includes(known) || content.replaceAll(/[.\-/]/g, '').includes(known);

const isIn = (places: readonly string[]) => (place: string) =>
  places.some((each) => `${place}.`.startsWith(`${each}.`));

const isMapped = isIn(PERSONAL_DATA.flatMap(({ places }) => places));

describe('the map of personal data', () => {
  let service: LocalService;
  let content: ReadonlyMap<string, string>;
  let found: readonly string[];

  before(async () => {
    const url = await sharedPostgres.migratedDatabase();
    const environment = { DATABASE_URL: url, DATA_DIR: 'memory:', TRUST_PROXY: 'loopback' };
    service = await LocalService.start(environment);
    await actWithPeople(service, url);
    content = await contentOf(url);
    found = [...content].flatMap(([place, text]) =>
      KNOWN.some((each) => names(text, each)) ? [place] : [],
    );
  });
  after(() => service.end());

  it('has each place in which a person is found', () => {
    expect(found).to.include.members(['sale.terms.insured.email', 'audit_entry.address']);
    expect(found.filter((place) => !isMapped(place))).to.deep.equal([]);
  });

  it('has each place whose name is one of a person', () => {
    const isOther = isIn(OTHER_NAMES);
    const places = [...content.keys()].filter(
      (place) => PERSONAL_NAME.test(place) && !place.startsWith('jobs.'),
    );
    expect(places.filter((place) => !isMapped(place) && !isOther(place))).to.deep.equal([]);
  });

  it('has no column that there is not', () => {
    const columns = [...content.keys()];
    for (const { places } of PERSONAL_DATA)
      for (const place of places) expect(columns).to.include(place.split('.', 2).join('.'));
  });

  it("needs no place for a card's holder", () => {
    for (const [place, text] of content)
      for (const each of ['hermengarda', HOLDER.document])
        expect(names(text, each), place).to.equal(false);
  });
});
