import Type from 'typebox';
import {
  type Acceptance,
  coverOf,
  type EndedByCancellation,
  isCancelled,
  type Price,
  protocolOf,
  type Quote,
  type Receipt,
  type Sale,
} from '#domain';
import type {
  CollectEvidence,
  Evidence,
  EvidenceSeal,
} from '../../../application/evidence/collect-evidence.ts';
import { MAILING_STATUSES, type Mailing } from '../../../application/mail/mailings.ts';
import { MAIL_OCCASIONS, occasionOf } from '../../../application/mailing-name.ts';
import { described, fieldsOf } from '../../kit/contract/described.ts';
import { nullable, nullableText } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import { inReais, reaisShape } from '../../kit/contract/units.ts';
import { actorOf, type Context, type Handler } from '../../kit/web/pipeline/context.ts';
import { channelTexts } from '../sales/channel-texts.ts';
import { disclosed, hashDisclosure } from '../sales/disclosure-answer.ts';
import {
  amounts,
  catalogueName,
  figures,
  nameEndReason,
  period,
  saleStatusShape,
} from '../sales/sale-answer-parts.ts';

const moment = () => Type.String({ description: 'Instante em UTC' });

const acceptance = described<Acceptance>()({
  acceptedAt: [moment(), ({ acceptedAt }) => acceptedAt],
  termsVersion: [Type.String(), ({ termsVersion }) => termsVersion],
  termsHash: [Type.String(), ({ termsHash }) => termsHash],
  disclosureHash: [nullableText(), ({ disclosureHash }) => disclosureHash ?? null],
  ipAddress: [nullableText(), ({ ipAddress }) => ipAddress ?? null],
  userAgent: [nullableText(), ({ userAgent }) => userAgent ?? null],
});

const receipt = described<Receipt>()({
  charge_id: [nullableText(), ({ chargeId }) => chargeId ?? null],
  amount: [reaisShape(), ({ amount }) => inReais(amount)],
  returned: [reaisShape(), ({ returned }) => inReais(returned)],
});

const paidOf = ({ payment }: Sale) => (payment.status === 'approved' ? payment : undefined);

const payment = described<Sale>()({
  collected_by: [Type.Enum(['channel', 'service']), ({ terms }) => terms.payment.collectedBy],
  method: [
    nullableText('credit, debit, pix ou boleto'),
    (sale) => paidOf(sale)?.method ?? sale.terms.payment.method ?? null,
  ],
  installments: [Type.Integer(), ({ terms }) => terms.payment.installments ?? 1],
  paid_on: [nullableText('O dia em que o segurado pagou'), (sale) => paidOf(sale)?.paidOn ?? null],
  booked_at: [
    nullableText('Quando o serviço soube do pagamento'),
    (sale) => ('bookedAt' in sale ? sale.bookedAt : undefined) ?? null,
  ],
  receipts: [
    Type.Array(receipt.schema, {
      description: 'O que foi recebido, e o que foi devolvido, por cobrança',
    }),
    ({ receipts }) => receipts.map(receipt.present),
  ],
});

const certificate = described<NonNullable<Evidence['certificate']>>()({
  kind: [Type.Enum(['bilhete', 'policy']), ({ kind }) => kind],
  number: [Type.String(), ({ number }) => number],
  issued_at: [moment(), ({ issuedAt }) => issuedAt],
  sha256: [
    Type.String({
      description:
        'Do PDF que o endereço do documento dá; outra versão do serviço pode desenhá-lo de outro modo',
    }),
    ({ sha256 }) => sha256,
  ],
});

const cancellation = described<EndedByCancellation>('EvidenceCancellation')({
  protocol: [Type.String(), (sale) => protocolOf(sale) as string],
  at: [moment(), ({ cancelledAt }) => cancelledAt],
  on: [Type.String(), (sale) => sale.cancellation.on],
  reason: [Type.String(), (sale) => nameEndReason(sale.cancellation.reason)],
  stated_reason: [
    nullableText('O motivo que o canal informou'),
    ({ cancellation: { stated } }) => stated?.reason ?? null,
  ],
  stated_text: [nullableText(), ({ cancellation: { stated } }) => stated?.text ?? null],
  by: [Type.Enum(['insured', 'insurer']), (sale) => sale.cancellation.by],
  refund: [amounts.schema, (sale) => amounts.present(sale.cancellation.refund)],
});

const mail = described<Mailing>()({
  occasion: [Type.Enum(MAIL_OCCASIONS), occasionOf],
  status: [Type.Enum(MAILING_STATUSES), ({ status }) => status],
  requested_at: [moment(), ({ requestedAt }) => requestedAt],
  settled_at: [nullableText(), ({ settledAt }) => settledAt ?? null],
});

