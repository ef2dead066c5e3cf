import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { EVENT_TYPES, type EventType } from '../../../../application/events/partner-events.ts';
import { withApi } from '../../../support/api.ts';
import { readExamples, writeExamples } from '../../../support/examples.ts';
import { SALE, saleOrder } from '../../../support/generic-sales.ts';
import { creditCard, phoneOrder } from '../../../support/orders.ts';
import { comparable } from '../../../support/readme-answers.ts';
import {
  fetchDocument,
  inlineReferences,
  type OpenApiDocument,
} from '../../../support/reference.ts';

const PHONE = '/seguros/seguro-celular/create';
const DAYS_TO_PAY = 5;

interface EventBody {
  readonly id: string;
  readonly type: EventType;
  readonly data: { readonly external_sale_id?: string };
}

/** RECORD=1 writes the events into the document's examples, before they are compared. */
const record = (told: readonly EventBody[]): void => {
  for (const [operation, examples] of readExamples()) {
    const { event } = examples.request;
    const shown = event?.body as EventBody | undefined;
    const now = shown && told.find((each) => isOfSale(each, shown));
    if (event === undefined || now === undefined) continue;
    writeExamples(operation, { request: { event: { ...event, body: asShown(now, shown) } } });
  }
};

const isOfSale = (event: EventBody, shown: EventBody): boolean =>
  event.type === shown.type && event.data.external_sale_id === shown.data.external_sale_id;

/** The event as it is sent now. A text of the same length as before (a ticket, a time) stays as it was. */
const asShown = (told: unknown, shown: unknown): unknown => {
  if (typeof told === 'string' && typeof shown === 'string')
    return told.length === shown.length ? shown : told;
  if (typeof told !== 'object' || told === null || Array.isArray(told)) return told;
  const before = (shown ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(told).map(([name, value]) => [name, asShown(value, before[name])]),
  );
};

/** An event without the addresses of payment pages, which contain its ticket. */
const withoutPages = (event: unknown): unknown =>
  JSON.parse(JSON.stringify(event).replaceAll(/https?:[^"]*\/sandbox\/pay\/[^"]*/g, 'PAGE'));

describe('the events that the OpenAPI document describes', () => {
  withApi(
    (api) => {
      let told: readonly EventBody[];
      let webhooks: NonNullable<OpenApiDocument['webhooks']>;

      /** Makes an event of every type happen, and reads the feed. */
      before(async () => {
        const headers = await api().bearer();
        const { clock, mailer, partnerEvents, runJobs, sandbox } = api().memory;
        const sell = async (path: string, order: object) =>
          (await api().post(path, order, headers)).body;

        await sell(SALE, saleOrder({ externalSaleId: 'trip-1' }));
        await runJobs();
        const pending = { status: 'pending', method: 'pix' };
        await sell(SALE, saleOrder({ externalSaleId: 'trip-2', payment: pending }));

        const phone = await sell(PHONE, phoneOrder({ externalSaleId: 'phone-3' }));
        await sandbox.payOnPage(phone.link.split('/').at(-1), 'pix', undefined, 'once');
        await runJobs();
        await runJobs();
        await api().post(`${SALE}/phone-3/cancel`, {}, headers);
        await runJobs();
        const card = creditCard({ number: '4000000000000002' });
        await sell(PHONE, phoneOrder({ externalSaleId: 'phone-4', creditCard: card }));

        await runJobs();
        mailer.next({ kind: 'refused', reason: 'EENVELOPE 550' });
        await sell(SALE, saleOrder({ externalSaleId: 'trip-5' }));
        await runJobs();
        await api().post(`${SALE}/trip-5/cancel`, {}, headers);

        const byCard = async (number: string, externalSaleId: string): Promise<void> => {
          await sell(PHONE, phoneOrder({ externalSaleId, creditCard: creditCard({ number }) }));
          await runJobs();
        };
        await byCard('4000000000000259', 'phone-6');
        const [{ id: disputed = '' } = {}] = await sandbox.chargesOf(6);
        await sandbox.endDispute(disputed, 'won');
        await byCard('4000000000005126', 'phone-7');
        await api().post(`${SALE}/phone-7/cancel`, {}, headers);
        await runJobs();

        const endpoint = 'whe_01M82EG9TNY22V1N59Z0BK1ZVG';
        await partnerEvents.requestTest('canal-demo', endpoint, clock.now());
        for (let hour = 0; hour <= DAYS_TO_PAY * 24; hour += 1) {
          clock.advance(3_600);
          await runJobs();
        }

        const feed = '/private/integration/events?limit=200';
        told = (await api().get(feed, await api().bearer())).body.data;
        if (process.env['RECORD'] === '1') record(told);
        const document = inlineReferences(await fetchDocument(api(), '/openapi.json'));
        webhooks = document.webhooks ?? {};
      });

      for (const type of EVENT_TYPES)
        it(`${type}: the document shows what the service tells`, () => {
          const content = webhooks[type]?.post.requestBody?.content['application/json'];
          const { examples } = content as unknown as {
            examples: { event: { value: EventBody } };
          };
          const { value: shown } = examples.event;
          const event = told.find((each) => isOfSale(each, shown));
          const sides = comparable([withoutPages(shown)], JSON.stringify(withoutPages(event)), 0);
          expect(sides.printed).to.deep.equal(sides.shown);
        });

      it('are each a webhook of the document, with the headers and the answers that count', () => {
        expect(Object.keys(webhooks)).to.deep.equal([...EVENT_TYPES]);
        const operations = Object.values(webhooks).map(({ post }) => post);
        expect(new Set(operations.map(({ operationId }) => operationId)).size).to.equal(
          EVENT_TYPES.length,
        );
        for (const { parameters = [], responses } of operations) {
          expect(parameters.map((each) => [each.name, each.in, each.required])).to.deep.equal([
            ['webhook-id', 'header', true],
            ['webhook-timestamp', 'header', true],
            ['webhook-signature', 'header', true],
          ]);
          expect(Object.keys(responses)).to.have.members(['2XX', '410', '429', '503', 'default']);
        }
      });

      it('have bodies that match their schemas, and those of no other type', () => {
        const ajv = new Ajv2020({ strict: false, validateFormats: false });
        const schemaOf = (type: string): object => {
          return webhooks[type]?.post.requestBody?.content['application/json']?.schema ?? {};
        };
        const validators = EVENT_TYPES.map((type) => ({
          type,
          validate: ajv.compile(schemaOf(type)),
        }));
        expect(told).to.have.length.above(EVENT_TYPES.length);
        for (const event of told)
          for (const { type, validate } of validators)
            expect(
              validate(event),
              `${event.type} as ${type}: ${JSON.stringify(validate.errors)}`,
            ).to.equal(event.type === type);
      });

      it('have no personal data', () => {
        const personal = ['Maria', '52998224725', '@', '98765', 'Flores', '1990-', '4000000000'];
        for (const word of personal) expect(JSON.stringify(told)).not.to.include(word);
      });
    },
    { now: '2026-11-22T12:00:00.000Z' },
  );
});
