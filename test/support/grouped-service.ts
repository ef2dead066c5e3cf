import { expect } from 'chai';
import { groupOfNumber } from '../../application/groups/group-numbers.ts';
import { KEYS, type Variables } from './combinations.ts';
import { saleOrder } from './generic-sales.ts';
import { runOperator } from './operator-command.ts';
import { LocalService, Partner } from './service.ts';
import { within } from './stores.ts';
import { inDays } from './today.ts';

/** A service with group 0 and others, and a channel in each that sells the same. */
export class GroupedService {
  readonly environment: Variables;
  service!: LocalService;
  administrator!: Partner;
  /** The partners of group 0, 1, … */
  partners: Partner[] = [];

  constructor(environment: Variables) {
    this.environment = { ...KEYS, ...environment };
  }

  /** @param addresses of the databases of group 1, 2, … */
  async start(...addresses: readonly string[]): Promise<this> {
    this.service = await LocalService.start(this.environment);
    const { service } = this;
    this.administrator = new Partner(service.baseUrl, service.credentials('Administrator'));
    this.partners = [new Partner(service.baseUrl, service.credentials('Demo partner'))];
    for (const [index, address] of addresses.entries()) {
      const added = await runOperator(['group', 'add', address], this.environment);
      expect(added.code, added.errors).to.equal(0);
      this.partners.push(await this.partnerOf(`loja-${index + 1}`, index + 1));
    }
    await this.opened();
    return this;
  }

  /** Waits until each group answers its partner. */
  async opened(): Promise<void> {
    for (const partner of this.partners)
      await within(
        async () => (await this.get(partner, '/private/integration/sales')).status,
        (status) => status === 200,
      );
  }

  /** Logins of a client are limited. */
  readonly #tokens = new Map<Partner, Promise<string>>();

  #tokenOf(partner: Partner): Promise<string> {
    const token = this.#tokens.get(partner) ?? partner.token();
    this.#tokens.set(partner, token);
    return token;
  }

  async get(partner: Partner, path: string) {
    return partner.call(path, await this.#tokenOf(partner));
  }

  async json(partner: Partner, path: string) {
    return (await (await this.get(partner, path)).json()) as Record<string, never>;
  }

  async post(partner: Partner, path: string, body: object, method = 'POST') {
    const token = await this.#tokenOf(partner);
    return partner.call(path, token, { method, body: JSON.stringify(body) });
  }

  /** A channel like that of the demo, and a partner of it. */
  async partnerOf(channelLink: string, group: number | undefined): Promise<Partner> {
    const demo = await this.json(this.administrator, '/admin/channels/canal-demo');
    const { response } = demo as unknown as { response: { data: Record<string, unknown> } };
    const { version: _, updated_at: __, upcoming: ___, ...channel } = response.data;
    const body = { ...channel, channelLink, effectiveFrom: undefined, group };
    const path = `/admin/channels/${channelLink}`;
    const put = await this.post(this.administrator, path, body, 'PUT');
    expect(put.status, await put.clone().text()).to.equal(201);
    const client = { name: channelLink, channelLink, scopes: ['sales'] };
    const made = await this.post(this.administrator, '/admin/api-clients', client);
    const { response: created } = (await made.json()) as { response: { data: never } };
    return new Partner(this.service.baseUrl, created.data);
  }
}

/** A ticket that the channel was paid for. */
export const ticketOrder = (over: object = {}) =>
  saleOrder({
    product: { code: 'INGRESSO' },
    coverage: { startDate: inDays(0), endDate: inDays(60) },
    amounts: { insuredAmount: 1886, netPremium: 188.6 },
    payment: { status: 'paid', method: 'pix', paidAt: inDays(0) },
    attributes: { ticketType: 'full', ticketNumber: 'A-1', eventDate: inDays(60) },
    ...over,
  });

/** The group of a sale. */
export const groupOf = groupOfNumber;
