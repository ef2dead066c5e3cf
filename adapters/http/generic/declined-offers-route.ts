import Type from 'typebox';
import { isRefusal, type Reference, refuse } from '#domain';
import type {
  DeclinedCount,
  NoteDeclinedOffers,
} from '../../../application/selling/declined-offers.ts';
import { invalidFields } from '../../kit/contract/answer-error.ts';
import { described } from '../../kit/contract/described.ts';
import { closedObject } from '../../kit/contract/formats.ts';
import { refusalError } from '../../kit/contract/refusal-answers.ts';
import { compileValidator } from '../../kit/contract/validation.ts';
import { callerOf } from '../../kit/web/pipeline/context.ts';
import { BY_PARTNER, withCredentials } from '../oauth/partner-access.ts';
import type { Route } from '../routes/route.ts';
import { SELLING_REFUSALS } from '../sales/create-sale.ts';
import { describeRefusals, isForbidden } from '../sales/shown-refusals.ts';
import { reference } from './generic-body.ts';
import { COMPLAINTS, FIELDS } from './generic-dialect.ts';

const declinedBody = closedObject({
  product: reference('Produto oferecido'),
  count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Quantas ofertas foram recusadas. Padrão: 1',
    }),
  ),
});

export const declinedCount = described<DeclinedCount>('DeclinedOffers')({
  date: [Type.String({ format: 'date', description: 'Em São Paulo' }), ({ day }) => day],
  product: [Type.String({ description: 'O código do produto' }), ({ product }) => product],
  count: [Type.Integer({ description: 'As ofertas recusadas no dia' }), ({ count }) => count],
});

export interface DeclinedOffersParts {
  readonly noteDeclinedOffers: NoteDeclinedOffers;
}

const SHOWN = { fields: FIELDS, complaintOf: COMPLAINTS } as const;

const validateDeclined = compileValidator(declinedBody);

export const createDeclinedOffersRoute = ({ noteDeclinedOffers }: DeclinedOffersParts): Route => ({
  ...BY_PARTNER,
  method: 'post',
  path: '/private/integration/offers/declined',
  operationId: 'noteDeclinedOffers',
  summary: 'Conta ofertas de seguro que clientes recusaram: prova que o seguro é opcional',
  description:
    'Sem dados de cliente. Conta no dia de hoje, por produto; o total do mês está no extrato. Conte uma a uma ou várias de uma vez. Uma repetição conta de novo.',
  body: withCredentials(declinedBody, 'DeclinedOffersRequest'),
  answers: {
    200: {
      description: 'O total do dia',
      schema: Type.Object({ success: Type.Literal(true), data: declinedCount.schema }),
    },
    403: SELLING_REFUSALS[403],
  },
  handle: async function noteDeclined(exchange) {
    const { channelLink } = callerOf(exchange);
    if (channelLink === null) throw refusalError(refuse('channel_not_own'));
    const { ok, sound, faults } = validateDeclined(exchange.request.body as object);
    const { product, count = 1 } = sound;
    const declined =
      product &&
      (await noteDeclinedOffers(channelLink, product as Reference, ok ? count : undefined));
    if (declined === undefined) throw invalidFields(faults);
    if (isRefusal(declined)) {
      if (isForbidden(declined)) throw refusalError(declined);
      const refused = { reasons: [declined], attributeFaults: [] };
      throw invalidFields({ ...describeRefusals(refused, SHOWN), ...faults });
    }
    if (!ok) throw invalidFields(faults);
    exchange.body = { success: true, data: declinedCount.present(declined) };
  },
});
