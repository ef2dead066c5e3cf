import { html, raw } from 'hono/html';

/** A tag for templates of HTML: it escapes each value, but for what `raw` and `html` have made. */
export { html, raw };

/** A piece of a page, escaped. */
export type Html = ReturnType<typeof html>;
