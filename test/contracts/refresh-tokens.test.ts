import { expect } from 'chai';
import type { Instant } from '#domain';
import type {
  RefreshTokens,
  Rotation,
  RotationOutcome,
  TokenFamily,
} from '../../application/identity/refresh-tokens.ts';
import { entry } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';

const AT = '2026-11-20T15:00:00.000Z' as Instant;
const LATER = '2026-11-20T15:00:30.500Z' as Instant;

let count = 0;
const started = async (
  tokens: RefreshTokens,
  over: Partial<TokenFamily> = {},
): Promise<{ family: TokenFamily; first: string }> => {
  count += 1;
  const family: TokenFamily = {
    familyId: `family-${count}`,
    clientId: 'client-1',
    scopes: ['sales'],
    generation: 3,
    expiresAt: '2026-11-27T15:00:00.250Z' as Instant,
    ...over,
  };
  const first = `first-${count}`;
  await tokens.start(family, first);
  return { family, first };
};

const rotation = (hash: string, successorHash: string, at = AT): Rotation => ({
  hash,
  successorHash,
  sealedSuccessor: `sealed ${successorHash}`,
  at,
});

const ended = entry({ action: 'token.revoked', subject: 'api-client/client-1', changes: [] });

const kindOf = ({ kind }: RotationOutcome): string => kind;

overEveryStore('the refresh tokens', (store) => {
  it('rotate one after the other within their family', async () => {
    const tokens = store().refreshTokens;
    const { family, first } = await started(tokens, { scopes: ['sales', 'admin'] });
    expect(await tokens.rotate(rotation(first, `${first}.2`))).to.deep.equal({
      kind: 'rotated',
      family,
    });
    expect(await tokens.rotate(rotation(`${first}.2`, `${first}.3`, LATER))).to.deep.equal({
      kind: 'rotated',
      family,
    });
  });

  it('return the time and the successor of the first rotation at a second rotation', async () => {
    const tokens = store().refreshTokens;
    const { family, first } = await started(tokens);
    await tokens.rotate(rotation(first, `${first}.a`, AT));
    const second = await tokens.rotate(rotation(first, `${first}.b`, LATER));
    expect(second).to.deep.equal({
      kind: 'already_rotated',
      family,
      rotatedAt: AT,
      sealedSuccessor: `sealed ${first}.a`,
    });
    expect(kindOf(await tokens.rotate(rotation(`${first}.b`, 'x')))).to.equal('not_valid');
  });

  it('rotate once for a hundred simultaneous requests', async () => {
    const tokens = store().refreshTokens;
    const { first } = await started(tokens);
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        tokens.rotate(rotation(first, `${first}.${index}`)),
      ),
    );
    const winner = outcomes.findIndex(({ kind }) => kind === 'rotated');
    const others = outcomes.filter((_, index) => index !== winner);
    expect(new Set(others.map(kindOf))).to.deep.equal(new Set(['already_rotated']));
    expect(
      new Set(others.map((each) => each.kind === 'already_rotated' && each.sealedSuccessor)),
    ).to.deep.equal(new Set([`sealed ${first}.${winner}`]));
  });

  it('are not valid if they are unknown', async () => {
    expect(kindOf(await store().refreshTokens.rotate(rotation('unheard of', 'x')))).to.equal(
      'not_valid',
    );
  });

  it('are not valid once their family has expired', async () => {
    const tokens = store().refreshTokens;
    const { first } = await started(tokens, { expiresAt: LATER });
    expect(kindOf(await tokens.rotate(rotation(first, `${first}.2`, AT)))).to.equal('rotated');
    expect(kindOf(await tokens.rotate(rotation(`${first}.2`, 'x', LATER)))).to.equal('not_valid');
    expect(kindOf(await tokens.rotate(rotation(first, 'x', LATER)))).to.equal('not_valid');
  });

  it('are not valid once their family is revoked, successors included', async () => {
    const tokens = store().refreshTokens;
    const { family, first } = await started(tokens);
    const bystander = await started(tokens);
    await tokens.rotate(rotation(first, `${first}.2`));
    await tokens.revokeFamily(family.familyId, ended);
    for (const hash of [first, `${first}.2`])
      expect(kindOf(await tokens.rotate(rotation(hash, 'x')))).to.equal('not_valid');
    expect(kindOf(await tokens.rotate(rotation(bystander.first, `${bystander.first}.2`)))).to.equal(
      'rotated',
    );
  });

  it('can be found without a rotation, and show whether they were rotated', async () => {
    const tokens = store().refreshTokens;
    const { family, first } = await started(tokens);
    expect(await tokens.find(first, AT)).to.deep.equal({ family, rotated: false });
    await tokens.rotate(rotation(first, `${first}.2`));
    expect(await tokens.find(first, AT)).to.deep.equal({ family, rotated: true });
    expect(await tokens.find(`${first}.2`, AT)).to.deep.equal({ family, rotated: false });
    expect(await tokens.find(`${first}.2`, family.expiresAt)).to.equal(undefined);
    expect(await tokens.find('unheard of', AT)).to.equal(undefined);
    await tokens.revokeFamily(family.familyId, ended);
    expect(await tokens.find(`${first}.2`, AT)).to.equal(undefined);
  });

  it('end with one audit entry when their family is revoked, at once in this process', async () => {
    const { refreshTokens: tokens, auditLog } = store();
    const { family } = await started(tokens);
    const bystander = await started(tokens);
    const count = async () => (await auditLog.list({ limit: 100 })).length;
    const before = await count();
    expect(await tokens.hasEnded(family.familyId)).to.equal(false);
    await tokens.revokeFamily(family.familyId, ended);
    expect(await tokens.hasEnded(family.familyId)).to.equal(true);
    expect(await tokens.hasEnded(bystander.family.familyId)).to.equal(false);
    await tokens.revokeFamily(family.familyId, ended);
    await tokens.revokeFamily('unheard of', ended);
    expect((await count()) - before).to.equal(1);
  });

  it('start for 200 simultaneous logins, each with its own family', async () => {
    const tokens = store().refreshTokens;
    const families = await Promise.all(Array.from({ length: 200 }, () => started(tokens)));
    const found = await Promise.all(families.map(({ first }) => tokens.find(first, AT)));
    expect(found.map((each) => each?.family)).to.deep.equal(families.map(({ family }) => family));
  });

  it('are deleted with their family after they have expired', async () => {
    const tokens = store().refreshTokens;
    const { first: old } = await started(tokens, {
      expiresAt: '2026-11-18T00:00:00.000Z' as Instant,
    });
    const { first: young } = await started(tokens);
    await tokens.forget('2026-11-19T00:00:00.000Z' as Instant);
    expect(await tokens.find(old, '2026-11-01T00:00:00.000Z' as Instant)).to.equal(undefined);
    expect((await tokens.find(young, AT))?.rotated).to.equal(false);
  });
});
