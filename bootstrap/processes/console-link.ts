import { isRefusal } from '#domain';
import type { Actor } from '../../application/audit/audit-log.ts';
import type { Composed } from '../composition/compose.ts';
import { PEOPLE_NEEDS } from '../composition/console-needs.ts';
import { composePeople, managePeople } from '../composition/people.ts';
import { people } from '../composition/ports.ts';

const SERVICE: Actor = { kind: 'service', name: null, address: null, requestId: null };

/** Who enters by the link of a start. A later start gives the same person a new one. */
const NAME = 'Demonstração';

/** Makes the link that a start in the test environment prints: it enters the console once. */
export const makeConsoleLink = async (service: Composed, publicUrl: string): Promise<string> => {
  const manage = composePeople(service.pick(PEOPLE_NEEDS)).get(managePeople);
  const all = await service.get(people).list();
  const known = all.find(
    ({ name, email, isActive }) => name === NAME && email === null && isActive,
  );
  const invited = known
    ? await manage.inviteAgain(known.personId, SERVICE)
    : await manage.addWithLink({ name: NAME, role: 'admin', channelLink: null }, SERVICE);
  if (isRefusal(invited)) throw new Error(`no link to the console: ${invited.kind}`);
  return `${publicUrl}/console/enter/${invited.code}`;
};
