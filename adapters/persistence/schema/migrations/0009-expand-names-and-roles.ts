import { Migration } from '@mikro-orm/migrations';

/** Takes `admin` from clients of channels, and composes the names of sales (Unicode NFC). */
export class NamesAndRoles extends Migration {
  override up(): void {
    this.#roles();
    this.#names();
  }

  /** A channel's client with `admin` could act on all channels. It keeps `sales`. */
  #roles(): void {
    this.addSql(`
      with reduced as (
        update api_client set scopes = '["sales"]', version = api_client.version + 1
        from api_client as before
        where before.client_id = api_client.client_id
          and api_client.channel_link is not null and api_client.scopes @> '["admin"]'
        returning api_client.client_id, before.scopes
      )
      insert into audit_entry (at, action, actor_kind, subject, reason, changes)
      select now(), 'client.scopes_reduced', 'service', 'api-client/' || client_id, 'admin_excludes_channel',
        jsonb_build_array(jsonb_build_object('field', 'scopes', 'before', scopes, 'after', '["sales"]'::jsonb))
      from reduced`);
  }

  /**
   * Of sales whose names become equal, the oldest gets the composed name, if no sale has it yet.
   */
  #names(): void {
    // PostgreSQL has `normalize` only for databases in UTF-8.
    this.addSql(`
      do $$ begin
        if current_setting('server_encoding') = 'UTF8' then
          with odd as (
            select distinct on (channel_link, normalize(external_sale_id)) id, normalize(external_sale_id) as composed
            from sale as named
            where external_sale_id ~ '[^ -~]' and external_sale_id is not nfc normalized
              and not exists (
                select from sale as other
                where other.channel_link = named.channel_link and other.external_sale_id = normalize(named.external_sale_id))
            order by channel_link, normalize(external_sale_id), id
          )
          update sale set external_sale_id = composed from odd where odd.id = sale.id;
        end if;
      end $$`);
  }
}
