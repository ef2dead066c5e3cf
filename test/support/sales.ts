import {
  type CalendarDate,
  cents,
  type Offer,
  parseTaxId,
  type Quote,
  quote,
  rate,
  type SaleTerms,
  type TaxId,
} from '@insurance-sales/domain';
import { TICKET_PRODUCT } from './catalogue.ts';

const offer: Offer = { product: TICKET_PRODUCT, plan: TICKET_PRODUCT.plans[0], commissionRate: rate(200_000) };

/** The terms of a plausible ticket sale. */
export const terms = (over: Partial<SaleTerms> = {}): SaleTerms => ({
  channelLink: 'canal-demo',
  clientId: 'client-1',
  product: { id: 1, code: 'INGRESSO', line: 'event_ticket' },
  plan: { id: 11, code: 'PADRAO' },
  insured: {
    name: 'Zoë d’Ávila Müller Þórsdóttir 🎸 Жанна',
    socialName: 'Zô',
    taxId: parseTaxId('52998224725') as TaxId,
    birthDate: '1990-05-17' as CalendarDate,
    email: 'zoe@example.com',
    phone: '+55 (11) 98765-4321',
    address: { street: 'Rua das Flores, 100', district: 'Centro', city: 'São Paulo', state: 'SP', postcode: '01001000' },
  },
  insuredObject: { ticketType: 'vip', ticketNumber: 'A-1', eventDate: '2026-12-31' },
  insuredAmount: cents(188_600),
  quote: quote(offer, { on: '2026-11-20' as CalendarDate, declaredPrice: cents(18_860) }) as Quote,
  period: { start: '2026-11-20' as CalendarDate, end: '2026-12-31' as CalendarDate },
  payment: { method: 'pix', paidOn: '2026-11-20' as CalendarDate },
  soldOn: '2026-11-20' as CalendarDate,
  ...over,
});
