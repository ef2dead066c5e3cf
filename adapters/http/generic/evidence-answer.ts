import Type, { type Static } from 'typebox';
import { type Acceptance, isCancelled, protocolOf, type Sale } from '#domain';
import type {
  CollectEvidence,
  Evidence,
  EvidenceSeal,
} from '../../../application/evidence/collect-evidence.ts';
import { MAILING_STATUSES, type Mailing } from '../../../application/mail/mailings.ts';
import { MAIL_OCCASIONS, occasionOf } from '../../../application/mailing-name.ts';
import { nullable, nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { actorOf, type Context, type Handler } from '../../kit/web/pipeline/context.ts';
import { channelTextsShape, presentChannelTexts } from '../sales/channel-texts.ts';
import {
  amountsShape,
  figuresShape,
  namedShape,
  periodShape,
  presentAmounts,
  presentEndReason,
  presentFigures,
  presentPeriod,
  saleStatusShape,
} from '../sales/sale-answer-parts.ts';

const moment = () => Type.String({ description: 'Instante em UTC' });

const acceptanceShape = Type.Object({
  acceptedAt: moment(),
  termsVersion: Type.String(),
  termsHash: Type.String(),
  ipAddress: nullableText(),
  userAgent: nullableText(),
});

const paymentShape = Type.Object({
  collected_by: Type.Enum(['channel', 'service']),
  method: nullableText('credit, debit, pix ou boleto'),
  installments: Type.Integer(),
  paid_on: nullableText('O dia em que o segurado pagou'),
  booked_at: nullableText('Quando o serviço soube do pagamento'),
  receipts: Type.Array(
    Type.Object({ charge_id: nullableText(), amount: reaisShape(), returned: reaisShape() }),
    { description: 'O que foi recebido, e o que foi devolvido, por cobrança' },
  ),
});

const certificateShape = Type.Object({
  kind: Type.Enum(['bilhete', 'policy']),
  number: Type.String(),
  issued_at: moment(),
  sha256: Type.String({
    description:
      'Do PDF que o endereço do documento dá; outra versão do serviço pode desenhá-lo de outro modo',
  }),
});

const cancellationShape = namedObject('EvidenceCancellation', {
  protocol: Type.String(),
  at: moment(),
  on: Type.String(),
  reason: Type.String(),
  by: Type.Enum(['insured', 'insurer']),
  refund: amountsShape,
});

/** The content of the evidence, which the service signs. */
const evidenceContent = namedObject('EvidenceContent', {
  transaction_id: Type.Integer(),
  ticket: Type.String(),
  external_sale_id: nullableText(),
  ...channelTextsShape,
  registered_at: moment(),
  status: saleStatusShape,
  channel: Type.Object({ link: Type.String(), name: nullableText() }),
  product: Type.Object({
    id: Type.Integer(),
    code: Type.String(),
    name: Type.String(),
    version: nullable(Type.Integer()),
    susep_process: Type.String(),
    insurer: Type.Object({ name: Type.String(), cnpj: Type.String(), susep_code: Type.String() }),
  }),
  plan: namedShape,
  coverages: Type.Array(namedShape, { description: 'As adicionais' }),
  insured: Type.Object(
    { name: Type.String(), social_name: nullableText(), tax_id: Type.String() },
    { description: 'Quem é o segurado. Os demais dados pessoais estão no bilhete ou na apólice' },
  ),
  vigencia: periodShape,
  sold_on: Type.String(),
  prices: Type.Array(
    Type.Object({
      of: Type.Enum(['plan', 'coverage']),
      code: Type.String(),
      name: Type.String(),
      amount: reaisShape(),
    }),
    { description: 'De que o prêmio se compõe' },
  ),
  amounts: Type.Object({
    ...figuresShape.properties,
    iof_legal_basis: Type.String({ description: 'A norma que fixa a alíquota' }),
  }),
  acceptance: nullable(acceptanceShape, 'Como o cliente aceitou; nulo se o canal não enviou'),
  payment: paymentShape,
  certificate: nullable(certificateShape, 'Nulo até a emissão'),
  email: Type.Object({
    accepted: Type.String({ description: 'O endereço da venda' }),
    corrections: Type.Array(Type.Object({ email: Type.String(), at: moment() })),
  }),
  mails: Type.Array(
    Type.Object({
      occasion: Type.Enum(MAIL_OCCASIONS),
      status: Type.Enum(MAILING_STATUSES),
      requested_at: moment(),
      settled_at: nullableText(),
    }),
  ),
  cancellation: nullable(cancellationShape, 'Nulo se não foi cancelada'),
});

export const evidenceAnswer = namedObject('Evidence', {
  success: Type.Literal(true),
  data: Type.Object({
    transaction_id: Type.Integer(),
    ticket: Type.String(),
    evidence: Type.String({
      contentMediaType: 'application/jose',
      contentSchema: evidenceContent,
      description:
        'JWS compacto (RFC 7515), typ sale-evidence+jwt, ES256, com iss e iat; confere-se com as chaves de /.well-known/jwks.json',
    }),
  }),
});

export interface EvidenceParts {
  readonly collectEvidence: CollectEvidence;
  readonly evidenceSeal: EvidenceSeal;
}

/** Answers with the signed evidence of a sale. */
export const showEvidence = (
  { collectEvidence, evidenceSeal }: EvidenceParts,
  loadSale: (ctx: Context) => Promise<Sale>,
): Handler =>
  async function showEvidence(ctx) {
    const sale = await loadSale(ctx);
    const content = presentEvidence(await collectEvidence(sale, actorOf(ctx)));
    const evidence = await evidenceSeal.sign(content);
    const { id, ticket } = sale;
    ctx.body = { success: true, data: { transaction_id: id, ticket, evidence } };
  };

type Content = Static<typeof evidenceContent>;

/** What the evidence of a sale says. */
const presentEvidence = (evidence: Evidence): Content => {
  const { sale, product: current, certificate, mailings } = evidence;
  const { terms } = sale;
  const { product, plan, coverages, insured, quote } = terms;
  const { insurer, susepProcess } = current.registration;
  return {
    transaction_id: sale.id,
    ticket: sale.ticket,
    external_sale_id: terms.externalSaleId ?? null,
    ...presentChannelTexts(terms),
    registered_at: sale.registeredAt,
    status: sale.status,
    channel: { link: terms.channelLink, name: terms.channelName ?? null },
    product: {
      id: product.id,
      code: product.code,
      name: current.name,
      version: product.version ?? null,
      susep_process: susepProcess,
      insurer: { name: insurer.name, cnpj: insurer.cnpj, susep_code: insurer.susepCode },
    },
    plan: { id: plan.id, code: plan.code },
    coverages: coverages.map(({ id, code }) => ({ id, code })),
    insured: {
      name: insured.name,
      social_name: insured.socialName ?? null,
      tax_id: insured.taxId,
    },
    vigencia: presentPeriod(sale),
    sold_on: terms.soldOn,
    prices: quote.prices.map((price) => ({
      of: price.of,
      code: price.code,
      name: price.name,
      amount: inReais(price.amount),
    })),
    amounts: { ...presentFigures(quote), iof_legal_basis: quote.premium.legalBasis },
    acceptance: terms.acceptance ? presentAcceptance(terms.acceptance) : null,
    payment: presentPayment(sale),
    certificate: certificate
      ? {
          kind: certificate.kind,
          number: certificate.number,
          issued_at: certificate.issuedAt,
          sha256: certificate.sha256,
        }
      : null,
    email: {
      accepted: insured.email,
      corrections: (sale.corrections ?? []).map(({ email, at }) => ({ email, at })),
    },
    mails: mailings.map(presentMail),
    cancellation: presentCancellation(sale),
  };
};

const presentAcceptance = (acceptance: Acceptance): Content['acceptance'] => ({
  acceptedAt: acceptance.acceptedAt,
  termsVersion: acceptance.termsVersion,
  termsHash: acceptance.termsHash,
  ipAddress: acceptance.ipAddress ?? null,
  userAgent: acceptance.userAgent ?? null,
});

const presentPayment = (sale: Sale): Content['payment'] => {
  const { terms, payment, receipts } = sale;
  const paid = payment.status === 'approved' ? payment : undefined;
  return {
    collected_by: terms.payment.collectedBy,
    method: paid?.method ?? terms.payment.method ?? null,
    installments: terms.payment.installments ?? 1,
    paid_on: paid?.paidOn ?? null,
    booked_at: ('bookedAt' in sale ? sale.bookedAt : undefined) ?? null,
    receipts: receipts.map(({ chargeId, amount, returned }) => ({
      charge_id: chargeId ?? null,
      amount: inReais(amount),
      returned: inReais(returned),
    })),
  };
};

const presentMail = (mailing: Mailing): Content['mails'][number] => ({
  occasion: occasionOf(mailing),
  status: mailing.status,
  requested_at: mailing.requestedAt,
  settled_at: mailing.settledAt ?? null,
});

const presentCancellation = (sale: Sale): Content['cancellation'] => {
  if (!isCancelled(sale)) return null;
  const { on, reason, by, refund } = sale.cancellation;
  return {
    protocol: protocolOf(sale) as string,
    at: sale.cancelledAt,
    on,
    reason: presentEndReason(reason),
    by,
    refund: presentAmounts(refund),
  };
};
