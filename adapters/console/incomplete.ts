import { type Places, readPlaces } from '../../application/groups/merge-lists.ts';
import { Unavailable } from '../../application/unavailable.ts';
import { type Html, html } from '../kit/web/pages/html.ts';
import { isSerialNumber } from '../kit/web/pipeline/list-answers.ts';
import type { OwnVisit } from './visit.ts';

/** Where a list goes on in each group of channels, as an address says it. */
export const placesIn = (visit: OwnVisit): Places =>
  readPlaces(visit.query('after') ?? '', isSerialNumber) ?? new Map();

/** Says which groups of channels a page lacks, because they are out of reach. */
export const renderIncomplete = (groups: readonly number[]): Html =>
  html`${groups.length > 0 && html`<p class="note" role="status">Incompleto: ${groups.length === 1 ? 'o grupo' : 'os grupos'} ${groups.join(', ')} dos canais não responde${groups.length === 1 ? '' : 'm'} agora.</p>`}`;

/** A file lacks nothing. @throws Unavailable */
export const refuseIncomplete = (groups: readonly number[]): void => {
  if (groups.length > 0) throw new Unavailable('a group of channels is out of reach');
};
