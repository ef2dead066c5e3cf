import {
  type CalendarDate,
  type Cents,
  type Channel,
  type ChannelRole,
  type CommissionKind,
  type CommissionRate,
  findLegalPeriod,
  formatPercent,
  formatReais,
  formatTaxId,
  type Product,
  type Rate,
  sumCommissionRates,
  type TaxId,
} from '#domain';

/** What a customer is told of an insurance before buying it (Resolução CNSP 382/2020, art. 4º, § 1º). */
export interface Disclosure {
  readonly channel: Pick<Channel, 'name' | 'cnpj' | 'role'>;
  /** What the channel earns of the net premium: from the least to the most, by the plan. */
  readonly remuneration: {
    readonly kinds: readonly CommissionKind[];
    readonly least: Rate;
    readonly most: Rate;
    /** The amount, in cents, where the price is known. */
    readonly amount?: Cents;
  };
  readonly insurer: Pick<Product['registration']['insurer'], 'name' | 'cnpj'>;
  /** Whether the channel has agreed to sell for this insurer alone. */
  readonly exclusive: boolean;
  readonly withdrawalDays: number;
  /** All of it as sentences, to be shown in this order. */
  readonly texts: readonly string[];
}

const ROLES: Readonly<Record<ChannelRole, string>> = {
  representative: ' como representante da seguradora',
  broker: ' como corretor de seguros',
  policyholder: ' como estipulante do seguro',
};

const KINDS: Readonly<Record<CommissionKind, string>> = {
  brokerage: 'corretagem',
  agency: 'agenciamento',
  pro_labore: 'pró-labore',
  representative: 'representação',
};

/**
 * The disclosure of a product at a channel.
 *
 * @param commissions those of each plan meant, at least one
 * @param on the day of the sale
 * @param amount of the commission, where the price is known
 */
export const discloseOffer = (
  channel: Channel,
  product: Product,
  commissions: readonly (readonly CommissionRate[])[],
  on: CalendarDate,
  amount?: Cents,
): Disclosure => {
  const rates = commissions.map((items) =>
    sumCommissionRates({ cap: product.commissionCap, items }),
  );
  const kinds = [...new Set(commissions.flat().map(({ kind }) => kind))];
  const remuneration = {
    kinds,
    least: Math.min(...rates) as Rate,
    most: Math.max(...rates) as Rate,
    ...(amount !== undefined && { amount }),
  };
  const { name, cnpj, role, exclusive = false } = channel;
  const { insurer } = product.registration;
  const { days: withdrawalDays } = findLegalPeriod('withdrawal', on);
  const from = `${name}${cnpj ? ` (CNPJ ${formatTaxId(cnpj as string as TaxId)})` : ''}`;
  return {
    channel: { name, ...(cnpj && { cnpj }), ...(role && { role }) },
    remuneration,
    insurer: { name: insurer.name, cnpj: insurer.cnpj },
    exclusive,
    withdrawalDays,
    texts: [
      `${from} oferece este seguro${role ? ROLES[role] : ''}: ${product.name}.`,
      `A seguradora é ${insurer.name} (CNPJ ${formatTaxId(insurer.cnpj as string as TaxId)}).`,
      tellOfRemuneration(name, remuneration),
      exclusive
        ? `${name} tem contrato de exclusividade com esta seguradora.`
        : `${name} não tem contrato de exclusividade com esta seguradora.`,
      'O seguro é opcional: nenhuma compra depende dele.',
      `Quem contrata pode desistir em ${withdrawalDays} dias e recebe de volta tudo o que pagou.`,
    ],
  };
};

const tellOfRemuneration = (
  name: string,
  { kinds, least, most, amount }: Disclosure['remuneration'],
): string => {
  if (most === 0) return `${name} não recebe remuneração pela venda.`;
  const share =
    least === most
      ? formatPercent(most)
      : `de ${formatPercent(least)} a ${formatPercent(most)}, conforme o plano,`;
  const sum = amount === undefined ? '' : `${formatReais(amount)}, `;
  return `Pela venda, ${name} recebe ${sum}${share} do prêmio líquido (${kinds.map((kind) => KINDS[kind]).join(' e ')}).`;
};
