import {
  type Address,
  type CalendarDate,
  CardNumber,
  cents,
  type Email,
  type Phone,
  parseTaxId,
  type Sale,
  type ServicePayment,
  type TaxId,
} from '#domain';
import { receivedOf, type SandboxCharge } from '../../adapters/payment/sandbox/sandbox-ledger.ts';
import { type CardHolder, PaymentCard } from '../../application/payments/payment-card.ts';
import type { Payments } from '../../application/payments/payments.ts';
import type { SaleRequest } from '../../application/sales/sale-request.ts';
import type { SellOutcome } from '../../application/selling/sell.ts';
import type { Fakes } from '../../bootstrap/composition/compose.ts';
import { type MemoryService, memoryService } from '../../bootstrap/composition/memory.ts';
import { DEMO_CHANNEL } from '../../bootstrap/processes/demo-catalogue.ts';
import { loadDemoCatalogue } from '../../bootstrap/processes/first-run.ts';
import { saveVersion, versionAt } from './catalogue.ts';
import { AT } from './identity.ts';
import { terms } from './sales.ts';

const day = (text: string): CalendarDate => text as CalendarDate;

const insured = {
  name: 'Maria da Silva',
  taxId: parseTaxId('52998224725') as TaxId,
  birthDate: day('1990-05-17'),
  email: 'maria@example.com' as Email,
  phone: '11987654321' as Phone,
};

/** Where the insured lives. */
export const HOME = terms().insured.address as Address;

export const cardOf = (
  number = '4111111111111111',
  holder: Pick<CardHolder, 'phone' | 'address'> = { phone: insured.phone, address: HOME },
): PaymentCard =>
  new PaymentCard(
    {
      number: CardNumber.parse(number) as CardNumber,
      cvv: '987',
      expiryMonth: '12',
      expiryYear: '2030',
    },
    { name: insured.name, taxId: insured.taxId, email: insured.email, ...holder },
  );

const client = { clientId: 'client-1', channelLink: 'canal-demo' };

const paidBy = (
  method: ServicePayment['method'] | undefined,
  over: Partial<ServicePayment> = {},
): ServicePayment => ({
  collectedBy: 'service',
  installments: 1,
  ...(method && { method }),
  ...over,
});

/** Artista Protegido: quotation, proposal, charge, policy. */
export const artistSale = (
  method: 'credit' | 'boleto',
  over: Partial<SaleRequest> = {},
): SaleRequest => ({
  ...{
    client,
    channelLink: 'canal-demo',
    line: 'artist',
    product: { id: 2 },
    insured,
    insuredObject: { eventName: 'Show' },
  },
  declaredPrice: cents(10_000),
  declaredPeriod: { start: day('2026-12-01'), end: day('2026-12-04') },
  payment: paidBy(method, { underwriting: 'before_payment' }),
  ...over,
});

/** Seguro Celular: charge, policy. */
export const phoneSale = (
  method?: 'credit' | 'boleto',
  over: Partial<SaleRequest> = {},
): SaleRequest => ({
  ...{
    client,
    channelLink: 'canal-demo',
    line: 'mobile_phone',
    product: { id: 3 },
    insured,
    insuredObject: { brand: 'X' },
  },
  payment: paidBy(method),
  ...over,
});

/** A sale of Ingresso Protegido; the channel collects the payment. */
export const ticketSale = (over: Partial<SaleRequest> = {}): SaleRequest => ({
  ...phoneSale(),
  ...{
    line: 'event_ticket',
    product: { id: 1 },
    insuredObject: { ticketNumber: 'A-1' },
    insuredAmount: cents(188_600),
  },
  eventOn: day('2026-12-31'),
  payment: { collectedBy: 'channel', method: 'pix', paidOn: day('2026-11-20') },
  ...over,
});

/** The four ways to pay the service. */
export const WAYS: readonly {
  readonly name: string;
  readonly request: () => SaleRequest;
  readonly card?: string;
}[] = [
  {
    name: 'Artista Protegido by card',
    request: () => artistSale('credit'),
    card: '4111111111111111',
  },
  { name: 'Artista Protegido by boleto', request: () => artistSale('boleto') },
  { name: 'Seguro Celular by card', request: () => phoneSale('credit'), card: '4111111111111111' },
  { name: 'Seguro Celular by link', request: () => phoneSale() },
];

export const world = async (fakes: Fakes = {}): Promise<MemoryService> => {
  const found = memoryService(fakes) as unknown as MemoryService;
  await loadDemoCatalogue(found.useCases);
  return found;
};

/** A service in memory with a channel that sells nothing yet, and no other entry of the catalogue. */
export const channelWorld = async (fakes: Fakes = {}): Promise<MemoryService> => {
  const found = memoryService(fakes) as unknown as MemoryService;
  await saveVersion(found.catalogue, versionAt({ ...DEMO_CHANNEL, grants: [] }, AT));
  return found;
};

/** New charges are made at another gateway from now on, which must not be asked about earlier sales. */
export const chargeElsewhere = ({ gateways }: Pick<MemoryService, 'gateways'>): void => {
  const other = new Proxy({} as Payments, {
    get: (_, name) => {
      if (name === 'name') return 'other';
      // What it can do is asked for each order, a repeated one too.
      if (name === 'authorizesUpTo') return undefined;
      throw new Error(`the gateway of new charges is asked: ${String(name)}`);
    },
  });
  Object.assign(gateways, { standard: other, ofChannel: () => other });
};

export const soldIn = (outcome: SellOutcome): Sale => {
  if (outcome.kind !== 'sold') throw new Error(`not sold: ${JSON.stringify(outcome)}`);
  return outcome.sale;
};

/** Runs the due jobs once a minute, until none is left or `minutes` have passed. */
export const letTimePass = async (
  { clock, sales, undelivered, runJobs }: MemoryService,
  minutes = 10,
): Promise<void> => {
  for (
    let minute = 0;
    minute < minutes && (sales.due.length > 0 || undelivered.length > 0);
    minute += 1
  ) {
    clock.advance(60);
    await runJobs();
  }
};

/** Lets the payer of a boleto name an account for its refund. */
export const nameAccounts = async (
  here: MemoryService,
  { id }: Pick<Sale, 'id'>,
): Promise<void> => {
  for (const charge of await here.sandbox.chargesOf(id))
    await here.sandbox.endRefund(charge.id, true);
  await letTimePass(here);
};

/** What a charge has brought and not given back, in cents. */
export const moneyIn = (charge: SandboxCharge): number =>
  charge.status === 'paid' ? receivedOf(charge) - charge.returned : 0;

/** @returns the amount charged and not refunded, in cents */
export const takenBy = (charges: readonly SandboxCharge[]): number =>
  charges.reduce((sum, charge) => sum + moneyIn(charge), 0);
