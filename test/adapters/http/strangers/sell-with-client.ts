/** Sells all four products with the client, as its README says. */
// A partner imports '@insurance-sales/client'.
import { createInsuranceClient, detailsOf, isCode } from '../../../../adapters/client/src/index.ts';

const { API = '', CHANNEL_LINK = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const RUN = crypto.randomUUID().slice(0, 8); // In a shop: the number of the order.

/** A day in São Paulo, so many days from today. */
const day = (offset: number): string =>
  new Date(Date.now() + offset * 86_400_000 - 3 * 3_600_000).toISOString().slice(0, 10);

const say = (...words: readonly unknown[]): void => {
  process.stdout.write(`${words.join(' ')}\n`);
};

const client = createInsuranceClient({
  baseUrl: API,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
});

const { data: products } = await client.listProducts();
say('logged in');
const ids = new Map(products.map(({ code, id }) => [code, id]));
say('products', ...[...ids.keys()].sort());

const ticketSale = (name: string) => ({
  externalSaleId: `${RUN}-${name}`,
  productId: ids.get('INGRESSO') ?? 0,
  channelLink: CHANNEL_LINK,
  nomeCompleto: 'Maria da Silva',
  cpfCnpj: '52998224725',
  dataNascimento: '1990-05-17',
  email: 'maria@example.com',
  telefone: '11987654321',
  logradouro: 'Rua das Flores, 100',
  bairro: 'Centro',
  cidade: 'São Paulo',
  uf: 'SP' as const,
  cep: '01001000',
  dataPagamento: day(0),
  formaPagamento: 'pix' as const,
  tipoIngresso: 'inteira' as const,
  numeroIngresso: 'ABC-123',
  dataEvento: day(30),
  valorIngresso: 1_886,
  valorSeguro: 188.6,
});

const ticket = await client.createIngressoSale(ticketSale('ticket'));
say('INGRESSO', ticket.data.status);

const again = await client.createIngressoSale(ticketSale('ticket'));
const isSame = again.data.transaction_id === ticket.data.transaction_id;
say('repeated', detailsOf(again).isReplayed, isSame ? 'the same sale' : 'another sale');

try {
  await client.createIngressoSale({ ...ticketSale('corrected'), cpfCnpj: '52998224726' });
} catch (error) {
  if (!isCode(error, 'validation_failed')) throw error;
  const [[field, codes] = []] = Object.entries(error.fields);
  say('faulty', error.status, `${field}=${codes}`);
}
const corrected = await client.createIngressoSale(ticketSale('corrected'));
say('corrected', corrected.data.status);

const card = (number: string) => ({
  flag: 'visa',
  number,
  cvv: '123',
  expiryMonth: '12',
  expiryYear: '39',
});

const iofRate = products.find(({ code }) => code === 'ARTISTA')?.iof_rate ?? 0;
const artist = await client.createArtistaSale({
  externalSaleId: `${RUN}-artist`,
  productId: ids.get('ARTISTA') ?? 0,
  channelLink: CHANNEL_LINK,
  nameOrRazao: 'Maria da Silva',
  cpfOrCnpj: '52998224725',
  birthDate: '1990-05-17',
  email: 'maria@example.com',
  phone: '11987654321',
  eventName: 'Festival',
  venueName: 'Parque',
  eventDescription: 'Apresentação musical',
  assemblyStartDate: day(10),
  eventStartDate: day(11),
  eventEndDate: day(12),
  disassemblyEndDate: day(13),
  standArea: 20,
  lossLimit: 10_000,
  premiumNet: 100,
  premiumTaxes: Math.round(100 * iofRate) / 100,
  address: {
    street: 'Rua das Flores',
    number: '100',
    district: 'Centro',
    city: 'São Paulo',
    state: 'SP',
    postcode: '01001000',
    ibgeCode: '3550308',
  },
  payment: { modeCode: '2', totalInstallmentNumber: 1, creditCard: card('4111111111111111') },
});
say('ARTISTA', artist.response.data.status);

const phoneSale = (name: string) => ({
  externalSaleId: `${RUN}-${name}`,
  productId: ids.get('CELULAR') ?? 0,
  channelLink: CHANNEL_LINK,
  plan: { code: 'ANUAL' },
  nameOrRazao: 'Maria da Silva',
  cpfOrCnpj: '52998224725',
  email: 'maria@example.com',
  phone: '11987654321',
});

const phone = await client.createCelularSale(phoneSale('phone-link'));
say('CELULAR', phone.data.status);
// Only in the test environment: a program pays as the customer would.
const form = new URLSearchParams({ action: 'pay', method: 'pix' });
await (await fetch(phone.link ?? '', { method: 'POST', body: form })).text();
while ((await client.getCelularStatus(`${RUN}-phone-link`)).data.status !== 'issued')
  await new Promise((resolve) => setTimeout(resolve, 100));
say('CELULAR issued, paid at the link');

try {
  const creditCard = card('4000000000000002');
  await client.createCelularSale({ ...phoneSale('phone-declined'), creditCard });
} catch (error) {
  if (!isCode(error, 'card_declined', 'insufficient_funds')) throw error;
  say('declined', error.status, error.code);
}
const creditCard = card('4111111111111111');
const paid = await client.createCelularSale({ ...phoneSale('phone-card'), creditCard });
say('CELULAR', paid.data.status, 'by card');

const trip = await client.createSale({
  externalSaleId: `${RUN}-trip`,
  product: { code: 'LUA_DE_MEL' },
  insured: { name: 'Maria da Silva', cpfOrCnpj: '52998224725', email: 'maria@example.com' },
  coverage: { startDate: day(20), endDate: day(34) },
  payment: { status: 'paid', method: 'pix' },
});
say('LUA_DE_MEL', trip.data.status);

const preview = await client.cancelSale(`${RUN}-trip`, { preview: true });
const refundTotal = preview.response.data.cancellation.refund.total;
const cancelled = await client.cancelSale(`${RUN}-trip`, { refundTotal });
const isAll = refundTotal === trip.data.amounts.total;
say(cancelled.response.data.status, isAll ? 'everything goes back' : refundTotal);

const seen = new Set<string>();
const controller = new AbortController();
const options = { everyMs: 100, signal: controller.signal };
for await (const { type, data } of client.followEvents({ limit: 200 }, options)) {
  if (!('external_sale_id' in data) || !data.external_sale_id?.startsWith(RUN)) continue;
  seen.add(data.external_sale_id.slice(RUN.length + 1));
  if (type === 'sale.cancelled') break;
}
say('feed', ...[...seen].sort());
