import type { Route } from '../routes/route.ts';
import type { OperationExamples } from './examples.ts';
import type { NamedSchemas } from './named-schemas.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: object;
  readonly example?: unknown;
}

interface PathParameter {
  readonly description: string;
  readonly example: string;
}

/** The parameters of paths. */
const PATH_PARAMETERS: Readonly<Record<string, PathParameter>> = {
  alertId: { description: 'O alert_id do alerta.', example: '1' },
  channelLink: { description: 'O identificador do canal.', example: 'canal-demo' },
  client_id: { description: 'O client_id do cliente da API.', example: 'cli_demo' },
  code: { description: 'O código do produto.', example: 'INGRESSO' },
  deliveryId: { description: 'O id da entrega.', example: '1' },
  effectiveFrom: { description: 'O dia em que a versão passaria a valer.', example: '2027-01-01' },
  externalSaleId: {
    description:
      'O externalSaleId da venda ou o seu ticket. Se um ticket é igual ao externalSaleId de outra venda, vale o externalSaleId.',
    example: 'pedido-1001',
  },
  gateway: { description: 'O nome do gateway de pagamento configurado.', example: 'asaas' },
  id: { description: 'O transaction_id da venda.', example: '1' },
  mailingId: {
    description: 'O mailing_id do envio: transaction_id e número, ou cancellation.',
    example: '1-0',
  },
  proposalNo: {
    description: 'O ticket ou o externalSaleId da venda.',
    example: '01KA9X8M7CJ2V5T0QZ3RWE6YHB',
  },
  request_id: {
    description: 'O X-Request-Id de uma requisição.',
    example: '01KA9X8M7CJ2V5T0QZ3RWE6YHB',
  },
  ticket: {
    description: 'O ticket ou o externalSaleId da venda.',
    example: '01KA9X8M7CJ2V5T0QZ3RWE6YHB',
  },
  webhookId: { description: 'O id do webhook.', example: 'whe_01M82EG9TNY22V1N59Z0BK1ZVG' },
};

const describePathParameters = ({ path }: Route): readonly Parameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const described = PATH_PARAMETERS[name];
    if (described === undefined) throw new Error(`no description of the path parameter ${name}`);
    const schema = { type: 'string' };
    return { name, in: 'path', required: true, ...described, schema };
  });

const describeQuery = ({ query }: Route, schemas: NamedSchemas): readonly Parameter[] => {
  const { properties = {}, required = [] } = query ?? {};
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...schema } = property as { readonly description?: string };
    return {
      name,
      in: 'query',
      required: (required as readonly string[]).includes(name),
      description,
      schema: schemas.write(schema),
    };
  });
};

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Um nome desta requisição, único no cliente: repetida com ele, responde o mesmo, sem vender de novo. De 1 a 255 caracteres ASCII visíveis.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: 'pedido-1001',
};

const PREFER: Parameter = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: 'handling=strict: recusa todo campo desconhecido, como no ambiente de teste.',
  schema: { type: 'string' },
  example: 'handling=strict',
};

/** The parameters of a route, each with the value of the first example that has it. */
export const parametersOf = (
  route: Route,
  { request = {} }: OperationExamples,
  schemas: NamedSchemas,
): readonly Parameter[] => {
  const examples = Object.values(request);
  const parameters = [
    ...describePathParameters(route),
    ...describeQuery(route, schemas),
    ...(route.idempotent ? [IDEMPOTENCY_KEY, PREFER] : []),
  ];
  return parameters.map((parameter) => {
    if (parameter.in !== 'query') return parameter;
    const values = examples.map(({ query }) => query?.[parameter.name]);
    const sent = values.find((value) => value !== undefined);
    const { type } = parameter.schema as { readonly type?: string };
    const example = type === 'array' && sent !== undefined ? String(sent).split(',') : sent;
    return example === undefined ? parameter : { ...parameter, example };
  });
};

type Described = Parameter | { readonly $ref: string };

interface WithParameters {
  readonly parameters?: readonly Parameter[];
}

/**
 * Replaces parameters that several operations share by references. The components have the names of
 * the parameters; where two different parameters of one name are shared, the first one gets it.
 */
export const shareParameters = (
  operations: readonly WithParameters[],
): {
  readonly components: Readonly<Record<string, Parameter>>;
  readonly refer: (parameter: Parameter) => Described;
} => {
  const counts = new Map<string, { readonly parameter: Parameter; count: number }>();
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const key = keyOf(parameter);
    const known = counts.get(key) ?? { parameter, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }

  const components: Record<string, Parameter> = {};
  for (const { parameter, count } of counts.values())
    if (count > 1) components[parameter.name] ??= parameter;

  const refer = (parameter: Parameter): Described => {
    const { name } = parameter;
    const shared = components[name];
    return shared !== undefined && keyOf(shared) === keyOf(parameter)
      ? { $ref: `#/components/parameters/${name}` }
      : parameter;
  };
  return { components, refer };
};

/** The same parameter may have another example in each operation. */
const keyOf = ({ example: _, ...parameter }: Parameter): string => JSON.stringify(parameter);
