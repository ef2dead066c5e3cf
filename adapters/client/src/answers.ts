import type { components, operations } from './generated.ts';

/** The schemas of the API's document, by their names there. */
export type Schemas = components['schemas'];

type OperationId = keyof operations;

type JsonOf<Content> = Content extends { content: { 'application/json': infer Body } }
  ? Body
  : never;

type Successes<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201 | 202 ? JsonOf<Responses[Status]> : never;
}[keyof Responses];

/** The JSON body of a request, by the name of its operation. */
export type Body<Id extends OperationId> = operations[Id] extends { requestBody: infer Sent }
  ? JsonOf<Sent>
  : operations[Id] extends { requestBody?: infer Sent }
    ? JsonOf<NonNullable<Sent>>
    : never;

/** The JSON body of a successful answer, by the name of its operation. */
export type Answer<Id extends OperationId> = Successes<operations[Id]['responses']>;

/** The document describes `limit` as text; a number is sent as the same text. */
type WithNumericLimit<Sent> = {
  [Name in keyof Sent]: Name extends 'limit' ? Sent[Name] | number : Sent[Name];
};

/** The query of a request, by the name of its operation. */
export type Query<Id extends OperationId> = operations[Id] extends {
  parameters: { query?: infer Sent };
}
  ? WithNumericLimit<NonNullable<Sent>>
  : never;

/** What an answer says beside its body. */
export interface AnswerDetails {
  readonly status: number;
  /** Names the request in the logs of the service. */
  readonly requestId: string;
  /** Whether it is the answer to an earlier request of the same name. */
  readonly isReplayed: boolean;
  /** Fields of the request that the service does not know. */
  readonly ignoredFields: readonly string[];
  /** How many requests were sent. */
  readonly attempts: number;
  /** The name in the body of a sale, by which `getSale` finds it. */
  readonly externalSaleId: string | undefined;
  /** The key of a sale, with which the same call finds it; `getSale` does not. */
  readonly idempotencyKey: string | undefined;
}

const detailsByBody = new WeakMap<object, AnswerDetails>();

export const keepDetails = (body: object, details: AnswerDetails): void => {
  detailsByBody.set(body, details);
};

/**
 * What an answer of this client says beside its body.
 *
 * @throws TypeError if the object is no answer of this client
 */
export const detailsOf = (answer: object): AnswerDetails => {
  const details = detailsByBody.get(answer);
  if (details === undefined) throw new TypeError('This object is no answer of the client');
  return details;
};

/** Decodes percent-encoded text; returns it as it is if it is not encoded rightly. */
export const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The details of an answer, from its head. */
export const readDetails = (
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  sent: {
    readonly requestId: string;
    readonly attempts: number;
    readonly externalSaleId?: string | undefined;
    readonly idempotencyKey?: string | undefined;
  },
): AnswerDetails => ({
  status,
  requestId: headers.get('X-Request-Id') ?? sent.requestId,
  isReplayed: headers.get('Idempotent-Replayed') === 'true',
  ignoredFields: (headers.get('X-Ignored-Fields') ?? '')
    .split(', ')
    .filter((name) => name !== '')
    .map(decode),
  attempts: sent.attempts,
  externalSaleId: sent.externalSaleId,
  idempotencyKey: sent.idempotencyKey,
});
