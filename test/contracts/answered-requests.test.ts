import { expect } from 'chai';
import type { AnsweredRequest } from '../../application/requests/answered-requests.ts';
import { NOTHING_DONE, type Readiness } from '../../application/requests/readiness.ts';
import { AT } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';
import { later } from '../support/webhooks.ts';

const FAILED: AnsweredRequest = {
  requestId: 'first-try',
  channelLink: 'loja',
  clientId: 'client-1',
  at: AT,
  method: 'POST',
  route: '/private/integration/sale',
  status: 422,
  code: 'validation_failed',
  fields: 'insured.email=invalid_format',
  ms: 1.8,
  saleId: null,
  replayed: false,
};

const SOLD: AnsweredRequest = {
  ...{ ...FAILED, at: later(2), status: 201, code: null, fields: null },
  ...{ saleId: 7, replayed: true },
};

overEveryStore('the answers to requests', (store) => {
  it('are found by the id of their request, the newest first, up to a limit', async () => {
    const { answeredRequests } = store();
    await answeredRequests.add([FAILED, { ...FAILED, requestId: 'another' }]);
    await answeredRequests.add([SOLD]);
    expect(await answeredRequests.find('loja', 'first-try', 10)).to.deep.equal([SOLD, FAILED]);
    expect(await answeredRequests.find('loja', 'first-try', 1)).to.deep.equal([SOLD]);
  });

  it('are the own ones of a channel', async () => {
    const { answeredRequests } = store();
    await answeredRequests.add([{ ...FAILED, requestId: 'shared', channelLink: 'one' }]);
    await answeredRequests.add([{ ...FAILED, requestId: 'shared', channelLink: 'other' }]);
    const found = await answeredRequests.find('other', 'shared', 10);
    expect(found.map(({ channelLink }) => channelLink)).to.deep.equal(['other']);
    expect(await answeredRequests.find('third', 'shared', 10)).to.deep.equal([]);
  });

  it('are listed by channel where they failed, the newest first, page by page', async () => {
    const { answeredRequests } = store();
    const own = { ...FAILED, channelLink: 'listed' };
    const failed = [1, 2, 3].map((step) => ({ ...own, requestId: `${step}`, at: later(step) }));
    await answeredRequests.add([...failed, { ...SOLD, channelLink: 'listed' }, FAILED]);
    const [newest, second] = await answeredRequests.listFailed('listed', { limit: 2 });
    expect(newest).to.deep.include(failed[2]);
    expect(second).to.deep.include(failed[1]);
    const rest = await answeredRequests.listFailed('listed', { before: second?.number, limit: 9 });
    expect(rest.map(({ requestId }) => requestId)).to.deep.equal(['1']);
    expect(await answeredRequests.listFailed('nobody', { limit: 9 })).to.deep.equal([]);
  });

  it('are deleted once they are old, the oldest first', async () => {
    const { answeredRequests } = store();
    while ((await answeredRequests.deleteBefore(later(1_000), 100)) === 100);
    const old = [1, 2, 3].map((step) => ({ ...FAILED, requestId: `old-${step}`, at: later(step) }));
    await answeredRequests.add(old);
    expect(await answeredRequests.deleteBefore(later(3), 1)).to.equal(1);
    expect(await answeredRequests.find('loja', 'old-1', 10)).to.deep.equal([]);
    expect(await answeredRequests.deleteBefore(later(3), 10)).to.equal(1);
    expect(await answeredRequests.find('loja', 'old-3', 10)).to.have.length(1);
  });
});

overEveryStore('what clients have done', (store) => {
  it('is nothing at first, and is found as it was last changed', async () => {
    const { readinessRecords } = store();
    expect(await readinessRecords.find('new')).to.deep.equal(NOTHING_DONE);
    const done: Readiness = {
      proofs: { repeat: { requestId: 'a', at: AT } },
      declinedAt: AT,
      faultyAt: { 'POST /private/integration/sale': AT },
      wait: { from: AT, until: later(1), isBroken: true },
    };
    await readinessRecords.advance(['new'], () => done);
    expect(await readinessRecords.find('new')).to.deep.equal(done);
    expect(await readinessRecords.find('another')).to.deep.equal(NOTHING_DONE);
  });

  it('keeps every one of the changes that are made at the same time', async () => {
    const { readinessRecords } = store();
    const steps = Array.from({ length: 12 }, (_, index) => `sell_${index}`);
    await Promise.all(
      steps.map((step) =>
        readinessRecords.advance(['busy', step], (_, done) => ({
          ...done,
          proofs: { ...done.proofs, [step]: { requestId: step, at: AT } },
        })),
      ),
    );
    const { proofs } = await readinessRecords.find('busy');
    expect(Object.keys(proofs)).to.have.members(steps);
  });
});
