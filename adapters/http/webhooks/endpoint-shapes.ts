import Type from 'typebox';
import { EVENT_TYPES } from '../../../application/events/partner-events.ts';
import { ALL_EVENTS, type Subscription } from '../../../application/webhooks/endpoints.ts';
import type {
  EndpointWithSecret,
  NewEndpoint,
  ShownEndpoint,
} from '../../../application/webhooks/manage-webhooks.ts';
import type {
  UrlFault,
  WebhookUrl,
  WebhookUrls,
} from '../../../application/webhooks/webhook-urls.ts';
import { described } from '../../kit/contract/described.ts';
import { type Complaint, complain, type FieldFaults } from '../../kit/contract/field-faults.ts';
import { closedObject, nullable, nullableText, text } from '../../kit/contract/formats.ts';
import { closedNamedObject } from '../../kit/contract/named-object.ts';
import { compileValidator } from '../../kit/contract/validation.ts';

/** Characters of a URL, at most. */
const MAX_URL_LENGTH = 1_000;

const url = Type.String({
  maxLength: MAX_URL_LENGTH,
  examples: ['https://parceiro.example/webhooks'],
  description:
    'https, em ASCII, sem usuário, senha nem fragmento, na porta 443 ou de 1024 em diante, num endereço público',
});

const subscription = Type.Enum([...EVENT_TYPES, ALL_EVENTS], { title: 'Subscription' });

const events = Type.Array(subscription, {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
  description:
    'Os tipos a enviar; ["*"], o padrão, são todos, também os futuros. webhook.test vai a pedido, sempre',
});

/** A list with `*` beside others is the same as one without the others. */
export const readEvents = (sent: readonly Subscription[]): readonly Subscription[] =>
  sent.includes(ALL_EVENTS) ? [ALL_EVENTS] : sent;

const description = Type.Optional(text(200));

export const newEndpointBody = closedNamedObject('NewWebhook', {
  url,
  events: Type.Optional(events),
  description,
});

export const endpointChangeBody = closedNamedObject('WebhookChange', {
  url: Type.Optional(url),
  events: Type.Optional(events),
  description: Type.Optional(text(200, { description: 'null a retira' })),
  status: Type.Optional(
    Type.Enum(['active', 'paused'], {
      description:
        'active também reativa um webhook desativado, e encerra a pausa depois de falhas',
    }),
  ),
});

export const emptyWebhookBody = closedObject({});

export const webhookTestBody = closedObject({
  wrongSignature: Type.Optional(
    Type.Boolean({ description: 'true: com uma assinatura errada, que deve ser recusada' }),
  ),
});

/** The service stops sending to an endpoint that it disabled; a paused one the channel paused. */
const disabledReason = ({ endpoint: { disabled } }: ShownEndpoint) =>
  disabled === undefined || disabled.reason === 'paused' ? null : disabled.reason;

const statusOf = ({ endpoint: { disabled } }: ShownEndpoint) => {
  if (disabled === undefined) return 'active';
  return disabled.reason === 'paused' ? 'paused' : 'disabled';
};

export const webhook = described<ShownEndpoint>('Webhook')({
  id: [Type.String(), ({ endpoint }) => endpoint.id],
  channelLink: [Type.String(), ({ endpoint }) => endpoint.channelLink],
  url: [Type.String(), ({ endpoint }) => endpoint.url],
  events: [Type.Array(subscription), ({ endpoint }) => endpoint.events],
  description: [nullableText(), ({ endpoint }) => endpoint.description ?? null],
  status: [Type.Enum(['active', 'paused', 'disabled']), statusOf],
  disabled_reason: [
    nullable(
      Type.Enum(['gone', 'failing']),
      'gone: respondeu 410; failing: cinco dias só de falhas. Nulo se não for disabled',
    ),
    disabledReason,
  ],
  disabled_at: [
    nullableText('Desde quando nada é enviado'),
    ({ endpoint }) => endpoint.disabled?.at ?? null,
  ],
  failing_since: [
    nullableText('Desde quando toda tentativa falha'),
    ({ endpoint }) => endpoint.failingSince ?? null,
  ],
  paused_until: [
    nullableText('Até quando nada é tentado, depois de falhas ou por Retry-After'),
    ({ endpoint }) => endpoint.pausedUntil ?? null,
  ],
  secret_available: [
    Type.Boolean({
      description:
        'Falso: o serviço não pode mais assinar com o segredo; peça outro (rotate-secret)',
    }),
    ({ canSign }) => canSign,
  ],
  previous_secret_until: [
    nullableText('Até quando o segredo anterior também assina'),
    ({ endpoint }) => endpoint.previous?.until ?? null,
  ],
  created_at: [Type.String(), ({ endpoint }) => endpoint.createdAt],
});

export const webhookWithSecret = described<EndpointWithSecret>('WebhookWithSecret')({
  ...webhook.fields,
  secret: [
    Type.String({ description: 'whsec_…, exibido somente nesta resposta' }),
    ({ secret }) => secret,
  ],
});

const URL_COMPLAINTS: Readonly<Record<UrlFault, Complaint>> = {
  malformed: complain(
    'invalid_format',
    'O campo url deve ser um endereço completo, em ASCII, como https://parceiro.example/webhooks.',
  ),
  not_https: complain('https_required', 'O campo url deve começar com https://.'),
  has_credentials: complain(
    'credentials_in_url',
    'O campo url não pode ter usuário nem senha: a assinatura prova de quem é o envio.',
  ),
  has_fragment: complain('fragment_in_url', 'O campo url não pode ter fragmento (#).'),
  port_not_allowed: complain(
    'port_not_allowed',
    'O campo url deve ter a porta 443, ou uma de 1024 a 65535.',
  ),
  not_public: complain(
    'address_not_allowed',
    'O campo url deve ter um endereço público: nem local, nem privado, nem reservado.',
  ),
  own_host: complain('address_not_allowed', 'O campo url não pode ter o endereço deste serviço.'),
};

/** Reads the URL of a body, if it has a sound one, with its faults. */
export const readUrl = (
  urls: WebhookUrls,
  given: string | undefined,
): { readonly url?: WebhookUrl; readonly faults: FieldFaults } => {
  if (given === undefined) return { faults: {} };
  const reading = urls.read(given);
  if (reading.ok) return { url: reading.url, faults: {} };
  return { faults: { url: reading.faults.map((fault) => URL_COMPLAINTS[fault]) } };
};

const validateNewEndpoint = compileValidator(newEndpointBody);

/** Reads what an endpoint is to be, or every fault of the body. */
export const readNewEndpoint = (
  urls: WebhookUrls,
  body: object,
): NewEndpoint | { readonly faults: FieldFaults } => {
  const checked = validateNewEndpoint(body);
  const { url, faults } = readUrl(urls, checked.sound.url);
  if (!checked.ok || url === undefined) return { faults: { ...faults, ...checked.faults } };
  const { events = [ALL_EVENTS], description: words } = checked.value;
  return { url, events: readEvents(events), description: words };
};

/** @param id of the endpoint that has the URL */
export const complainOfTakenUrl = (id: string | undefined): FieldFaults => ({
  url: [
    complain(
      'already_used',
      `O canal já tem um webhook com este endereço${id === undefined ? '' : `: ${id}`}. Se o segredo se perdeu, peça outro com rotate-secret.`,
    ),
  ],
});
