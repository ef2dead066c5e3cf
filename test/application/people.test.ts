import { expect } from 'chai';
import { type Email, isRefusal, unwrap } from '#domain';
import { later } from '../../application/clock.ts';
import { isProved, type Started } from '../../application/people/keep-sessions.ts';
import { LINK_MS } from '../../application/people/manage-people.ts';
import { makeResealCodes } from '../../application/people/reseal-codes.ts';
import { may, ROLES } from '../../application/people/roles.ts';
import { IDLE_MS } from '../../application/people/sessions.ts';
import { memoryService } from '../../bootstrap/composition/memory.ts';
import { DEMO_CHANNEL } from '../../bootstrap/processes/demo-catalogue.ts';
import { loadDemoCatalogue } from '../../bootstrap/processes/first-run.ts';
import { ADMINISTRATOR } from '../support/identity.ts';
import { ANA, codeOf, FROM, PASSPHRASE, peopleOver } from '../support/people.ts';

const EMAIL = 'Ana@Example.com' as Email;

const open = async () => {
  const pauses: number[] = [];
  const timers = { every: () => () => {}, pause: async (ms: number) => void pauses.push(ms) };
  const service = memoryService({ timers });
  await loadDemoCatalogue(service.useCases);
  const uses = peopleOver(service as never);
  const { managePeople, join, signIn, oneTimeCodes } = uses;
  const now = () => service.clock.now();
  const secret = oneTimeCodes.makeSecret();
  const code = () => codeOf(secret, now());
  const choice = () => ({ passphrase: PASSPHRASE, codeSecret: secret, code: code() });
  /** Invites and lets join. */
  const joined = async () => {
    const invited = unwrap(await managePeople.invite({ ...ANA, email: EMAIL }, ADMINISTRATOR));
    const first = unwrap(await join.accept(invited.code, choice(), FROM));
    service.clock.advance(60);
    return { ...first, linkCode: invited.code };
  };
  const enter = (over: object = {}) =>
    signIn.withPassphrase(
      { email: 'ana@example.com', passphrase: PASSPHRASE, code: code(), ...over },
      FROM,
    );
  const secretOf = (outcome: Awaited<ReturnType<typeof enter>>) =>
    unwrap(outcome as Started).secret;
  const actions = async () =>
    (await service.auditLog.list({ limit: 100 }))
      .map(({ action }) => action)
      .filter((action) => /^(person|session)\./.test(action));
  const { clock, auditLog, sessions, people, secretSeal } = service;
  const asStored = async (personId: string) =>
    (await people.find('personId', personId)) ?? { ...ANA, isActive: true };
  return {
    ...{ ...uses, clock, auditLog, sessions, people, secretSeal },
    ...{ asStored, pauses, now, secret, code, choice, joined, enter, secretOf, actions },
  };
};