const product = described<Evidence>()({
  id: [Type.Integer(), ({ sale }) => sale.terms.product.id],
  code: [Type.String(), ({ sale }) => sale.terms.product.code],
  name: [Type.String(), (evidence) => evidence.product.name],
  version: [nullable(Type.Integer()), ({ sale }) => sale.terms.product.version ?? null],
  susep_process: [Type.String(), (evidence) => evidence.product.registration.susepProcess],
  insurer: [
    Type.Object({ name: Type.String(), cnpj: Type.String(), susep_code: Type.String() }),
    (evidence) => {
      const { name, cnpj, susepCode } = evidence.product.registration.insurer;
      return { name, cnpj, susep_code: susepCode };
    },
  ],
});

const price = described<Price>()({
  of: [Type.Enum(['plan', 'coverage']), ({ of }) => of],
  code: [Type.String(), ({ code }) => code],
  name: [Type.String(), ({ name }) => name],
  amount: [reaisShape(), ({ amount }) => inReais(amount)],
});

const amountsAndLaw = described<Quote>()({
  ...figures.fields,
  iof_legal_basis: [
    Type.String({ description: 'A norma que fixa a alíquota' }),
    ({ premium }) => premium.legalBasis,
  ],
});

/** The content of the evidence, which the service signs. */
export const evidenceContent = described<Evidence>('EvidenceContent')({
  transaction_id: [Type.Integer(), ({ sale }) => sale.id],
  ticket: [Type.String(), ({ sale }) => sale.ticket],
  external_sale_id: [nullableText(), ({ sale }) => sale.terms.externalSaleId ?? null],
  ...fieldsOf(channelTexts.fields, ({ sale }: Evidence) => sale.terms),
  registered_at: [moment(), ({ sale }) => sale.registeredAt],
  status: [saleStatusShape, ({ sale }) => sale.status],
  channel: [
    Type.Object({ link: Type.String(), name: nullableText() }),
    ({ sale: { terms } }) => ({ link: terms.channelLink, name: terms.channelName ?? null }),
  ],
  product: [product.schema, product.present],
  plan: [catalogueName.schema, ({ sale }) => catalogueName.present(sale.terms.plan)],
  coverages: [
    Type.Array(catalogueName.schema, { description: 'As adicionais' }),
    ({ sale }) => sale.terms.coverages.map(catalogueName.present),
  ],
  insured: [
    Type.Object(
      { name: Type.String(), social_name: nullableText(), tax_id: Type.String() },
      { description: 'Quem é o segurado. Os demais dados pessoais estão no bilhete ou na apólice' },
    ),
    ({ sale: { terms } }) => ({
      name: terms.insured.name,
      social_name: terms.insured.socialName ?? null,
      tax_id: terms.insured.taxId,
    }),
  ],
  vigencia: [period.schema, ({ sale }) => period.present(coverOf(sale))],
  sold_on: [Type.String(), ({ sale }) => sale.terms.soldOn],
  prices: [
    Type.Array(price.schema, { description: 'De que o prêmio se compõe' }),
    ({ sale }) => sale.terms.quote.prices.map(price.present),
  ],
  amounts: [amountsAndLaw.schema, ({ sale }) => amountsAndLaw.present(sale.terms.quote)],
  acceptance: [
    nullable(acceptance.schema, 'Como o cliente aceitou; nulo se o canal não enviou'),
    ({ sale: { terms } }) => (terms.acceptance ? acceptance.present(terms.acceptance) : null),
  ],
  disclosure: [
    nullable(
      disclosed.schema,
      'O que disclosureHash nomeia; nulo se falta, ou não é deste produto e canal como vendidos',
    ),
    ({ sale: { terms }, disclosures }) => {
      const hash = terms.acceptance?.disclosureHash;
      const seen = disclosures.find((each) => hashDisclosure(each) === hash);
      return seen ? disclosed.present(seen) : null;
    },
  ],
  payment: [payment.schema, ({ sale }) => payment.present(sale)],
  certificate: [
    nullable(certificate.schema, 'Nulo até a emissão'),
    (evidence) => (evidence.certificate ? certificate.present(evidence.certificate) : null),
  ],
  email: [
    Type.Object({
      accepted: Type.String({ description: 'O endereço da venda' }),
      corrections: Type.Array(Type.Object({ email: Type.String(), at: moment() })),
    }),
    ({ sale: { terms, corrections = [] } }) => ({
      accepted: terms.insured.email,
      corrections: corrections.map(({ email, at }) => ({ email, at })),
    }),
  ],
  mails: [Type.Array(mail.schema), ({ mailings }) => mailings.map(mail.present)],
  cancellation: [
    nullable(cancellation.schema, 'Nulo se não foi cancelada'),
    ({ sale }) => (isCancelled(sale) ? cancellation.present(sale) : null),
  ],
});

export const evidenceAnswer = namedObject('Evidence', {
  success: Type.Literal(true),
  data: Type.Object({
    transaction_id: Type.Integer(),
    ticket: Type.String(),
    evidence: Type.String({
      contentMediaType: 'application/jose',
      contentSchema: evidenceContent.schema,
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
    const collected = await collectEvidence(sale, actorOf(ctx));
    const evidence = await evidenceSeal.sign(evidenceContent.present(collected));
    const { id, ticket } = sale;
    ctx.body = { success: true, data: { transaction_id: id, ticket, evidence } };
  };
