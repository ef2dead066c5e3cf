import {
  COMMISSION_KINDS,
  type CommissionKind,
  type CommissionRate,
} from '../pricing/commission.ts';
import { cnpj, code, name } from './fields.ts';
import {
  distinct,
  flag,
  list,
  noteRepeated,
  oneOf,
  ppm,
  type ReadBy,
  type Reader,
  type Reading,
  read,
  record,
  refined,
  text,
} from './reading.ts';

const commissions = distinct(
  list<CommissionRate>(record({ kind: oneOf(COMMISSION_KINDS), rate: ppm(0) })),
  'kind',
);

const grant = record({
  productCode: code,
  commissions,
  plans: distinct(list(record({ planCode: code, commissions })), 'planCode'),
});

/** Permission for a channel to sell a product. Commissions of a plan replace the product's. */
export interface Grant extends ReadBy<typeof grant> {}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';

/** Names of hosts, not addresses: the last label starts with a letter. */
const ORIGIN = new RegExp(
  `^(?:https://(?=[^:]{1,253}(?::|$))(?:${LABEL}\\.)+(?=[a-z])${LABEL}|http://localhost)(?::([1-9]\\d{0,4}))?$`,
);

/**
 * Whether a text is an origin in its canonical form: `https`, the name of a host in small letters
 * (an international one in Punycode), and a port if it is not the usual one. `http` is for tests on
 * the own machine (`http://localhost:8080`).
 */
const isReturnOrigin = (text: string): boolean => {
  const [origin, port = '1'] = ORIGIN.exec(text) ?? [];
  const usual = text.startsWith('https:') ? '443' : '80';
  return origin !== undefined && port !== usual && Number(port) <= 65_535;
};

/** Whether an origin is of the own machine (RFC 6761; 127.0.0.0/8; ::1), with any port. */
export const isLoopbackOrigin = (origin: string): boolean =>
  /^https?:\/\/(?:(?:[^/]+\.)?localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(origin);

const returnOrigins = refined(
  list(
    text(
      300,
      { test: isReturnOrigin },
      'an https origin: scheme, host and port, in small letters',
      'deve ser uma origem https em letras minúsculas, como https://loja.example: sem caminho, barra no fim, usuário, curinga nem a porta usual (http só para localhost)',
    ),
  ),
  (found, path, note) =>
    noteRepeated(
      found.map((name, index) => ({ name, place: `${path}.${index}` })),
      note,
    ),
);

const CHANNEL_LINK = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$/;

/** Whether a text may name a channel: it stands in addresses as it is. */
export const isChannelLink = (text: string): boolean => CHANNEL_LINK.test(text);

const channelFields = record(
  {
    channelLink: text(
      100,
      CHANNEL_LINK,
      'letters, digits, dots, underscores, tildes and hyphens, 100 at most',
      'deve começar com letra ou dígito e ter só letras, dígitos, ponto, sublinhado, til e hífen, até 100',
    ),
    name,
    active: flag,
    grants: distinct(list<Grant>(grant), 'productCode'),
  },
  {
    cnpj,
    /**
     * What the channel is to the insurance: representative of the insurer (Resolução CNSP 431/2021),
     * broker (Lei 4.594/1964), or policyholder of a group (Decreto-Lei 73/1966, art. 21).
     */
    role: oneOf(['representative', 'broker', 'policyholder']),
    /**
     * Origins of the channel's sites (`https://loja.example`, RFC 6454), to which a payment page may
     * lead back.
     */
    returnOrigins,
    /** Whether the channel has agreed to sell this insurance for one insurer alone. Default: false. */
    exclusive: flag,
    /** The name of the payment gateway of the channel's new charges. Default: that of the service. */
    gateway: text(
      30,
      /^[a-z][a-z0-9]{0,29}$/,
      'small letters and digits, beginning with a letter, 30 at most',
      'deve ter só letras minúsculas e dígitos, começando com letra, até 30',
    ),
  },
);

type Role = NonNullable<ReadBy<typeof channelFields>['role']>;

/** What a channel may earn by its role, and nothing else (the laws at `role`). */
const EARNED_BY = {
  representative: ['representative'],
  broker: ['brokerage', 'agency'],
  policyholder: ['pro_labore'],
} as const satisfies Record<Role, readonly CommissionKind[]>;

export interface Channel extends ReadBy<typeof channelFields> {}

export type ChannelRole = NonNullable<Channel['role']>;

export const channel: Reader<Channel> = refined(
  channelFields,
  ({ role, grants = [] }, path, note) => {
    if (role === undefined) return;
    const earned: readonly CommissionKind[] = EARNED_BY[role];
    const check = (rates: readonly CommissionRate[] | undefined, place: string): void => {
      for (const [index, rate] of (rates ?? []).entries())
        if (rate?.kind !== undefined && !earned.includes(rate.kind))
          note(`${place}.commissions.${index}.kind`, 'not_one_of_these', earned.join(', '));
    };
    for (const [index, grant] of grants.entries()) {
      const place = `${path === '' ? '' : `${path}.`}grants.${index}`;
      check(grant?.commissions, place);
      for (const [at, plan] of (grant?.plans ?? []).entries())
        check(plan?.commissions, `${place}.plans.${at}`);
    }
  },
);

/**
 * Reads one channel. Only `readCatalogue` checks its grants against the products.
 *
 * @example readChannel({ ...channel, active: 1 }).faults[0].kind // 'not_true_or_false'
 */
export const readChannel = (input: unknown): Reading<Channel> => read(channel, input);

/** The fields of a channel. */
export const CHANNEL_SHAPE = channel.shape;
