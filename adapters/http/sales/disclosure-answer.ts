import { createHash } from 'node:crypto';
import Type from 'typebox';
import { COMMISSION_KINDS } from '#domain';
import type { Disclosure } from '../../../application/selling/disclosure.ts';
import { CHANNEL_ROLES } from '../../kit/contract/catalogue-shapes.ts';
import { described } from '../../kit/contract/described.ts';
import { nullable, nullableText } from '../../kit/contract/formats.ts';
import { inPercent, inReais, percentShape, reaisShape } from '../../kit/contract/units.ts';

/** The SHA-256 of the sentences, joined by line feeds, in hexadecimal. */
export const hashDisclosure = ({ texts }: Disclosure): string =>
  createHash('sha256').update(texts.join('\n')).digest('hex');

export const disclosed = described<Disclosure>(
  'Disclosure',
  'O que o cliente deve ver antes de comprar (Resolução CNSP 382/2020, art. 4º)',
)({
  channel: [
    Type.Object({ name: Type.String(), cnpj: nullableText(), role: nullableText() }),
    ({ channel: { name, cnpj = null, role } }) => ({
      name,
      cnpj,
      role: role === undefined ? null : CHANNEL_ROLES[role],
    }),
  ],
  remuneration: [
    Type.Object(
      {
        kinds: Type.Array(Type.Enum(COMMISSION_KINDS)),
        min_rate: percentShape(),
        max_rate: percentShape(),
        amount: nullable(reaisShape(), 'Em reais, numa oferta; nulo num produto'),
      },
      { description: 'O que o canal recebe, em por cento do prêmio líquido, conforme o plano' },
    ),
    ({ remuneration: { kinds, least, most, amount } }) => ({
      kinds: [...kinds],
      min_rate: inPercent(least),
      max_rate: inPercent(most),
      amount: amount === undefined ? null : inReais(amount),
    }),
  ],
  insurer: [
    Type.Object({ name: Type.String(), cnpj: Type.String() }),
    ({ insurer: { name, cnpj } }) => ({ name, cnpj }),
  ],
  exclusive: [
    Type.Boolean({ description: 'Se o canal tem contrato de exclusividade com a seguradora' }),
    ({ exclusive }) => exclusive,
  ],
  optional: [Type.Boolean({ description: 'Sempre verdadeiro' }), () => true],
  withdrawalDays: [
    Type.Integer({ description: 'Dias para desistir com devolução integral' }),
    ({ withdrawalDays }) => withdrawalDays,
  ],
  texts: [
    Type.Array(Type.String(), { description: 'Tudo isto em frases, para mostrar nesta ordem' }),
    ({ texts }) => [...texts],
  ],
});

/** The disclosure, with the hash that names it. */
export const disclosureFields = described<{ readonly disclosure: Disclosure }>()({
  disclosure: [disclosed.schema, ({ disclosure }) => disclosed.present(disclosure)],
  disclosure_hash: [
    Type.String({
      description:
        'SHA-256 das frases de texts unidas por \\n: mande-o em acceptance.disclosureHash na venda',
    }),
    ({ disclosure }) => hashDisclosure(disclosure),
  ],
}).fields;
