import { Migration } from '@mikro-orm/migrations';

/**
 * Adds secrets that can be rotated, logins that end as a whole, versions of the catalogue, and an
 * append-only audit log. Each topic that processes keep in memory has a number that changes count
 * up; a notification tells the processes.
 */
export class Identity extends Migration {
  override up(): void {
    this.#clients();
    this.#logins();
    this.#catalogue();
    this.#audit();
    this.#notices();
    this.addSql(
      `create unlogged table rate_limit (key varchar(255) primary key, points integer not null default 0, expire bigint)`,
    );
    this.addSql(`create index sale_of_channel on sale (channel_link, id)`);
    this.addSql(`create index sale_registered on sale using brin (registered_at)`);
  }

  #clients(): void {
    this.addSql(`
      alter table api_client
        add column secrets jsonb,
        add column generation integer not null default 0,
        add column version integer not null default 1`);
    this.addSql(`
      update api_client set secrets = (
        select coalesce(jsonb_agg(jsonb_build_object(
          'hash', hash,
          'createdAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'expiresAt', null) order by place desc), '[]')
        from jsonb_array_elements_text(secret_hashes) with ordinality as hashes (hash, place))`);
    this.addSql(`
      alter table api_client
        drop column secret_hashes,
        alter column secrets set not null,
        alter column generation drop default,
        alter column version drop default`);
    this.addSql(`create index api_client_created on api_client (created_at, client_id)`);
    this.addSql(`
      create table client_use (
        client_id text primary key references api_client on delete cascade,
        last_used_at timestamptz(3) not null
      )`);
  }

  #logins(): void {
    this.addSql(`alter table token_family add column generation integer not null default 0`);
    this.addSql(`alter table token_family alter column generation drop default`);
    // Processes load the logins that ended since they last looked, and delete those that expired.
    this.addSql(`alter table token_family add column revoked_number bigint`);
    this.addSql(
      `create index token_family_revoked on token_family (revoked_number) where revoked_number is not null`,
    );
    this.addSql(`create index token_family_ends on token_family (expires_at)`);
    this.addSql(`create index refresh_token_family on refresh_token (family_id)`);
    // One statement writes both rows, and one deletes them, so a check at each login is not needed.
    this.addSql(`alter table refresh_token drop constraint refresh_token_family_id_fkey`);
  }

  #catalogue(): void {
    for (const table of ['product', 'channel']) {
      this.addSql(`
        alter table ${table}
          add column version integer not null default 1,
          add column updated_at timestamptz(3) not null default now()`);
      this.addSql(
        `alter table ${table} alter column version drop default, alter column updated_at drop default`,
      );
    }
    this.addSql(`
      create table catalogue_version (
        kind text not null constraint catalogue_version_kind check (kind in ('product', 'channel')),
        name text not null,
        version integer not null,
        definition jsonb not null,
        updated_at timestamptz(3) not null,
        primary key (kind, name, version)
      )`);
    this.addSql(`
      insert into catalogue_version (kind, name, version, definition, updated_at)
      select 'product', code, version, definition, updated_at from product
      union all select 'channel', channel_link, version, definition, updated_at from channel`);
  }

  #audit(): void {
    this.addSql(`
      create table audit_entry (
        number bigint generated always as identity primary key,
        at timestamptz(3) not null,
        action text not null,
        actor_kind text not null constraint audit_entry_actor_kind check (actor_kind in ('client', 'operator', 'service', 'unknown')),
        actor_name text,
        address text,
        request_id text,
        subject text,
        reason text,
        changes jsonb not null
      )`);
    this.addSql(`create index audit_entry_subject on audit_entry (subject, number)`);
    this.addSql(`create index audit_entry_actor on audit_entry (actor_name, number)`);
    this.addSql(`create index audit_entry_action on audit_entry (action, number)`);
    this.addSql(`create index audit_entry_at on audit_entry (at)`);
    this.addSql(`
      create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
      end $$`);
    for (const table of ['audit_entry', 'catalogue_version']) {
      this.addSql(`
        create trigger ${table}_is_append_only before update or delete or truncate on ${table}
        for each statement execute function refuse_change()`);
      // `always`: also in sessions that switch ordinary triggers off, as replication does.
      this.addSql(`alter table ${table} enable always trigger ${table}_is_append_only`);
    }
  }

  #notices(): void {
    this.addSql(`create table revision (topic text primary key, number bigint not null)`);
    this.addSql(
      `insert into revision (topic, number) values ('clients', 1), ('catalogue', 1), ('logins', 1)`,
    );
    this.addSql(`
      create function note_change() returns trigger language plpgsql as $$
      begin
        update revision set number = number + 1 where topic = tg_argv[0];
        perform pg_notify('insurance_sales', tg_argv[0]);
        return null;
      end $$`);
    for (const [table, topic] of [
      ['api_client', 'clients'],
      ['product', 'catalogue'],
      ['channel', 'catalogue'],
    ]) {
      // For each row, because a statement that changes no row must not count.
      this.addSql(`
        create trigger ${table}_changed after insert or update or delete on ${table}
        for each row execute function note_change('${topic}')`);
      this.addSql(`
        create trigger ${table}_emptied after truncate on ${table}
        for each statement execute function note_change('${topic}')`);
    }
    // The update locks the topic's row until the transaction ends, so numbers become visible in
    // their order.
    this.addSql(`
      create function number_revocation() returns trigger language plpgsql as $$
      begin
        update revision set number = number + 1 where topic = 'logins' returning number into new.revoked_number;
        perform pg_notify('insurance_sales', 'logins');
        return new;
      end $$`);
    this.addSql(`
      create trigger token_family_revoked before update on token_family for each row
      when (old.revoked_at is null and new.revoked_at is not null) execute function number_revocation()`);
  }
}
