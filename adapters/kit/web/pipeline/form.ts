import type { Context } from './context.ts';

/** The fields of a form as a page sends them: repeated, empty, or absent. */
export class Form {
  readonly #fields: URLSearchParams;

  /** @param text `application/x-www-form-urlencoded` */
  constructor(text: string) {
    this.#fields = new URLSearchParams(text);
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  /** The field without blanks around it; empty if it was sent more than once. */
  one(name: string): string | undefined {
    const [value, ...others] = this.all(name);
    return others.length > 0 ? '' : value?.trim();
  }

  /** The names of all fields, as the page has them. */
  names(): readonly string[] {
    return [...this.#fields.keys()];
  }

  /** Each value of a field, such as of check boxes, in the order of the page. */
  all(name: string): readonly string[] {
    return this.#fields.getAll(name);
  }
}

/** The form that was sent, on an endpoint that reads one; an empty one without a body. */
export const formOf = ({ request }: Context): Form =>
  request.body instanceof Form ? request.body : new Form('');

/** Whether `Origin` names the service, by its public name or by the one that was called. */
const isOwnOrigin = (ctx: Context, publicUrl: string): boolean => {
  const origin = ctx.get('Origin');
  return (
    origin === new URL(publicUrl).origin ||
    (URL.canParse(origin) && new URL(origin).host === ctx.host)
  );
};

/**
 * Whether a browser sent the request from a page of another site. Programs send neither header.
 *
 * @param publicUrl without `/api`
 */
export const isFromOtherSite = (ctx: Context, publicUrl: string): boolean =>
  (ctx.get('Origin') !== '' && !isOwnOrigin(ctx, publicUrl)) ||
  /^(cross|same)-site$/i.test(ctx.get('Sec-Fetch-Site'));

/**
 * Whether a browser says that a page of the service sent the request: what has a session needs that.
 *
 * @param publicUrl without `/api`
 */
export const isFromOwnPage = (ctx: Context, publicUrl: string): boolean => {
  const site = ctx.get('Sec-Fetch-Site').toLowerCase();
  return site === '' ? isOwnOrigin(ctx, publicUrl) : site === 'same-origin';
};
