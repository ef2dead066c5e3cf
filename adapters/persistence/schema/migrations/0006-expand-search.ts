import { Migration } from '@mikro-orm/migrations';

/** Finds sales by what customers say. Filled in the background, from the first event that is kept. */
export class Search extends Migration {
  override up(): void {
    this.addSql(`create table search_term (
  term bigint not null,
  sale_id bigint not null,
  primary key (term, sale_id)
)`);
    this.addSql(`create table search_name (
  sale_id bigint primary key,
  words text not null
)`);
    this.addSql(`create table search_word (
  word text collate "C" primary key,
  sales bigint not null
)`);
    this.addSql(`create table search_place (
  follower text primary key,
  place bigint not null
)`);
    this.addSql(`insert into search_place (follower, place) values ('search', 0)`);
  }
}
