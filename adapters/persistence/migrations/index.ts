import { FirstSale } from './0001-first-sale.ts';

/** In the order in which they run. A migration that has been released is never edited. */
export const MIGRATIONS = [{ name: '0001-first-sale', class: FirstSale }];
