import Type from 'typebox';
import { MAILING_STATUSES } from '../../../../application/mail/mailings.ts';
import { MAIL_OCCASIONS } from '../../../../application/mailing-name.ts';
import { nullable, nullableText } from '../../contract/formats.ts';
import { reaisShape } from '../../contract/units.ts';
import { channelTextsShape } from '../../sales/channel-texts.ts';
import {
  amountsShape,
  namedShape,
  periodShape,
  saleStatusShape,
} from '../../sales/sale-answer-parts.ts';
import { saleData } from './integration-answers.ts';

const moment = () => Type.String({ description: 'Instante em UTC' });

const soldShape = {
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
  coverages: Type.Array(namedShape, {
    description: 'As adicionais',
  }),
  insured: Type.Object(
    { name: Type.String(), social_name: nullableText(), tax_id: Type.String() },
    { description: 'Quem é o segurado. Os demais dados pessoais estão no bilhete ou na apólice' },
  ),
  vigencia: periodShape,
  sold_on: Type.String(),
};

const priceShape = {
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
    ...saleData.properties.amounts.properties,
    iof_legal_basis: Type.String({ description: 'A norma que fixa a alíquota' }),
  }),
};

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

const deliveryShape = {
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
};

const cancellationShape = Type.Object(
  {
    protocol: Type.String(),
    at: moment(),
    on: Type.String(),
    reason: Type.String(),
    by: Type.Enum(['insured', 'insurer']),
    refund: amountsShape,
  },
  { title: 'EvidenceCancellation' },
);

/** The content of the evidence, which the service signs. */
export const evidenceContent = Type.Object(
  {
    transaction_id: Type.Integer(),
    ticket: Type.String(),
    external_sale_id: nullableText(),
    ...channelTextsShape,
    registered_at: moment(),
    status: saleStatusShape,
    ...soldShape,
    ...priceShape,
    acceptance: nullable(acceptanceShape, 'Como o cliente aceitou; nulo se o canal não enviou'),
    payment: paymentShape,
    certificate: nullable(certificateShape, 'Nulo até a emissão'),
    ...deliveryShape,
    cancellation: nullable(cancellationShape, 'Nulo se não foi cancelada'),
  },
  { title: 'EvidenceContent' },
);

export const evidenceAnswer = Type.Object(
  {
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
  },
  { title: 'Evidence' },
);
