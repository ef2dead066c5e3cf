import { expect } from 'chai';
import { cents } from '#domain';
import type { ApprovalRequest } from '../../application/approvals/approval-requests.ts';
import { later } from '../../application/clock.ts';
import { AT, entry } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

overEveryStore('the acts that wait for a second person', (store) => {
  let lastSale = 7_000_000;
  const request = (over: Partial<ApprovalRequest> = {}): ApprovalRequest => {
    lastSale += 1;
    return {
      ...{ saleId: lastSale, saleVersion: 3, amount: cents(150_000), askedAt: AT },
      ...{ personId: 'p-1', personName: 'Ana Lima', expiresAt: later(AT, DAY_MS) },
      act: { kind: 'cancel', by: 'insured', stated: { reason: 'other', text: 'por telefone' } },
      ...over,
    };
  };
  const requests = () => store().approvalRequests;
  const about = ({ saleId }: ApprovalRequest) =>
    entry({ action: 'approval.asked', subject: `transaction/${saleId}` });
  const open = (asked: ApprovalRequest) => requests().open(asked, about(asked));
  const entriesOf = async ({ saleId }: ApprovalRequest): Promise<number> =>
    (await store().auditLog.list({ subject: `transaction/${saleId}`, limit: 10 })).length;

  it('are found until they expire, one for a sale', async () => {
    const asked = request();
    expect(await open(asked)).to.equal('opened');
    expect(await requests().find(asked.saleId, AT)).to.deep.equal(asked);
    expect(await requests().find(asked.saleId, later(AT, DAY_MS - 1))).not.to.equal(undefined);
    expect(await requests().find(asked.saleId, later(AT, DAY_MS))).to.equal(undefined);
    expect(await requests().find(1, AT)).to.equal(undefined);
    expect(await entriesOf(asked)).to.equal(1);
  });

  it('are not opened twice, but anew for a sale that has changed, or when the first is over', async () => {
    const asked = request();
    const outcomes = await Promise.all([open(asked), open({ ...asked, personId: 'p-2' })]);
    expect(outcomes.toSorted()).to.deep.equal(['known', 'opened']);
    expect(await entriesOf(asked)).to.equal(1);
    const changed = { ...asked, saleVersion: 4, personId: 'p-3' };
    expect(await open(changed)).to.equal('opened');
    expect(await requests().find(asked.saleId, AT)).to.deep.equal(changed);
    const next = { ...changed, askedAt: asked.expiresAt, expiresAt: later(AT, 2 * DAY_MS) };
    expect(await open(next)).to.equal('opened');
    expect(await requests().find(asked.saleId, asked.expiresAt)).to.deep.equal(next);
  });

  it('are listed, the oldest first', async () => {
    const [second, first] = [request({ askedAt: later(AT, 1) }), request()];
    const over = request({ expiresAt: later(AT, 1) });
    for (const each of [first, second, over]) await open(each);
    const listed = (await requests().list(later(AT, 2), 1_000)).map(({ saleId }) => saleId);
    expect(
      listed.filter((id) => [first, second, over].some(({ saleId }) => saleId === id)),
    ).to.deep.equal([first.saleId, second.saleId]);
    expect(await requests().list(later(AT, 2), 1)).to.have.length(1);
  });

  it('are closed once, with their entry', async () => {
    const asked = request();
    await open(asked);
    const close = (which: ApprovalRequest) => requests().close(which, about(which));
    expect(await close({ ...asked, saleVersion: 9 })).to.equal('gone');
    expect((await Promise.all([close(asked), close(asked)])).toSorted()).to.deep.equal([
      'closed',
      'gone',
    ]);
    expect(await requests().find(asked.saleId, AT)).to.equal(undefined);
    expect(await entriesOf(asked)).to.equal(2);
  });

  it('are forgotten when they have been over for a while', async () => {
    const asked = request({ expiresAt: later(AT, 1_000) });
    await open(asked);
    await requests().forget(later(AT, 1_000));
    expect(await requests().find(asked.saleId, AT)).to.deep.equal(asked);
    await requests().forget(later(AT, 1_001));
    expect(await requests().find(asked.saleId, AT)).to.equal(undefined);
  });
});
