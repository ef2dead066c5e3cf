import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AuditEntry } from '../../application/audit/audit-log.ts';
import { personSubject } from '../../application/people/people.ts';
import { AT, entry } from '../support/identity.ts';
import { person } from '../support/people.ts';
import { overEveryStore } from '../support/stores.ts';

const CREDENTIALS = {
  ...{ passphraseHash: 'argon2id$1$1$a$b', sealedCodeSecret: '1.key.sealed', lastStep: 58_000_000 },
  recoveryHashes: ['one', 'two'],
  ...{ wrongCodes: 3, pausedUntil: AT },
};

overEveryStore('the people of the console', (store) => {
  const about = (personId: string, over: Partial<AuditEntry> = {}): AuditEntry =>
    entry({ action: 'person.added', subject: personSubject({ personId }), ...over });
  const entriesOf = (personId: string) =>
    store().auditLog.list({ subject: personSubject({ personId }), limit: 10 });

  it('are found by id, e-mail and link, as they were saved last', async () => {
    const id = randomUUID();
    const link = { hash: `hash ${id}`, kind: 'invitation', expiresAt: AT } as const;
    const added = person(id, { link });
    expect(await store().people.add(added, about(id))).to.equal('added');
    for (const [by, value] of [
      ['personId', id],
      ['email', added.email],
      ['link', link.hash],
    ] as const)
      expect(await store().people.find(by, value ?? ''), by).to.deep.equal(added);

    const joined = { ...added, link: null, credentials: CREDENTIALS, name: 'Ana Lima e Silva' };
    const changed = { ...joined, role: 'partner', channelLink: 'loja', isActive: false } as const;
    expect(await store().people.save(changed, about(id, { action: 'person.changed' }))).to.equal(
      'saved',
    );
    expect(await store().people.find('personId', id)).to.deep.equal({ ...changed, version: 2 });
    expect(await store().people.find('link', link.hash)).to.equal(undefined);
    expect((await entriesOf(id)).map(({ action }) => action)).to.deep.equal([
      'person.changed',
      'person.added',
    ]);
  });

  it('are added once, by id and by e-mail; several have none', async () => {
    const [id, other] = [randomUUID(), randomUUID()];
    const added = person(id);
    await store().people.add(added, about(id));
    expect(await store().people.add(person(id, { email: null }), about(id))).to.equal('duplicate');
    const same = person(other, { email: added.email });
    expect(await store().people.add(same, about(other))).to.equal('duplicate');
    expect(await entriesOf(other)).to.deep.equal([]);
    for (const each of [randomUUID(), randomUUID()])
      expect(await store().people.add(person(each, { email: null }), about(each))).to.equal(
        'added',
      );
  });

  it('are saved only as they were read: of two at the same time one is stale', async () => {
    const id = randomUUID();
    await store().people.add(person(id), about(id));
    const saves = ['Ana', 'Bia'].map((name) =>
      store().people.save(person(id, { name }), about(id, { action: 'person.changed' })),
    );
    expect((await Promise.all(saves)).sort()).to.deep.equal(['saved', 'stale']);
    expect(await entriesOf(id)).to.have.length(2);
    const nobody = person(randomUUID());
    expect(await store().people.save(nobody, null)).to.equal('stale');
  });

  it('keep e-mail and time of creation, and are saved without an entry where none is given', async () => {
    const id = randomUUID();
    const added = person(id);
    await store().people.add(added, about(id));
    const other = { email: null, createdAt: '2026-11-21T15:00:00.000Z' as typeof AT };
    expect(await store().people.save({ ...added, ...other }, null)).to.equal('saved');
    expect(await store().people.find('personId', id)).to.deep.equal({ ...added, version: 2 });
    expect(await entriesOf(id)).to.have.length(1);
  });

  it('are listed in the order of creation', async () => {
    const at = (day: number) => `2030-01-0${day}T00:00:00.000Z` as typeof AT;
    const ids = [3, 1, 2].map((day) => ({ id: randomUUID(), day }));
    for (const { id, day } of ids)
      await store().people.add(person(id, { createdAt: at(day) }), about(id));
    const listed = (await store().people.list()).filter(({ createdAt }) => createdAt > at(0));
    expect(listed.map(({ createdAt }) => createdAt)).to.deep.equal([at(1), at(2), at(3)]);
  });
});
