import { expect } from 'chai';
import { WebhookUrlRules } from '../../../../adapters/webhooks/webhook-urls.ts';
import { EVENT_TYPES } from '../../../../application/events/partner-events.ts';
import { type Answer, Api, withApi } from '../../../support/api.ts';
import { entry } from '../../../support/identity.ts';
import { later } from '../../../support/webhooks.ts';

const WEBHOOKS = '/private/integration/webhooks';
const ADMIN_WEBHOOKS = '/admin/channels/canal-demo/webhooks';

type Headers = { Authorization: string };
type Fields = Readonly<Record<string, unknown>>;

const webhookBody = (over: Fields = {}): Fields => ({
  url: 'https://partner.example/hook?key=of-the-partner',
  events: ['sale.paid', 'certificate.sent'],
  ...over,
});

const send = (api: Api, method: string, path: string, headers: object, body?: unknown) =>
  api.call(path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Each answer's status. */
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

describe(WEBHOOKS, () => {
  withApi((api) => {
    let partner: Headers;
    let other: Headers;
    let admin: Headers;
    let made = 0;
    before(async () => {
      await api().channel('canal-alheio');
      partner = await api().bearer();
      other = await api().bearer('canal-alheio');
      admin = await api().bearer(null);
    });
    afterEach(async () => {
      // A channel has few webhooks: each test begins with none.
      for (const { id } of await api().memory.webhookEndpoints.list(undefined))
        await api().memory.webhookEndpoints.remove(id, entry());
    });

    const create = async (over: Fields = {}) => {
      made += 1;
      const url = `https://partner.example/${made}`;
      const { status, body } = await api().post(WEBHOOKS, webhookBody({ url, ...over }), partner);
      expect(status, JSON.stringify(body)).to.equal(201);
      return body.data as { id: string; url: string; secret: string };
    };
    const patch = (id: string, change: unknown, headers: object = partner) =>
      send(api(), 'PATCH', `${WEBHOOKS}/${id}`, headers, change);
    const remove = (id: string, headers: object = partner) =>
      send(api(), 'DELETE', `${WEBHOOKS}/${id}`, headers);

    it('creates a webhook, and shows its secret once', async () => {
      const sent = webhookBody({ description: 'Loja de São Paulo' });
      const { status, body } = await api().post(WEBHOOKS, sent, partner);
      expect(status).to.equal(201);
      const { id, secret, ...rest } = body.data;
      expect(id).to.match(/^whe_/);
      expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
      const shown = {
        channelLink: 'canal-demo',
        ...sent,
        status: 'active',
        disabled_reason: null,
        disabled_at: null,
        failing_since: null,
        paused_until: null,
        secret_available: true,
        previous_secret_until: null,
        created_at: '2026-11-20T15:00:00.000Z',
      };
      expect(rest).to.deep.equal(shown);
      const found = await api().get(`${WEBHOOKS}/${id}`, partner);
      expect(found.body).to.deep.equal({ success: true, data: { id, ...shown } });
      const listed = await api().get(WEBHOOKS, partner);
      expect(listed.body).to.deep.equal({ success: true, data: [{ id, ...shown }] });
    });

    it('stores the URL in its normal form, and takes every type of event', async () => {
      const { url } = await create({ url: 'HTTPS://Partner.EXAMPLE:443/a/../b' });
      expect(url).to.equal('https://partner.example/b');
      const all = await create({ events: EVENT_TYPES });
      expect(all).to.deep.include({ events: [...EVENT_TYPES] });
    });

    it('takes the events of all types, also of later ones, if the body names none', async () => {
      for (const events of [undefined, null, ['*'], ['sale.paid', '*']])
        expect(await create({ events })).to.deep.include({ events: ['*'] });
      const { id } = await create({ events: ['sale.paid'] });
      const { body } = await patch(id, { events: ['*'] });
      expect(body.data.events).to.deep.equal(['*']);
    });

    const FAULTS: readonly (readonly [body: Fields, fields: string])[] = [
      [{}, 'url=required'],
      [webhookBody({ url: undefined }), 'url=required'],
      [webhookBody({ url: 7 }), 'url=invalid_type'],
      [webhookBody({ url: '' }), 'url=invalid_format'],
      [webhookBody({ url: 'partner.example' }), 'url=invalid_format'],
      [webhookBody({ url: `https://a.example/${'x'.repeat(1_000)}` }), 'url=too_long'],
      [webhookBody({ url: 'ftp://a.example/' }), 'url=https_required'],
      [webhookBody({ url: 'https://u:p@a.example/' }), 'url=credentials_in_url'],
      [webhookBody({ url: 'https://a.example/#x' }), 'url=fragment_in_url'],
      [webhookBody({ url: 'https://a.example:81/' }), 'url=port_not_allowed'],
      [webhookBody({ url: 'https://10.0.0.1/' }), 'url=address_not_allowed'],
      [
        webhookBody({ url: 'ftp://u@0xa.1:21/#x' }),
        'url=https_required, url=credentials_in_url, url=fragment_in_url, url=address_not_allowed',
      ],
      [webhookBody({ events: 'sale.paid' }), 'events=invalid_type'],
      [webhookBody({ events: [] }), 'events=too_short'],
      [webhookBody({ events: ['sale.paid', 'sale.paid'] }), 'events=repeated'],
      [webhookBody({ events: ['sale.paid', 'sale.lost'] }), 'events.1=not_offered'],
      [webhookBody({ events: [1] }), 'events.0=not_offered'],
      [webhookBody({ description: 'a\u0000' }), 'description=invalid_format'],
      [webhookBody({ description: 'x'.repeat(201) }), 'description=too_long'],
      [webhookBody({ secret: 'mine' }), 'secret=unknown'],
      [webhookBody({ status: 'paused' }), 'status=unknown'],
      [
        { url: 'http://u@a.example:80/', event: [], description: 1 },
        'url=credentials_in_url, event=unknown, description=invalid_type',
      ],
    ];
    for (const [body, fields] of FAULTS)
      it(`refuses ${JSON.stringify(body).slice(0, 80)}: ${fields}`, async () => {
        const answer = await api().post(WEBHOOKS, body, partner);
        expect(answer.status).to.equal(422);
        expect(answer.body.code).to.equal('validation_failed');
        const seen = answer.headers.get('x-error-fields')?.split(', ').sort();
        expect(seen).to.deep.equal(fields.split(', ').sort());
        expect(Object.keys(answer.body.errors).sort()).to.deep.equal(
          [...new Set(fields.split(', ').map((each) => each.split('=')[0]))].sort(),
        );
        expect((await api().get(WEBHOOKS, partner)).body.data).to.deep.equal([]);
      });

    it('names the types of events that there are', async () => {
      const { body } = await api().post(WEBHOOKS, webhookBody({ events: ['sale.lost'] }), partner);
      expect(body.errors['events.0']).to.deep.equal([
        `O campo events.0 deve ser um destes: ${EVENT_TYPES.join(', ')}, *.`,
      ]);
    });

    it('refuses a URL that the channel has already, and names its webhook', async () => {
      const first = await create();
      const again = await api().post(WEBHOOKS, webhookBody({ url: first.url }), partner);
      expect(again.status).to.equal(422);
      expect(again.body.error_codes).to.deep.equal({ url: ['already_used'] });
      expect(again.body.errors.url[0]).to.include(first.id);
      const second = await create();
      const moved = await patch(second.id, { url: first.url });
      expect(moved.body.error_codes).to.deep.equal({ url: ['already_used'] });
      expect((await api().post(WEBHOOKS, webhookBody({ url: first.url }), other)).status).to.equal(
        201,
      );
    });

    it('refuses the twenty-first webhook of a channel', async () => {
      for (let count = 0; count < 20; count += 1) await create();
      const { status, body } = await api().post(WEBHOOKS, webhookBody(), partner);
      expect(status).to.equal(409);
      expect(body.code).to.equal('webhook_limit_reached');
    });

    it('changes what the body names', async () => {
      const { id } = await create({ description: 'antes' });
      const change = {
        url: 'https://b.example/hook',
        events: ['sale.refunded'],
        description: 'depois',
        status: 'paused',
      };
      const { status, body } = await patch(id, change);
      expect(status).to.equal(200);
      expect(body.data).to.deep.include({ ...change, disabled_at: '2026-11-20T15:00:00.000Z' });
      expect(body.data).not.to.have.property('secret');
      const active = await patch(id, { status: 'active', description: null });
      expect(active.body.data).to.deep.include({
        url: change.url,
        status: 'active',
        disabled_at: null,
        description: null,
      });
      expect((await patch(id, {})).body.data).to.deep.equal(active.body.data);
    });

    it('shows why a webhook was disabled, and enables it again', async () => {
      const { id } = await create();
      const disabled = { reason: 'gone', at: later(5) } as const;
      const failures = { failingSince: later(1), disabled };
      await api().memory.webhookEndpoints.noteHealth(id, 1, failures);
      expect((await api().get(`${WEBHOOKS}/${id}`, partner)).body.data).to.include({
        status: 'disabled',
        disabled_reason: 'gone',
        disabled_at: later(5),
        failing_since: later(1),
      });
      expect((await patch(id, { status: 'active' })).body.data).to.include({
        status: 'active',
        disabled_reason: null,
        failing_since: null,
      });
    });

    it('refuses a change with faults, all at once, and changes nothing', async () => {
      const { id } = await create();
      const answer = await patch(id, {
        ...{ url: 'https://127.1:22/', events: ['x'], status: 'disabled', secret: 'x' },
      });
      expect(answer.status).to.equal(422);
      expect(answer.body.error_codes).to.deep.equal({
        url: ['port_not_allowed'],
        'events.0': ['not_offered'],
        status: ['not_offered'],
        secret: ['unknown'],
      });
      const found = await api().get(`${WEBHOOKS}/${id}`, partner);
      expect(found.body.data).to.include({ status: 'active' });
      for (const text of ['', 'null', '[]', '"x"', '{'])
        expect(
          (
            await api().call(`${WEBHOOKS}/${id}`, {
              method: 'PATCH',
              headers: { 'Content-Type': 'application/json', ...partner },
              body: text,
            })
          ).status,
          text,
        ).to.equal(text === '' ? 200 : 400);
    });

    it('deletes a webhook, once', async () => {
      const { id } = await create();
      const { status, body } = await remove(id);
      expect([status, body]).to.deep.equal([204, undefined]);
      expect((await remove(id)).status).to.equal(404);
      expect((await api().get(`${WEBHOOKS}/${id}`, partner)).status).to.equal(404);
      expect((await api().get(`${WEBHOOKS}/${id}/deliveries`, partner)).status).to.equal(404);
      expect((await api().get(WEBHOOKS, partner)).body.data).to.deep.equal([]);
    });

    it('gives a new secret, shown once', async () => {
      const { id, secret } = await create();
      const rotate = (body: unknown = {}) =>
        api().post(`${WEBHOOKS}/${id}/rotate-secret`, body, partner);
      const rotated = await rotate();
      expect(rotated.status).to.equal(200);
      expect(rotated.body.data.secret).to.match(/^whsec_/);
      expect(rotated.body.data.secret).not.to.equal(secret);
      expect(rotated.body.data.previous_secret_until).to.equal('2026-11-21T15:00:00.000Z');
      expect((await rotate({ secret: 'mine' })).body.error_codes).to.deep.equal({
        secret: ['unknown'],
      });
      const found = await api().get(`${WEBHOOKS}/${id}`, partner);
      expect(JSON.stringify(found.body)).not.to.include('whsec_');
    });

    it('shows a webhook whose secret the service can no longer open, beside the others', async () => {
      const [lost, sound] = [await create(), await create()];
      const { webhookEndpoints } = api().memory;
      const stored = await webhookEndpoints.find(lost.id);
      if (stored) await webhookEndpoints.save({ ...stored, sealedSecret: 'lost' }, entry());
      const { body } = await api().get(WEBHOOKS, partner);
      const available = body.data.map((each: { id: string; secret_available: boolean }) => [
        each.id,
        each.secret_available,
      ]);
      expect(available).to.deep.equal([
        [lost.id, false],
        [sound.id, true],
      ]);
      const rotated = await api().post(`${WEBHOOKS}/${lost.id}/rotate-secret`, {}, partner);
      expect(rotated.body.data).to.include({ secret_available: true, previous_secret_until: null });
    });

    it('sends a test event, unless the webhook is paused', async () => {
      const { id } = await create();
      const test = () => api().post(`${WEBHOOKS}/${id}/test`, {}, partner);
      const { status, body } = await test();
      expect(status).to.equal(202);
      expect(body.data.event_id).to.match(/^evt_[0-9a-f]{32}$/);
      const feed = await api().get('/private/integration/events?type=webhook.test', partner);
      expect(feed.body.data.at(-1)).to.deep.include({
        id: body.data.event_id,
        type: 'webhook.test',
      });
      await patch(id, { status: 'paused' });
      const refused = await test();
      expect([refused.status, refused.body.code]).to.deep.equal([409, 'webhook_disabled']);
    });

    it('answers 404 to other channels, as for a webhook that does not exist', async () => {
      const { id } = await create();
      const requests = (target: string): readonly (readonly [string, string, unknown?])[] => [
        ['GET', target],
        ['PATCH', target, { status: 'paused' }],
        ['POST', `${target}/rotate-secret`, {}],
        ['POST', `${target}/test`, {}],
        ['GET', `${target}/deliveries`],
        ['POST', `${target}/deliveries/1/retry`, {}],
        ['POST', `${target}/replay`, { from: '2026-11-20T00:00:00Z' }],
        ['DELETE', target],
      ];
      const answers = (target: string, headers: object) =>
        Promise.all(
          requests(target).map(([method, path, body]) => send(api(), method, path, headers, body)),
        );
      const foreign = await answers(`${WEBHOOKS}/${id}`, other);
      const absent = await answers(`${WEBHOOKS}/whe_none`, other);
      const odd = await answers(`${WEBHOOKS}/${encodeURIComponent("x' or 1=1 \u0000 é")}`, other);
      const byAdmin = await answers(`/admin/channels/canal-alheio/webhooks/${id}`, admin);
      for (const each of [foreign, absent, odd, byAdmin])
        expect(new Set(statusesOf(each))).to.deep.equal(new Set([404]));
      expect(foreign.map(({ body }) => body)).to.deep.equal(absent.map(({ body }) => body));
      expect((await api().get(`${WEBHOOKS}/${id}`, partner)).body.data.status).to.equal('active');
      expect((await api().get(WEBHOOKS, other)).body.data).to.deep.equal([]);
    });

    it('is for clients with the scope sales; administrators name the channel', async () => {
      const { id } = await create();
      for (const [headers, status] of [
        [admin, 403],
        [{}, 401],
      ] as const) {
        expect((await api().get(WEBHOOKS, { ...headers })).status).to.equal(status);
        expect((await api().post(WEBHOOKS, webhookBody(), { ...headers })).status).to.equal(status);
        expect((await patch(id, {}, headers)).status).to.equal(status);
        expect((await remove(id, headers)).status).to.equal(status);
      }
      expect((await api().get(ADMIN_WEBHOOKS, partner)).status).to.equal(403);
      expect((await api().get(`${WEBHOOKS}?channelLink=canal-demo`, partner)).status).to.equal(422);
    });

    it('takes the credentials of a partner in the body or by HTTP Basic', async () => {
      const credentials = await api().client('canal-demo');
      const created = await api().post(WEBHOOKS, { ...webhookBody(), ...credentials });
      expect(created.status).to.equal(201);
      const path = `${WEBHOOKS}/${created.body.data.id}`;
      const changed = await send(api(), 'PATCH', path, {}, { ...credentials, description: 'x' });
      expect(changed.body.data).to.include({ description: 'x' });
      const { client_id, client_secret } = credentials;
      const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
      const removed = await send(api(), 'DELETE', path, { Authorization: `Basic ${basic}` });
      expect(removed.status).to.equal(204);
    });

    it('serves administrators below the channel', async () => {
      const created = await api().post(ADMIN_WEBHOOKS, webhookBody(), admin);
      expect(created.status).to.equal(201);
      expect(created.body.data.channelLink).to.equal('canal-demo');
      const path = `${ADMIN_WEBHOOKS}/${created.body.data.id}`;
      expect((await api().get(ADMIN_WEBHOOKS, admin)).body.data).to.have.length(1);
      expect((await api().get(path, admin)).status).to.equal(200);
      expect((await send(api(), 'PATCH', path, admin, { status: 'paused' })).status).to.equal(200);
      expect((await send(api(), 'PATCH', path, admin, { status: 'active' })).status).to.equal(200);
      expect((await api().post(`${path}/test`, {}, admin)).status).to.equal(202);
      expect((await api().post(`${path}/rotate-secret`, {}, admin)).status).to.equal(200);
      expect((await api().get(`${path}/deliveries`, admin)).status).to.equal(200);
      expect((await send(api(), 'DELETE', path, admin)).status).to.equal(204);
      for (const answer of [
        await api().get('/admin/channels/nada/webhooks', admin),
        await api().post('/admin/channels/nada/webhooks', webhookBody(), admin),
      ])
        expect([answer.status, answer.body.response]).to.deep.equal([404, 'Canal não encontrado.']);
    });

    it('leaves no secret, and no path or query of a URL, in log and audit log', async () => {
      const url = 'https://partner.example/path-token?key=query-token#';
      const first = await create({ url: url.slice(0, -1) });
      await api().post(WEBHOOKS, webhookBody({ url }), partner);
      const rotated = await api().post(`${WEBHOOKS}/${first.id}/rotate-secret`, {}, partner);
      const { body } = await api().get(`/admin/audit?subject=webhook/${first.id}`, admin);
      expect(body.response.data).to.have.length(2);
      const seen = JSON.stringify(body) + api().lines.join('\n');
      for (const hidden of [first.secret, rotated.body.data.secret, 'path-token', 'query-token'])
        expect(seen).not.to.include(hidden);
    });
  });
});

describe('the URL of a webhook, in production', () => {
  let api: Api;
  before(async () => {
    const rules = { isTest: false, publicUrl: 'https://sales.example.com' };
    api = await new Api({ fakes: { webhookUrls: new WebhookUrlRules(rules) } }).start();
  });
  after(() => api.stop());

  it('is public and has https: every fault of it is named', async () => {
    const url = 'http://u:p@127.1:22/#x';
    const { status, body } = await api.post(WEBHOOKS, webhookBody({ url }), await api.bearer());
    expect(status).to.equal(422);
    expect(body.error_codes.url).to.deep.equal([
      'https_required',
      'credentials_in_url',
      'fragment_in_url',
      'port_not_allowed',
      'address_not_allowed',
    ]);
    expect(new Set(body.errors.url).size).to.equal(5);
  });
});
