import { html } from '../../kit/web/pages/html.ts';
import { renderSitePage, type Site } from '../page-frame.ts';
import type { Environment } from '../site-files.ts';

/** The documents that the reference shows, by the paths of their pages. */
export const DOCUMENTS = [
  { path: '/docs/api', document: '/openapi.json', name: 'Parceiros' },
  { path: '/docs/api/admin', document: '/openapi-admin.json', name: 'Administradores' },
] as const;

const HINTS: Readonly<Record<Environment, string>> = {
  test: 'Ambiente de testes: informe aqui as suas credenciais, uma só vez. Depois abra uma operação e escolha “Experimentar”: a requisição é enviada de verdade, com um token seu.',
  production:
    'Ambiente de produção: esta página só mostra a referência. Para enviar requisições, use o ambiente de testes.',
};

export const ENVIRONMENTS = Object.keys(HINTS) as readonly Environment[];

/** Takes the credentials for all operations. Shown by the script: it cannot send them without. */
const ACCESS_FORM = html`<form class="access" hidden aria-label="Acesso" data-done="Pronto: as requisições desta página levam o seu token." data-failed="As credenciais não foram aceitas:">
<label>client_id <input name="client_id" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<label>client_secret <input name="client_secret" type="password" required autocomplete="off"></label>
<button>Usar em todas as operações</button>
<p role="status"></p>
</form>`;

/** Renders the page on which Swagger UI shows an OpenAPI document. */
export const renderReference = (
  shown: (typeof DOCUMENTS)[number],
  site: Site,
  environment: Environment,
): string => {
  const { base, publicUrl, assets } = site;
  const tabs = DOCUMENTS.map(
    (each) =>
      html`<a href="${base}${each.path}"${each === shown ? html` aria-current="page"` : ''}>${each.name}</a>\n`,
  );
  return renderSitePage({
    site,
    language: 'pt-BR',
    part: 'reference',
    isLight: true,
    title: `Referência da API: ${shown.name.toLowerCase()}`,
    styles: [assets['swagger-ui.css'], assets['reference.css']],
    scripts: html`<script defer src="${assets['swagger-ui.js']}"></script>
<script type="module" src="${assets['reference.js']}"></script>
`,
    content: html`<div class="reference" id="content">
<section class="about" aria-labelledby="title">
<h1 id="title">Referência da API</h1>
<nav class="tabs" aria-label="Documentos">${tabs}</nav>
<p>${HINTS[environment]} O documento OpenAPI: <a href="${base}${shown.document}">${shown.document}</a>.</p>
${environment === 'test' ? ACCESS_FORM : ''}
</section>
<noscript><p class="about">Esta página precisa de JavaScript. O <a href="${base}${shown.document}">documento OpenAPI</a> e o <a href="${base}/docs">guia</a> funcionam sem.</p></noscript>
<div id="reference" data-document="${base}${shown.document}" data-public-url="${publicUrl}" data-base="${base}" data-words="${assets['reference-words.js']}" data-try-out="${environment === 'test' ? 'on' : 'off'}"><p class="about" role="status">Carregando…</p></div>
</div>`,
  });
};
