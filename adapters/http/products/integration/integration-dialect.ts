import {
  type Instant,
  type JsonObject,
  parseExternalSaleId,
  parseInstant,
  type Reference,
} from '#domain';
import type { Clock } from '../../../../application/clock.ts';
import type { Faults } from '../../contract/answer-error.ts';
import { attributeFaults } from '../../sales/sale-attributes.ts';
import type { SaleDialect } from '../../sales/sale-dialect.ts';
import type { Naming } from '../../sales/idempotency.ts';
import { addressFaults, birthFaults } from '../../contract/people.ts';
import { everyRefusalAt, REFUSAL_ANSWERS } from '../../sales/sale-refusals.ts';
import { dateFrom } from '../../contract/domain-values.ts';
import { type SaleBody, saleBody } from './integration-body.ts';
import { requestFrom } from './integration-request.ts';

/** By the channel, which knows the sale by that name. */
export const BY_EXTERNAL_ID: Naming = {
  name: 'externalSaleId',
  of: (_ctx, _schema, body) => {
    // The channel is always the caller's own, whether it is said or not.
    const { externalSaleId, channelLink: _own, ...content } = body as SaleBody;
    // An empty list, or an object without fields, says as little as none.
    const said = Object.entries(content).filter(
      ([, value]) => typeof value !== 'object' || Object.keys(value).length > 0,
    );
    const key = parseExternalSaleId(externalSaleId) as string;
    return { owner: 'channel', key, content: Object.fromEntries(said) as JsonObject };
  },
};

const isReference = (sent: object | undefined): sent is Reference =>
  sent !== undefined && Object.keys(sent).length > 0;

/** `product`, `plan` and each of the coverages must name something. */
const referenceFaults = (
  { product, plan, coverages = [] }: Partial<SaleBody>,
  faults: Faults,
): Faults => {
  const sent = {
    product,
    plan,
    ...Object.fromEntries(coverages.map((each, index) => [`coverages.${index}`, each])),
  };
  const isFaulty = (field: string) =>
    Object.keys(faults).some((path) => path.startsWith(`${field}.`));
  const empty = Object.entries(sent).filter(
    ([field, each]) => each !== undefined && !isReference(each) && !isFaulty(field),
  );
  return Object.fromEntries(
    empty.map(([field]) => [field, [`O campo ${field} deve ter id ou code.`]]),
  );
};

/** So far, in milliseconds, a channel's clock may be ahead of ours. */
const AHEAD = 300_000;

const paidAtFaults = ({ payment }: Partial<SaleBody>, now: Instant): Faults => {
  const { status, paidAt } = payment ?? {};
  if (paidAt === undefined) return {};
  if (status === 'pending')
    return {
      'payment.paidAt': ['O campo payment.paidAt só cabe em um pagamento já feito (status paid).'],
    };
  const at = parseInstant(paidAt);
  const isToCome = at !== undefined && Date.parse(at) > Date.parse(now) + AHEAD;
  return isToCome ? { 'payment.paidAt': [REFUSAL_ANSWERS.paid_in_future.message] } : {};
};

/** What can be held against a schema: none at all is an empty object, but what is faulty in itself is nothing. */
const attributesIn = (
  { attributes }: Partial<SaleBody>,
  faults: Faults,
): JsonObject | undefined => {
  const own = attributeFaults(attributes);
  return 'attributes' in faults || Object.keys(own).length > 0 ? undefined : (attributes ?? {});
};

/** What is sold without an endpoint of its own: any product, from catalogue data alone. */
export const saleDialect = (clock: Clock): SaleDialect<typeof saleBody> => {
  const dayOf = (text: string) => {
    const at = parseInstant(text);
    return at === undefined ? dateFrom(text) : clock.dayOf(at);
  };
  return {
    schema: saleBody,
    draft: (sound, _, faults) => {
      const { product, plan, coverages = [], saleDate, insured, payment } = sound;
      return {
        product: isReference(product) ? product : undefined,
        plan: isReference(plan) ? plan : undefined,
        coverages: coverages.filter(isReference),
        paidTo: payment?.status === 'pending' ? 'service' : 'channel',
        soldOn: saleDate === undefined ? undefined : dateFrom(saleDate),
        paidOn: payment?.paidAt === undefined ? undefined : dayOf(payment.paidAt),
        birthDate: insured?.birthDate === undefined ? undefined : dateFrom(insured.birthDate),
        attributes: attributesIn(sound, faults),
      };
    },
    ownFaults: (sound, faults, today) => ({
      ...referenceFaults(sound, faults),
      ...addressFaults(sound.insured?.address, 'insured.address'),
      ...birthFaults(sound.additionalInsured, today),
      ...paidAtFaults(sound, clock.now()),
      ...attributeFaults(sound.attributes),
    }),
    request: (body, today) => requestFrom(body, today, dayOf),
    messageOf: {
      product_unknown: 'Produto não encontrado.',
      payment_not_with_channel: 'Este produto é pago ao serviço: payment.status deve ser pending.',
      payment_not_with_service: 'Este produto é pago ao parceiro: payment.status deve ser paid.',
      premium_not_positive: 'O prêmio, sem o preço das coberturas, deve ser maior que zero.',
      premium_not_declared:
        'O plano não tem tarifa: informe o prêmio em netPremium (em produto de preço bruto, em total).',
      period_reversed:
        'A vigência não pode terminar antes de começar (o evento, antes do pagamento).',
      period_not_declared:
        'A vigência deve ser informada (em plano que vai até o evento, pode ser attributes.eventDate).',
    },
    fieldOf: {
      ...everyRefusalAt('product'),
      ...{ channel_inactive: 'channelLink', channel_not_own: 'channelLink' },
      ...{ plan_unknown: 'plan', coverage_unknown: 'coverages', coverage_repeated: 'coverages' },
      ...{ payment_not_with_channel: 'payment.status', payment_not_with_service: 'payment.status' },
      ...{
        premium_not_declared: 'amounts',
        premium_not_positive: 'amounts',
        iof_rate_missing: 'payment.paidAt',
      },
      ...{
        net_premium_differs: 'amounts.netPremium',
        iof_differs: 'amounts.iof',
        total_differs: 'amounts.total',
      },
      ...{ insured_amount_missing: 'amounts.insuredAmount', amount_too_large: 'amounts' },
      ...{
        sold_in_future: 'saleDate',
        paid_in_future: 'payment.paidAt',
        born_in_future: 'insured.birthDate',
      },
      ...{
        event_before_payment: 'coverage.endDate',
        period_reversed: 'coverage.endDate',
        period_over: 'coverage.endDate',
      },
      ...{ period_not_declared: 'coverage', period_differs: 'coverage' },
      ...{
        installments_not_offered: 'payment.installments',
        installment_below_one_cent: 'payment.installments',
      },
    },
  };
};
