import { createHash } from 'node:crypto';

/** Style of all pages. They load no image, script or font. */
export const STYLE = `
:root { color-scheme: light; --ink: #1c2430; --soft: #55606f; --line: #cfd6de; --accent: #0b5cad; --paper: #fff; }
* { box-sizing: border-box; }
body { margin: 0; background: #eef2f6; color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 1rem; }
.note { margin: 0; background: #fff4d6; color: #5c4300; text-align: center; padding: .5rem 1rem; font-size: .875rem; }
.sheet { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin-bottom: 1rem; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.0625rem; margin: 0; }
summary h2 { display: inline; }
p { margin: .5rem 0; }
.soft { color: var(--soft); font-size: .9375rem; }
dl { margin: 1rem 0 0; }
dd { margin: 0; overflow-wrap: anywhere; }
.money { display: grid; grid-template-columns: 1fr auto; gap: .375rem 0; }
.money dd { padding-left: 1rem; text-align: right; font-variant-numeric: tabular-nums; }
.facts:first-child { margin-top: 0; }
.facts dt { color: var(--soft); font-size: .875rem; }
.facts dd { margin-bottom: .5rem; }
dl .total { border-top: 1px solid var(--line); padding-top: .5rem; font-weight: 700; font-size: 1.125rem; }
details { border: 1px solid var(--line); border-radius: .5rem; margin-top: .75rem; background: var(--paper); }
summary { padding: .75rem 1rem; cursor: pointer; min-height: 2.75rem; }
details > div { padding: 0 1rem 1rem; }
.quiet, .quiet > summary { border: 0; background: none; }
.quiet > summary { padding: .75rem 0; color: var(--accent); text-decoration: underline; }
.quiet > div { padding: 0; }
label { display: block; margin-top: .75rem; font-weight: 600; font-size: .9375rem; }
input { width: 100%; padding: .625rem .75rem; font: inherit; border: 1px solid #7a8594; border-radius: .375rem; margin-top: .25rem; }
input[aria-invalid="true"] { border-color: #b3261e; border-width: 2px; }
.fault { color: #b3261e; font-size: .9375rem; margin: .25rem 0 0; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; }
button { width: 100%; min-height: 2.75rem; margin-top: 1rem; padding: .625rem 1rem; font: inherit; font-weight: 600; border-radius: .5rem;
  border: 1px solid var(--accent); background: var(--accent); color: #fff; cursor: pointer; }
button.plain { background: var(--paper); color: #8c1d18; border-color: #8c1d18; }
button.small { width: auto; margin: .5rem .5rem 0 0; background: var(--paper); color: var(--accent); }
:focus-visible { outline: 3px solid #ffb000; outline-offset: 2px; }
.alert { border: 2px solid #b3261e; background: #fdecea; border-radius: .5rem; padding: .75rem 1rem; margin: 0 0 1rem; }
.done, .told { border: 2px solid #1b6b3a; background: #e8f5ec; border-radius: .5rem; padding: .75rem 1rem; margin: 0; }
.told { border-color: #7a8594; background: #f3f5f8; }
.qr svg { display: block; width: 12rem; height: 12rem; margin: .75rem auto; }
.bars svg { display: block; width: 100%; height: 4rem; margin: .75rem 0; }
code { display: block; user-select: all; overflow-wrap: anywhere; background: #f3f5f8; border-radius: .375rem; padding: .5rem .75rem; font-size: .875rem; }
ul { padding-left: 1.25rem; margin: .5rem 0; }
a { color: var(--accent); }
@media (min-width: 40rem) { .facts { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1.25rem; } .facts dd { margin: 0; } main { padding: 2rem 1rem; } .sheet { padding: 1.75rem; } }
`;

/** Shows the buttons that copy a code. Without a script the code is selected whole by a click. */
export const SCRIPT = `
for (const button of document.querySelectorAll('button[data-copies]')) {
  const code = document.getElementById(button.dataset.copies);
  button.hidden = false;
  button.addEventListener('click', async () => {
    getSelection().selectAllChildren(code);
    // Browsers offer the clipboard only to pages by HTTPS.
    if (navigator.clipboard === undefined) document.execCommand('copy');
    else await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copiado';
  });
}
`;

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Content Security Policy: allows this style and script, inline images, and forms to the own origin. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
