import type { Static } from 'typebox';
import { type Acceptance, isCancelled, protocolOf, type Sale, type SaleTerms } from '#domain';
import type { Evidence } from '../../../../application/evidence/collect-evidence.ts';
import type { Mailing } from '../../../../application/mail/mailings.ts';
import { occasionOf } from '../../../../application/mailing-name.ts';
import { inReais } from '../../contract/units.ts';
import { presentChannelTexts } from '../../sales/channel-texts.ts';
import { presentAmounts, presentEndReason, presentPeriod } from '../../sales/sale-answer-parts.ts';
import type { evidenceContent } from './evidence-shape.ts';
import { presentFigures } from './integration-answers.ts';

type Content = Static<typeof evidenceContent>;

/** What the evidence of a sale says. */
export const presentEvidence = (evidence: Evidence): Content => {
  const { sale, certificate, mailings } = evidence;
  const { terms } = sale;
  return {
    transaction_id: sale.id,
    ticket: sale.ticket,
    external_sale_id: terms.externalSaleId ?? null,
    ...presentChannelTexts(terms),
    registered_at: sale.registeredAt,
    status: sale.status,
    ...presentSoldThings(evidence),
    ...presentPrice(terms),
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
      accepted: terms.insured.email,
      corrections: (sale.corrections ?? []).map(({ email, at }) => ({ email, at })),
    },
    mails: mailings.map(presentMail),
    cancellation: presentCancellation(sale),
  };
};

const presentSoldThings = ({ sale, product: { name, registration } }: Evidence) => {
  const { channelLink, channelName, product, plan, coverages, insured, soldOn } = sale.terms;
  const { insurer, susepProcess } = registration;
  return {
    channel: { link: channelLink, name: channelName ?? null },
    product: {
      id: product.id,
      code: product.code,
      name,
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
    sold_on: soldOn,
  };
};

const presentPrice = ({ quote }: SaleTerms): Pick<Content, 'prices' | 'amounts'> => ({
  prices: quote.prices.map(({ of, code, name, amount }) => ({
    of,
    code,
    name,
    amount: inReais(amount),
  })),
  amounts: { ...presentFigures(quote), iof_legal_basis: quote.premium.legalBasis },
});

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
