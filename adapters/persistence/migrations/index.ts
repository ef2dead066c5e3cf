import { FirstSale } from './0001-first-sale.ts';
import { EveryState } from './0002-every-state.ts';
import { Identity } from './0003-identity.ts';
import { Payment } from './0004-payment.ts';
import { GenericSale } from './0005-generic-sale.ts';
import { Certificates } from './0006-certificates.ts';
import { WritePath } from './0007-write-path.ts';
import { AsWritten } from './0008-as-written.ts';
import { NamesAndRoles } from './0009-expand-names-and-roles.ts';

/**
 * The migrations, in the order in which they run. A released migration is never edited.
 *
 * From 0009 on, the name says what it means for the version before, which runs beside the new one
 * while processes are replaced. `expand` only adds, so the version before keeps working. `contract`
 * removes what only older versions need: a version that does not know it refuses to start. A
 * release has one kind, not both.
 */
export const MIGRATIONS = [
  { name: '0001-first-sale', class: FirstSale },
  { name: '0002-every-state', class: EveryState },
  { name: '0003-identity', class: Identity },
  { name: '0004-payment', class: Payment },
  { name: '0005-generic-sale', class: GenericSale },
  { name: '0006-certificates', class: Certificates },
  { name: '0007-write-path', class: WritePath },
  { name: '0008-as-written', class: AsWritten },
  { name: '0009-expand-names-and-roles', class: NamesAndRoles },
];
