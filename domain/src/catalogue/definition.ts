import type { Rate } from '../money/money.ts';
import { COMMISSION_KINDS, type CommissionRate } from '../pricing/commission.ts';
import { cnpj, code, name } from './fields.ts';
import { CHANNEL_ROLES, type Channel, type Grant, type Product } from './product.ts';
import { product } from './product-definition.ts';
import {
  distinct,
  flag,
  list,
  type Note,
  noteRepeated,
  oneOf,
  ppm,
  type Reader,
  type Reading,
  read,
  record,
  refined,
  type Shape,
  text,
} from './reading.ts';

const commissions = distinct(
  list(record<CommissionRate>({ kind: oneOf(COMMISSION_KINDS), rate: ppm(0) })),
  'kind',
);

const grant = record<Grant>({
  productCode: code,
  commissions,
  plans: distinct(
    list(record<Grant['plans'][number]>({ planCode: code, commissions })),
    'planCode',
  ),
});

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

const returnOrigins = refined(
  list(
    text(
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

const channel = record<Channel>(
  {
    channelLink: text(
      CHANNEL_LINK,
      'letters, digits, dots, underscores, tildes and hyphens, 100 at most',
      'deve começar com letra ou dígito e ter só letras, dígitos, ponto, sublinhado, til e hífen, até 100',
    ),
    name,
    active: flag,
    grants: distinct(list(grant), 'productCode'),
  },
  { cnpj, role: oneOf(CHANNEL_ROLES), returnOrigins },
);

/**
 * Reads one channel. Only `readCatalogue` checks its grants against the products.
 *
 * @example readChannel({ ...channel, active: 1 }).faults[0].kind // 'not_true_or_false'
 */
export const readChannel = (input: unknown): Reading<Channel> => read(channel, input);

/** The fields of a channel. */
export const CHANNEL_SHAPE: Shape = channel.shape as Shape;

/** All products, and the channels that sell them. */
export interface CatalogueData {
  readonly products: readonly Product[];
  readonly channels: readonly Channel[];
}

const checkCommissions = (
  rates: readonly CommissionRate[],
  cap: Rate,
  path: string,
  note: Note,
): void => {
  const sum = rates.reduce((before, { rate }) => before + rate, 0);
  if (sum > cap) note(`${path}.commissions`, 'above_cap', `${cap} at most, all together`);
};

const checkGrants = (
  { grants }: Channel,
  products: readonly Product[],
  path: string,
  note: Note,
): void => {
  for (const [index, grant] of grants.entries()) {
    const place = `${path}.grants.${index}`;
    const granted = products.find((each) => each.code === grant.productCode);
    if (granted === undefined) note(`${place}.productCode`, 'not_found');
    else checkGrant(grant, granted, place, note);
  }
};

const checkGrant = (grant: Grant, granted: Product, path: string, note: Note): void => {
  checkCommissions(grant.commissions, granted.commissionCap, path, note);
  for (const [index, { planCode, commissions: ofPlan }] of grant.plans.entries()) {
    const place = `${path}.plans.${index}`;
    if (!granted.plans.some((each) => each.code === planCode))
      note(`${place}.planCode`, 'not_found');
    checkCommissions(ofPlan, granted.commissionCap, place, note);
  }
};

/** An id is unique among products and plans together: a sale may name either by its id alone. */
const checkNumbers = (products: readonly Product[], note: Note): void => {
  const numbered = products.flatMap((each, index) => [
    { name: each.id, place: `products.${index}.id` },
    ...each.plans.map((ofProduct, planIndex) => ({
      name: ofProduct.id,
      place: `products.${index}.plans.${planIndex}.id`,
    })),
  ]);
  noteRepeated(numbered, note);
};

const shapes = record<CatalogueData>({
  products: distinct(list(product), 'code'),
  channels: distinct(list(channel), 'channelLink'),
});

const catalogue: Reader<CatalogueData> = (input, path, note) => {
  let sound = true;
  const found = shapes(input, path, (...fault) => {
    sound = false;
    note(...fault);
  });
  if (!sound) return found;
  checkNumbers(found.products, note);
  for (const [index, each] of found.channels.entries())
    checkGrants(each, found.products, `channels.${index}`, note);
  return found;
};

/**
 * Reads products and channels together.
 *
 * Checks each product and channel first. If these have no faults, checks across them: ids of
 * products and plans are distinct, each grant names an existing product and existing plans, and
 * the commissions of a grant stay within the product's cap.
 *
 * @example readCatalogue({ products: [], channels: [] }).ok // true
 */
export const readCatalogue = (input: unknown): Reading<CatalogueData> => read(catalogue, input);
