import { Migration } from '@mikro-orm/migrations';

/** The list of commissions that replaces the single rate. */
const commissions = (rate: string): string =>
  `jsonb_build_array(jsonb_build_object('kind', 'representative', 'rate', ${rate}))`;

/**
 * Adds all states of a sale, several commissions and priced coverages. Stored sales keep their
 * figures. Earlier versions could not cancel a sale: a row that is cancelled was edited by hand and
 * has no figures of a cancellation, so it stops the migration.
 */
export class EveryState extends Migration {
  override up(): void {
    this.addSql(
      `alter table sale add constraint cancelled_before_there_were_figures check (status <> 'cancelled')`,
    );
    this.addSql(`alter table sale drop constraint cancelled_before_there_were_figures`);
    this.addSql(
      `alter table sale drop constraint sale_cancelled, drop constraint sale_status, drop column cancelled_at`,
    );
    this.addSql(`alter table sale add column progress jsonb not null default '{}'`);
    this.addSql(`
      alter table sale add constraint sale_status check (status in
        ('pending', 'awaiting_payment', 'paid', 'issued', 'refused', 'expired', 'cancelled', 'refunded'))`);
    this.#sales();
    this.addSql(`alter table sale alter column progress drop default`);
    this.#products();
    this.#channels();
  }

  #sales(): void {
    this.addSql(`
      update sale set terms = terms || jsonb_build_object(
        'coverages', '[]'::jsonb,
        'cancellation', '{"kind": "pro_rata", "iof": "retained"}'::jsonb,
        'payment', terms->'payment' || '{"collectedBy": "channel"}',
        'quote', jsonb_build_object(
          'prices', '[]'::jsonb,
          'premium', terms#>'{quote,premium}' || jsonb_build_object('pricingBasis', coalesce(
            (select definition->'pricingBasis' from product where code = terms#>>'{product,code}'), '"net"')),
          'commission', jsonb_build_object(
            'cap', 1000000,
            'base', terms#>'{quote,premium,net}',
            'amount', terms#>'{quote,commission,amount}',
            'netAmount', terms#>'{quote,commission,netAmount}',
            'items', jsonb_build_array(jsonb_build_object(
              'kind', 'representative',
              'rate', terms#>'{quote,commission,rate}',
              'amount', terms#>'{quote,commission,amount}')))))`);
    this.addSql(`
      update sale set progress = jsonb_build_object(
        'payment', terms->'payment' || jsonb_build_object('status', 'approved', 'amount', terms#>'{quote,premium,total}'),
        'receipts', jsonb_build_array(jsonb_build_object('amount', terms#>'{quote,premium,total}', 'returned', 0)))`);
  }

  #products(): void {
    this.addSql(`
      update product set definition = definition || jsonb_build_object(
        'commissionCap', 1000000,
        'cancellation', '{"kind": "pro_rata", "iof": "retained"}'::jsonb,
        'plans', (
          select jsonb_agg(plan || '{"maxInstallments": 12}' order by place)
          from jsonb_array_elements(definition->'plans') with ordinality as plans (plan, place)),
        'coverages', (
          select coalesce(jsonb_agg(coverage - 'price' || jsonb_build_object('tariff',
            jsonb_build_object('kind', 'fixed', 'amount', coverage->'price')) order by place), '[]')
          from jsonb_array_elements(definition->'coverages') with ordinality as coverages (coverage, place)))`);
  }

  #channels(): void {
    this.addSql(`
      update channel set definition = definition || jsonb_build_object('grants', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'productCode', one->'productCode',
          'commissions', ${commissions(`one->'commissionRate'`)},
          'plans', (
            select coalesce(jsonb_agg(jsonb_build_object(
              'planCode', plan->'planCode', 'commissions', ${commissions(`plan->'commissionRate'`)}) order by plan_place), '[]')
            from jsonb_array_elements(one->'plans') with ordinality as plans (plan, plan_place))) order by place), '[]')
        from jsonb_array_elements(definition->'grants') with ordinality as grants (one, place)))`);
  }
}