describe('inviting a person', () => {
  it('makes a link with which it chooses passphrase and app, once, within a day', async () => {
    const { managePeople, join, choice, clock, auditLog } = await open();
    const asked = { ...ANA, email: EMAIL };
    const { person, code } = unwrap(await managePeople.invite(asked, ADMINISTRATOR));
    expect(person).to.include({ name: 'Ana Lima', email: 'ana@example.com', credentials: null });
    expect(await join.read(code)).to.include({ personId: person.personId });
    const first = unwrap(await join.accept(code, choice(), FROM));
    expect(first.person.name).to.equal('Ana Lima');
    expect(new Set(first.recoveryCodes).size).to.equal(10);
    for (const each of first.recoveryCodes) expect(each).to.match(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    expect(await join.read(code)).to.equal(undefined);
    expect(await join.accept(code, choice(), FROM)).to.include({ kind: 'link_unknown' });
    const again = unwrap(await managePeople.inviteAgain(person.personId, ADMINISTRATOR));
    clock.advance(LINK_MS / 1_000);
    expect(await join.accept(again.code, choice(), FROM)).to.include({ kind: 'link_unknown' });
    expect(JSON.stringify(await auditLog.list({ limit: 100 }))).not.to.include('hash');
  });

  it('names each fault of what was chosen, and leaves the link', async () => {
    const { managePeople, join, choice } = await open();
    const { code } = unwrap(await managePeople.invite({ ...ANA, email: EMAIL }, ADMINISTRATOR));
    for (const [over, faults] of [
      [{ passphrase: 'onze letras' }, ['passphrase_too_short']],
      [{ passphrase: '🦜'.repeat(11) }, ['passphrase_too_short']],
      [{ passphrase: 'a'.repeat(201) }, ['passphrase_too_long']],
      [{ code: '000000' }, ['code_wrong']],
      [{ codeSecret: 'AAAA', passphrase: '' }, ['passphrase_too_short', 'code_wrong']],
    ] as const)
      expect(await join.accept(code, { ...choice(), ...over }, FROM)).to.deep.include({ faults });
    expect(isRefusal(await join.accept(code, choice(), FROM))).to.equal(false);
  });

  it('joins once, of two at the same time', async () => {
    const { managePeople, join, choice } = await open();
    const { code } = unwrap(await managePeople.invite({ ...ANA, email: EMAIL }, ADMINISTRATOR));
    const both = await Promise.all([1, 2].map(() => join.accept(code, choice(), FROM)));
    expect(both.filter((each) => isRefusal(each))).to.have.length(1);
  });

  it('again ends earlier passphrase, app and sessions, once the new ones are chosen', async () => {
    const { joined, managePeople, enter, keepSessions, join, choice, clock, code } = await open();
    const first = await joined();
    const again = unwrap(await managePeople.inviteAgain(first.person.personId, ADMINISTRATOR));
    expect(isRefusal(await enter())).to.equal(false);
    clock.advance(60);
    // Signing in has left the invitation.
    const chosen = { ...choice(), passphrase: 'outra frase bem longa' };
    expect(isRefusal(await join.accept(again.code, chosen, FROM))).to.equal(false);
    expect(await keepSessions.recognize(first.secret)).to.equal(undefined);
    clock.advance(60);
    expect(await enter({ code: code() })).to.include({ kind: 'sign_in_refused' });
    clock.advance(60);
    expect(isRefusal(await enter({ passphrase: chosen.passphrase, code: code() }))).to.equal(false);
  });

  it('is refused for an e-mail that is taken, and for a partner of no channel', async () => {
    const { joined, managePeople } = await open();
    await joined();
    const invite = (over: object) =>
      managePeople.invite({ ...ANA, email: 'b@example.com' as Email, ...over }, ADMINISTRATOR);
    expect(await invite({ email: 'ANA@example.com' })).to.include({ kind: 'person_email_taken' });
    for (const channelLink of [null, 'none'])
      expect(await invite({ role: 'partner', channelLink })).to.include({
        kind: 'person_channel_unknown',
      });
    const { channelLink } = DEMO_CHANNEL;
    expect(unwrap(await invite({ role: 'partner', channelLink })).person).to.include({
      channelLink,
    });
    const staff = unwrap(await invite({ email: 'c@example.com', channelLink }));
    expect(staff.person.channelLink).to.equal(null);
    expect(await managePeople.inviteAgain('nobody', ADMINISTRATOR)).to.include({
      kind: 'person_unknown',
    });
  });
});

describe('changing a person', () => {
  it('is in force at once: its sessions end where it may no longer enter', async () => {
    const { joined, managePeople, keepSessions, enter, clock, asStored } = await open();
    const { person, secret } = await joined();
    const change = async (over: object) =>
      managePeople.change(
        person.personId,
        { ...ANA, isActive: true, ...over, seen: await asStored(person.personId) },
        { personId: 'another', actor: ADMINISTRATOR },
      );
    expect(await change({ name: 'Ana B.', role: 'support' })).to.include({ name: 'Ana B.' });
    expect((await keepSessions.recognize(secret))?.person.role).to.equal('support');
    await change({ isActive: false });
    expect(await keepSessions.recognize(secret)).to.equal(undefined);
    expect(await enter()).to.include({ kind: 'sign_in_refused' });
    expect(await managePeople.inviteAgain(person.personId, ADMINISTRATOR)).to.include({
      kind: 'person_unknown',
    });
    // The session has ended for good.
    await change({ isActive: true });
    expect(await keepSessions.recognize(secret)).to.equal(undefined);
    clock.advance(60);
    expect(isRefusal(await enter())).to.equal(false);
    expect(await change({ role: 'partner' })).to.include({ kind: 'person_channel_unknown' });
  });

  it('is in force where the process dies before it ends the sessions', async () => {
    const { joined, people, keepSessions } = await open();
    const { person, secret } = await joined();
    const stored = await people.find('personId', person.personId);
    if (stored) await people.save({ ...stored, isActive: false }, null);
    expect(await keepSessions.recognize(secret)).to.equal(undefined);
  });

  it('is refused where another change came first: a form shows a person as it was', async () => {
    const { joined, managePeople, people } = await open();
    const { personId } = (await joined()).person;
    const by = { personId: 'another', actor: ADMINISTRATOR };
    const seen = { ...ANA, isActive: true };
    await managePeople.change(personId, { ...ANA, isActive: false, seen }, by);
    const renamed = { ...ANA, name: 'Ana B.', isActive: true, seen };
    expect(await managePeople.change(personId, renamed, by)).to.include({
      kind: 'person_has_changed',
    });
    expect(await people.find('personId', personId)).to.include({
      name: 'Ana Lima',
      isActive: false,
    });
  });

  it('takes neither role nor entry from oneself, so that an administrator is left', async () => {
    const { joined, managePeople } = await open();
    const { personId } = (await joined()).person;
    const by = { personId, actor: ADMINISTRATOR };
    for (const over of [{ role: 'support' }, { isActive: false }] as const)
      expect(
        await managePeople.change(
          personId,
          { ...ANA, isActive: true, ...over, seen: { ...ANA, isActive: true } },
          by,
        ),
      ).to.include({ kind: 'own_person' });
    const renamed = { ...ANA, name: 'Ana B.', isActive: true, seen: { ...ANA, isActive: true } };
    expect(await managePeople.change(personId, renamed, by)).to.include({ name: 'Ana B.' });
    expect(await managePeople.change('nobody', renamed, by)).to.include({ kind: 'person_unknown' });
  });

  it('gives people and what is sold to administrators alone, and what the service knows to staff', () => {
    for (const right of ['people', 'catalogue', 'look', 'audit'] as const)
      expect(ROLES.filter((role) => may(role, right))).to.deep.equal(['admin']);
    for (const right of ['alerts', 'inspect'] as const)
      expect(ROLES.filter((role) => !may(role, right))).to.deep.equal(['partner']);
    expect(ROLES.filter((role) => !may(role, 'assist'))).to.deep.equal(['finance']);
    expect(ROLES.filter((role) => may(role, 'settle'))).to.deep.equal(['admin', 'support']);
  });
});

describe('signing in', () => {
  it('needs e-mail, passphrase and a code that was not used', async () => {
    const { joined, enter, code, secret, now, clock, keepSessions, secretOf } = await open();
    const { person } = await joined();
    const entered = await enter({ email: ' ANA@example.com ' });
    expect((await keepSessions.recognize(secretOf(entered)))?.person.personId).to.equal(
      person.personId,
    );
    expect(await enter(), 'the same code').to.include({ kind: 'sign_in_refused' });
    const earlier = codeOf(secret, later(now(), -30_000));
    expect(await enter({ code: earlier }), 'an earlier code').to.include({
      kind: 'sign_in_refused',
    });
    clock.advance(30);
    for (const wrong of [
      { email: 'x@example.com' },
      { passphrase: 'x' },
      { code: '1' },
      { email: '' },
    ])
      expect(await enter(wrong)).to.deep.equal({ refused: true, kind: 'sign_in_refused' });
    const spaced = code().replace(/(...)/, '$1 ');
    expect(isRefusal(await enter({ code: spaced }))).to.equal(false);
  });

  it('takes each recovery code once', async () => {
    const { joined, enter } = await open();
    const [first = '', second = ''] = (await joined()).recoveryCodes;
    expect(isRefusal(await enter({ code: first.toLowerCase().replaceAll('-', ' ') }))).to.equal(
      false,
    );
    expect(await enter({ code: first })).to.include({ kind: 'sign_in_refused' });
    expect(isRefusal(await enter({ code: second }))).to.equal(false);
  });

  it('takes one code once, of two at the same time', async () => {
    const { joined, enter } = await open();
    await joined();
    const both = await Promise.all([enter(), enter()]);
    expect(both.filter((each) => isRefusal(each))).to.have.length(1);
  });

  it('does the same work for an e-mail that nobody has, and writes both down', async () => {
    const { joined, enter, actions, auditLog } = await open();
    await joined();
    await enter({ email: 'nobody@example.com' });
    await enter({ passphrase: 'wrong' });
    expect((await actions()).slice(0, 2)).to.deep.equal(['session.refused', 'session.refused']);
    const [known, unknown] = await auditLog.list({ action: 'session.refused', limit: 2 });
    expect([known?.subject?.slice(0, 7), unknown?.subject]).to.deep.equal(['person/', null]);
    expect(JSON.stringify([known, unknown])).not.to.include('example.com');
  });

  it('pauses codes after ten wrong ones with the right passphrase, but not recovery codes', async () => {
    const { joined, enter, code, clock } = await open();
    const { recoveryCodes } = await joined();
    const [first = '', second = ''] = recoveryCodes;
    for (let tries = 0; tries < 9; tries += 1) await enter({ code: '000000' });
    expect(isRefusal(await enter()), 'nine were forgiven').to.equal(false);
    for (let tries = 0; tries < 10; tries += 1) await enter({ code: '000000' });
    clock.advance(61);
    // Wrong passphrases pause nothing, and end no pause.
    await enter({ passphrase: 'wrong', code: code() });
    expect(await enter({ code: code() }), 'the right code').to.include({ kind: 'sign_in_refused' });
    expect(isRefusal(await enter({ code: first }))).to.equal(false);
    for (let tries = 0; tries < 10; tries += 1) await enter({ code: '000000' });
    clock.advance(14 * 60);
    expect(await enter({ code: code() })).to.include({ kind: 'sign_in_refused' });
    clock.advance(61);
    expect(isRefusal(await enter({ code: code() }))).to.equal(false);
    expect(isRefusal(await enter({ code: second }))).to.equal(false);
  });

  it('slows one address down, and refuses a network after 30 tries a minute', async () => {
    const { joined, enter, pauses, signIn, code, clock } = await open();
    await joined();
    for (let tries = 0; tries < 30; tries += 1) await enter({ passphrase: 'wrong' });
    expect(pauses.slice(0, 6)).to.deep.equal([250, 500, 1_000, 2_000, 4_000, 5_000]);
    expect(await enter()).to.include({ kind: 'too_many_sign_ins', retryAfter: 60 });
    // From elsewhere the person gets in: nobody can lock another one out.
    const given = { email: EMAIL, passphrase: PASSPHRASE, code: code() };
    const elsewhere = { ...FROM, network: '198.51.100.1' };
    expect(isRefusal(await signIn.withPassphrase(given, elsewhere))).to.equal(false);
    clock.advance(61);
    expect(isRefusal(await enter())).to.equal(false);
  });

  it('writes at most 1,000 refusals a minute down', async () => {
    const { signIn, actions } = await open();
    const given = { email: 'x@example.com', passphrase: 'x', code: 'x' };
    for (let network = 0; network < 1_010; network += 1)
      await signIn.withPassphrase(given, { ...FROM, network: `net ${network}` });
    expect((await actions()).length).to.be.at.most(1_000);
  });

  it('by a link of the test environment works once', async () => {
    const { managePeople, signIn, keepSessions, join, now } = await open();
    const { code } = unwrap(await managePeople.addWithLink(ANA, ADMINISTRATOR));
    expect(await join.read(code), 'is no invitation').to.equal(undefined);
    const { secret, session } = unwrap((await signIn.withLink(code, FROM)) as Started);
    expect((await keepSessions.recognize(secret))?.person.email).to.equal(null);
    expect(isProved(session, later(now(), 60 * 60_000))).to.equal(true);
    expect(await signIn.withLink(code, FROM)).to.include({ kind: 'sign_in_refused' });
  });

  it('by OpenID Connect needs a person of that e-mail, with or without a passphrase', async () => {
    const { managePeople, signIn, now } = await open();
    const proof = later(now(), -5 * 60_000);
    expect(await signIn.withOpenId('ana@example.com', proof, FROM)).to.include({
      kind: 'sign_in_refused',
    });
    const { person } = unwrap(await managePeople.invite({ ...ANA, email: EMAIL }, ADMINISTRATOR));
    const started = unwrap((await signIn.withOpenId('Ana@example.com', proof, FROM)) as Started);
    expect(started.session).to.include({ way: 'openid', provedAt: proof });
    expect(isProved(started.session, now())).to.equal(true);
    expect(isProved(started.session, later(now(), 5 * 60_000))).to.equal(false);
    const by = { personId: 'another', actor: ADMINISTRATOR };
    await managePeople.change(
      person.personId,
      { ...ANA, isActive: false, seen: { ...ANA, isActive: true } },
      by,
    );
    expect(await signIn.withOpenId(EMAIL, proof, FROM)).to.include({ kind: 'sign_in_refused' });
  });
});

describe('sealing the secrets of one-time codes again', () => {
  it('leaves the codes, and names people whose secret no key opens', async () => {
    const { joined, people, secretSeal, enter } = await open();
    const { personId } = (await joined()).person;
    const reseal = makeResealCodes({ people, secretSeal });
    expect(await reseal()).to.deep.equal({ resealed: 1, lost: [] });
    expect(isRefusal(await enter())).to.equal(false);
    secretSeal.open = () => undefined;
    expect(await reseal()).to.deep.equal({ resealed: 0, lost: [personId] });
  });
});

describe('a session', () => {
  it('begins anew with the second factor, and ends after five wrong codes', async () => {
    const { joined, keepSessions, clock, now, code } = await open();
    const { secret } = await joined();
    const who = async (opened: string) => {
      const found = await keepSessions.recognize(opened);
      if (found === undefined) throw new Error('the session has ended');
      return found;
    };
    clock.advance(10 * 60);
    expect(isProved((await who(secret)).session, now())).to.equal(false);
    expect(await keepSessions.prove(await who(secret), '000000', FROM)).to.equal('wrong');
    const proved = (await keepSessions.prove(await who(secret), code(), FROM)) as Started;
    expect(isProved(proved.session, now())).to.equal(true);
    expect(await keepSessions.recognize(secret), 'a copy of the secret').to.equal(undefined);
    for (const expected of ['wrong', 'wrong', 'wrong', 'wrong', 'ended'])
      expect(await keepSessions.prove(await who(proved.secret), code(), FROM)).to.equal(expected);
    expect(await keepSessions.recognize(proved.secret)).to.equal(undefined);
  });

  it('of a person who is gone has no proof', async () => {
    const { joined, keepSessions } = await open();
    const who = await joined();
    const gone = { ...who, person: { ...who.person, personId: 'gone' } };
    for (const expected of ['wrong', 'wrong', 'wrong', 'wrong', 'ended'])
      expect(await keepSessions.prove(gone, '000000', FROM)).to.equal(expected);
  });

  it('that begins while all are ended opens nothing', async () => {
    const { joined, people, managePeople, keepSessions, now } = await open();
    const { person } = await joined();
    const signingIn = (await people.find('personId', person.personId)) ?? person;
    await managePeople.signOut(person.personId, ADMINISTRATOR);
    const late = await keepSessions.start(signingIn, 'passphrase', now(), FROM);
    expect(await keepSessions.recognize(late.secret)).to.equal(undefined);
    expect(await managePeople.signOut('nobody', ADMINISTRATOR)).to.include({
      kind: 'person_unknown',
    });
  });

  it('ends with its person, by itself when idle, and one by one', async () => {
    const { joined, keepSessions, enter, secretOf, sessions, now, clock, actions } = await open();
    const { person, secret } = await joined();
    const other = secretOf(await enter());
    const [newest] = await sessions.list(person.personId, now());
    await keepSessions.end(person.personId, { except: newest?.sessionId ?? '' }, ADMINISTRATOR);
    expect(await keepSessions.recognize(secret)).to.equal(undefined);
    clock.advance(IDLE_MS / 1_000);
    expect(await keepSessions.recognize(other)).to.equal(undefined);
    expect(await keepSessions.recognize('guess')).to.equal(undefined);
    expect(await actions()).to.deep.equal([
      ...['session.ended', 'session.started', 'session.started', 'person.joined', 'person.added'],
    ]);
  });

  it('has no proof of a person without credentials', async () => {
    const { managePeople, signIn, keepSessions } = await open();
    const { code } = unwrap(await managePeople.addWithLink(ANA, ADMINISTRATOR));
    const who = unwrap((await signIn.withLink(code, FROM)) as Started);
    expect(await keepSessions.prove(who, '000000', FROM)).to.equal('wrong');
  });
});
