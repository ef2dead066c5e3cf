import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { KeptNotice } from '../../application/payments/notices.ts';
import { AT } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';

const kept = (over: Partial<KeptNotice['notice']> = {}): KeptNotice => ({
  gateway: 'sandbox',
  notice: { id: randomUUID(), event: 'charge.paid', reference: '1-T', chargeId: '1-T-1', ...over },
  receivedAt: AT,
  outcome: 'received',
});

overEveryStore('the notices of gateways', (store) => {
  it('are kept unchanged, together with a task to process them', async () => {
    const one = kept();
    const bare: KeptNotice = { ...kept(), notice: { id: randomUUID(), event: 'anything' } };
    for (const each of [one, bare]) expect(await store().notices.keep(each)).to.equal('kept');
    expect(await store().notices.find('sandbox', one.notice.id)).to.deep.equal(one);
    expect(await store().notices.find('sandbox', bare.notice.id)).to.deep.equal(bare);
    expect((await store().due()).notices).to.include.members([one.notice.id, bare.notice.id]);
    expect(await store().notices.find('asaas', one.notice.id)).to.equal(undefined);
  });

  it('are kept once, with one task, when many copies arrive simultaneously', async () => {
    const one = kept();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => store().notices.keep(one)));
    expect(outcomes.filter((each) => each === 'kept')).to.have.length(1);
    expect((await store().due()).notices.filter((id) => id === one.notice.id)).to.have.length(1);
  });

  it('keep the outcome of their processing', async () => {
    const one = kept();
    await store().notices.keep(one);
    await store().notices.settle('sandbox', one.notice.id, 'taken');
    expect(await store().notices.find('sandbox', one.notice.id)).to.deep.equal({
      ...one,
      outcome: 'taken',
    });
    expect(await store().notices.keep(one)).to.equal('repeated');
  });

  it('that cannot be read are kept once by the hash of their body, for each gateway', async () => {
    const body = `not JSON ${randomUUID()}`;
    const keep = (gateway: string) =>
      store().notices.keepUnreadable({ gateway, body, excerpt: '{"traces":[]}', receivedAt: AT });
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => keep('asaas')));
    expect(outcomes.filter(({ kind }) => kind === 'kept')).to.have.length(1);
    const digest = createHash('sha256').update(body).digest('hex');
    for (const outcome of outcomes) expect(outcome.digest).to.equal(digest);
    expect(await keep('sandbox')).to.deep.equal({ kind: 'kept', digest });
    expect(await keep('sandbox')).to.deep.equal({ kind: 'repeated', digest });
  });
});
