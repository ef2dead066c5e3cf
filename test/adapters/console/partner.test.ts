import { expect } from 'chai';
import { cents } from '#domain';
import type { Person } from '../../../application/people/people.ts';
import type { Role } from '../../../application/people/roles.ts';
import { CREATE, mainBody, withApi } from '../../support/api.ts';
import { channel, saveVersion, versionAt } from '../../support/catalogue.ts';
import { ADMINISTRATOR, AT, entry } from '../../support/identity.ts';
import { linkFor } from '../../support/people.ts';
import { soldIn, ticketSale } from '../../support/selling.ts';
import { Visitor } from '../../support/visitor.ts';

const OTHER = 'outra-loja';

describe('the pages of a partner', () => {
  withApi((api) => {
    const enter = async (role: Role = 'partner', channelLink = 'canal-demo'): Promise<Visitor> => {
      const visitor = new Visitor(api().url);
      const person = { name: `${role} ${channelLink}`, role, channelLink: null };
      await visitor.post(
        await linkFor(api().memory, role === 'partner' ? { ...person, channelLink } : person),
      );
      return visitor;
    };
    const read = async (visitor: Visitor, path: string): Promise<string> =>
      (await visitor.get(`/console${path}`)).text();
    const statusOf = async (visitor: Visitor, place: string): Promise<number> => {
      const [method, path = ''] = place.split(' ');
      const page = method === 'GET' ? visitor.get : visitor.post;
      return (await page.call(visitor, `/console${path}`)).status;
    };
    /** A sale of the demo channel, and one of another. */
    const sellTwo = async (): Promise<readonly [number, number]> => {
      const { memory } = api();
      await saveVersion(memory.catalogue, versionAt(channel({ channelLink: OTHER }), AT));
      const own = soldIn(await memory.useCases.sell(ticketSale({})));
      const foreign = soldIn(
        await memory.useCases.sell(
          ticketSale({ channelLink: OTHER, client: { clientId: 'theirs', channelLink: OTHER } }),
        ),
      );
      await memory.runJobs();
      return [own.id, foreign.id];
    };

    /** Sends the form of a cancellation as the page has shown it. */
    const cancel = async (visitor: Visitor, id: number, over: object = {}): Promise<Response> => {
      const form = await read(visitor, `/sales/${id}/cancel`);
      const field = (name: string): string =>
        new RegExp(`name="${name}" value="(\\d+)"`).exec(form)?.[1] ?? '';
      return visitor.post(`/console/sales/${id}/cancel`, {
        ...{ choice: 'insured', reason: 'duplicate', version: field('version') },
        ...{ 'amount-insured': field('amount-insured'), 'amount-insurer': '0', ...over },
      });
    };

    /** Does what the printed command does. */
    const tryCommand = async (page: string): Promise<number> => {
      const [, command = ''] = /<code class="long">(curl [^<]+)</.exec(page) ?? [];
      const [, credentials = '', data, address = ''] =
        /^curl -u '([^']+)' (?:-d (\S+) )?(\S+)$/.exec(command.replaceAll('&#39;', "'")) ?? [];
      const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const init = data ? { method: 'POST', body: data, headers: { authorization, ...form } } : {};
      return (await fetch(address, { headers: { authorization }, ...init })).status;
    };

    it('show sales of the own channel, and of no other, by any address', async () => {
      const [own, foreign] = await sellTwo();
      const partner = await enter();
      const list = await read(partner, '/sales');
      expect(list).to.include(`/console/sales/${own}"`).and.not.include(`/sales/${foreign}"`);
      for (const filter of [
        `?channel=${OTHER}`,
        `?channel=${OTHER}&status=issued`,
        '?order=oldest',
      ])
        expect(await read(partner, `/sales${filter}`), filter).not.to.include(`/sales/${foreign}"`);
      const file = await read(partner, `/sales/file?channel=${OTHER}&form=csv`);
      expect(file).to.include('canal-demo').and.not.include(OTHER);
      for (const q of [String(foreign), '529.982.247-25', 'Maria', 'maria silva']) {
        const found = await partner.post('/console/sales', { q });
        const page = await (await partner.get(found.headers.get('Location') ?? '')).text();
        expect(page, q).not.to.include(`/sales/${foreign}"`);
      }
      for (const act of ['', '/copy', '/email', '/cancel', '/approval'])
        for (const method of act === '' ? ['GET'] : ['GET', 'POST']) {
          const place = `${method} /sales/${foreign}${act}`;
          expect(await statusOf(partner, place), place).to.equal(404);
          expect(await statusOf(await enter('partner', OTHER), place)).not.to.equal(404);
        }
      const statement = await read(partner, `/statements?channel=${OTHER}`);
      expect(statement).not.to.include(OTHER);
      const lines = await read(partner, `/statements/file?channel=${OTHER}&month=2026-11`);
      expect(lines).not.to.include((await api().memory.sales.load(foreign))?.ticket);
    });

    it('show of a sale what the channel reads by its API, and do what it can do', async () => {
      const [own] = await sellTwo();
      const partner = await enter();
      const page = await read(partner, `/sales/${own}`);
      expect(page)
        .to.include('Está segurado?')
        .and.include(`/private/integration/sale/${own}`)
        .and.not.include('/admin/transactions')
        .and.not.include('Comparar com o gateway')
        .and.not.include('Procon')
        .and.not.include('Linha do tempo');
      expect(await read(partner, `/sales/${own}/cancel`))
        .to.include('a pedido do segurado')
        .and.not.include('parte da seguradora');
      const refused = await cancel(partner, own, { choice: 'insurer' });
      expect([refused.status, refused.headers.get('X-Error-Code')]).to.deep.equal([
        ...[403, 'insufficient_scope'],
      ]);
      const done = await cancel(partner, own);
      expect(done.headers.get('Location')).to.equal(`/console/sales/${own}?done=cancelled`);
      const [entry] = await api().memory.auditLog.list({
        ...{ subject: `transaction/${own}`, limit: 1 },
      });
      expect(entry?.actor.name).to.include('partner canal-demo');
    });

    it('ask a second person of the channel above the limit, and show others no request', async () => {
      await sellTwo();
      const { memory } = api();
      const order = ticketSale({
        insuredAmount: cents(1_000_000),
        insuredObject: { ticketNumber: 'BIG' },
      });
      const { id } = soldIn(await memory.useCases.sell(order));
      await memory.runJobs();
      const asking = await enter();
      const asked = await cancel(asking, id);
      expect(asked.headers.get('Location')).to.equal(`/console/sales/${id}?done=asked`);
      expect(await read(await enter(), '')).to.include('Esperam outra pessoa');
      expect(await read(await enter('partner', OTHER), '')).not.to.include('Esperam outra pessoa');
      expect(await read(await enter('support'), '')).to.include('Esperam outra pessoa');
    });

    it('show what partners of the channel have asked for, and nothing of the staff', async () => {
      await sellTwo();
      const { memory } = api();
      const order = ticketSale({
        insuredAmount: cents(1_000_000),
        insuredObject: { ticketNumber: 'S' },
      });
      const { id } = soldIn(await memory.useCases.sell(order));
      await memory.runJobs();
      const support = await enter('support');
      await cancel(support, id, { reason: 'other', text: 'SUSPEITA' });
      expect(await read(support, `/sales/${id}`)).to.include('support canal-demo pediu');
      const partner = await enter();
      for (const path of [`/sales/${id}`, '', `/sales/${id}/approval`])
        expect(await read(partner, path), path)
          .to.not.include('support canal-demo')
          .and.not.include('SUSPEITA');
      const declined = await partner.post(`/console/sales/${id}/approval`, { answer: 'decline' });
      expect(declined.status).to.equal(409);
    });

    it('list sales of channels with any name that a channel can have', async () => {
      const { memory } = api();
      for (const channelLink of ['2024', '7.5', 'loja~1']) {
        await saveVersion(memory.catalogue, versionAt(channel({ channelLink }), AT));
        const partner = await enter('partner', channelLink);
        expect(await statusOf(partner, 'GET /sales'), channelLink).to.equal(200);
        expect(await statusOf(partner, 'GET /sales/file'), channelLink).to.equal(200);
        const admin = await enter('admin');
        expect(await statusOf(admin, `GET /as/${channelLink}/sales`)).to.equal(200);
        expect(await statusOf(admin, `GET /sales?channel=${channelLink}`)).to.equal(200);
      }
      const lost = await enter('partner', '7.5');
      const people = await memory.people.list();
      const person = people.findLast(({ channelLink }) => channelLink === '7.5') as Person;
      await memory.people.save({ ...person, channelLink: null }, entry());
      for (const path of ['sales', 'statements', 'clients', 'webhooks', 'requests'])
        expect(await statusOf(lost, `GET /${path}`), path).to.equal(403);
    });

    it('are seen by an administrator as the channel sees them, and change nothing', async () => {
      const [own, foreign] = await sellTwo();
      const admin = await enter('admin');
      const as = '/as/canal-demo';
      const start = await read(admin, as);
      expect(start)
        .to.include('Você vê o que canal-demo vê')
        .and.include('href="/console/as/canal-demo/sales"')
        .and.not.include('/people');
      expect(await read(admin, `${as}/sales`)).to.include(
        `href="/console/as/canal-demo/sales/${own}"`,
      );
      expect(await read(admin, `${as}/sales/${own}`)).not.to.include('Comparar com o gateway');
      expect(await statusOf(admin, `GET ${as}/sales/${foreign}`)).to.equal(404);
      expect(await statusOf(admin, `GET ${as}/people`)).to.equal(403);
      for (const place of ['clients/new', 'webhooks/new', `sales/${own}/cancel`, 'sessions'])
        for (const method of ['GET', 'POST'])
          expect(await statusOf(admin, `${method} ${as}/${place}`), place).to.equal(403);
      const found = await admin.post(`/console${as}/sales`, { q: 'maria silva' });
      expect(found.headers.get('Location')).to.match(/^\/console\/as\/canal-demo\/sales\?find=/);
      expect(await statusOf(admin, 'GET /as/nenhum')).to.equal(404);
      expect(await statusOf(admin, 'GET /as/nenhum/sales')).to.equal(404);
      for (const role of ['support', 'finance', 'partner'] as const)
        expect(await statusOf(await enter(role), `GET ${as}`), role).to.equal(404);
    });

    it('make credentials whose secret is shown once, and end them', async () => {
      await sellTwo();
      const { memory } = api();
      const partner = await enter();
      const made = await partner.post('/console/clients/new', { name: 'Loja', channelLink: OTHER });
      const page = made.headers.get('Location') ?? '';
      const shown = await (await partner.get(page)).text();
      const [, secret = ''] = /class="secret">([^<]+)</.exec(shown) ?? [];
      expect(secret).to.have.length.above(20);
      expect(await (await partner.get(page)).text()).not.to.include(secret);
      // Another session shows nothing of what this one's browser has kept, nor this one a while later.
      const thief = await enter();
      const another = await partner.post('/console/clients/new', { name: 'Outra' });
      const unseen = another.headers.get('Location') ?? '';
      const cookie = partner.cookies.get('console-kept') ?? '';
      thief.keep('console-kept', cookie);
      expect(await (await thief.get(unseen)).text()).not.to.include('class="secret"');
      memory.clock.advance(61);
      expect(await (await partner.get(unseen)).text()).not.to.include('class="secret"');
      const [, clientId = ''] = /clients\/([^?]+)/.exec(page) ?? [];
      expect((await memory.clients.load(clientId))?.client).to.deep.include({
        ...{ channelLink: 'canal-demo', scopes: ['sales'], name: 'Loja' },
      });
      expect(await tryCommand(shown)).to.equal(200);

      expect(await statusOf(partner, `POST /clients/${clientId}/rotate`)).to.equal(422);
      const rotated = await partner.post(`/console/clients/${clientId}/rotate`, {
        graceHours: '0',
      });
      const again = await (await partner.get(rotated.headers.get('Location') ?? '')).text();
      expect(again).to.include('class="secret"').and.not.include(secret);
      for (const [act, words] of [
        ['deactivate', 'desativado'],
        ['activate', 'ativo'],
        ['revoke', 'revogado'],
      ] as const) {
        expect(await read(partner, `/clients/${clientId}/${act}`)).to.include(clientId);
        await partner.post(`/console/clients/${clientId}/${act}`);
        expect(await read(partner, `/clients/${clientId}`), act).to.include(`<dd>${words}</dd>`);
      }
      const late = await partner.post(`/console/clients/${clientId}/activate`);
      expect([late.status, (await late.text()).includes('definitivo')]).to.deep.equal([409, true]);
      const faulty = await partner.post('/console/clients/new', { name: '' });
      expect([faulty.status, (await faulty.text()).includes('href="#name"')]).to.deep.equal([
        ...[422, true],
      ]);

      const foreign = await memory.useCases.manageClients.create(
        { name: 'Deles', channelLink: OTHER, scopes: ['sales'], active: true },
        ADMINISTRATOR,
      );
      const id = 'client' in foreign ? foreign.client.clientId : '';
      expect(await read(partner, '/clients')).not.to.include(id);
      for (const place of ['', '/rotate', '/revoke'])
        expect(await statusOf(partner, `GET /clients/${id}${place}`), place).to.equal(404);
      expect(await statusOf(partner, `POST /clients/${id}/revoke`)).to.equal(404);
      expect((await memory.clients.load(id))?.client.status).to.equal('active');
      expect(await statusOf(partner, 'GET /clients/%00')).to.equal(404);

      expect(await read(partner, `/clients?after=${id}`)).to.include('canal-demo');
      for (let count = 0; count < 50; count += 1)
        await partner.post('/console/clients/new', { name: `Loja ${count}` });
      const full = await partner.post('/console/clients/new', { name: 'Mais uma' });
      expect([full.status, (await full.text()).includes('já tem 50')]).to.deep.equal([422, true]);

      const admin = await enter('admin');
      expect(await read(admin, `/clients/${id}/deactivate`)).to.include('para parar o canal');
      expect(await read(admin, '/clients'))
        .to.include(id)
        .and.include(clientId);
      const administers = await admin.post('/console/clients/new', { name: 'Operação' });
      const ofAdmin = await admin.get(administers.headers.get('Location') ?? '');
      expect(await tryCommand(await ofAdmin.text())).to.equal(200);
      const [, adminId = ''] =
        /clients\/([^?]+)/.exec(administers.headers.get('Location') ?? '') ?? [];
      expect((await memory.clients.load(adminId))?.client.scopes).to.deep.equal(['admin']);
    });

    it('set up webhooks, test them, and try deliveries again', async () => {
      const [own] = await sellTwo();
      const { memory } = api();
      const partner = await enter();
      const bad = await partner.post('/console/webhooks/new', { url: 'ftp://x', events: 'none' });
      const said = await bad.text();
      expect(bad.status).to.equal(422);
      expect(said).to.include('href="#url"').and.include('id="events"');
      const url = 'https://parceiro.example/hooks';
      const asked = { url, description: 'CRM', events: 'sale.paid', channelLink: OTHER };
      const made = await partner.post('/console/webhooks/new', asked);
      const page = made.headers.get('Location') ?? '';
      expect(await (await partner.get(page)).text()).to.match(/class="secret">whsec_/);
      const [, id = ''] = /webhooks\/([^?]+)/.exec(page) ?? [];
      expect(await memory.webhookEndpoints.find(id)).to.deep.include({
        ...{ channelLink: 'canal-demo', events: ['sale.paid'], description: 'CRM' },
      });
      const twice = await partner.post('/console/webhooks/new', asked);
      expect([twice.status, (await twice.text()).includes(id)]).to.deep.equal([422, true]);

      for (const signature of ['right', 'wrong'])
        await partner.post(`/console/webhooks/${id}/test`, { signature });
      await memory.runJobs();
      const tested = await read(partner, `/webhooks/${id}`);
      expect(tested).to.include('webhook.test').and.include('Tentar agora');
      const [, delivery = ''] = /name="delivery" value="(\d+)"/.exec(tested) ?? [];
      const retried = await partner.post(`/console/webhooks/${id}/retry`, { delivery });
      expect(retried.headers.get('Location')).to.equal(`/console/webhooks/${id}?done=retried`);
      for (const none of ['0', 'x', '999'])
        expect(
          (await partner.post(`/console/webhooks/${id}/retry`, { delivery: none })).status,
        ).to.equal(404);

      await partner.post(`/console/webhooks/${id}/pause`);
      expect(await read(partner, `/webhooks/${id}`)).to.include('em pausa');
      const paused = await partner.post(`/console/webhooks/${id}/test`);
      expect([paused.status, (await paused.text()).includes('em pausa ou')]).to.deep.equal([
        ...[409, true],
      ]);
      await partner.post(`/console/webhooks/${id}/activate`);
      const rotated = await partner.post(`/console/webhooks/${id}/rotate`);
      expect(await (await partner.get(rotated.headers.get('Location') ?? '')).text()).to.match(
        /class="secret">whsec_/,
      );
      const foreign = await enter('partner', OTHER);
      for (const place of ['', '/remove', '/rotate', '/pause'])
        expect(await statusOf(foreign, `GET /webhooks/${id}${place}`), place).to.equal(404);
      for (const place of ['remove', 'test', 'retry', 'rotate'])
        expect(await statusOf(foreign, `POST /webhooks/${id}/${place}`), place).to.equal(404);
      expect(await read(foreign, '/webhooks')).not.to.include(id);
      const removed = await partner.post(`/console/webhooks/${id}/remove`);
      expect(removed.headers.get('Location')).to.equal('/console/webhooks');
      expect(await memory.webhookEndpoints.find(id)).to.equal(undefined);
      expect(own).to.be.above(0);
    });

    it('say which requests failed and why, and what is left to show before going live', async () => {
      await sellTwo();
      const token = await api().bearer();
      await api().post(CREATE, mainBody({ email: 'sem arroba' }), token);
      await api().post(CREATE, mainBody({ numeroIngresso: 'OK-1' }), token);
      const partner = await enter();
      const page = await read(partner, '/requests');
      expect(page)
        .to.include('422')
        .and.include(`POST`)
        .and.include('email:')
        .and.not.include('sem arroba');
      const foreign = await enter('partner', OTHER);
      expect(await read(foreign, '/requests')).to.include('Nenhuma requisição falhou');
      expect(await read(foreign, '/requests?channel=canal-demo')).to.include('Nenhuma requisição');
      const [failed] = await api().memory.answeredRequests.listFailed('canal-demo', { limit: 1 });
      const steps = await read(partner, `/readiness?client=${failed?.clientId}`);
      expect(steps).to.include('✓').and.include('○').and.include('Corrigir campos com erro');
      expect(await read(foreign, '/readiness?channel=canal-demo')).not.to.include('✓');
      const admin = await enter('admin');
      expect(await read(admin, '/requests'))
        .to.include('escolha')
        .and.not.include('422');
      expect(await read(admin, '/requests?channel=canal-demo')).to.include('422');
      const ofClient = `channel=canal-demo&client=${failed?.clientId}`;
      expect(await read(admin, `/readiness?${ofClient}`)).to.include('✓');
    });
  });
});
