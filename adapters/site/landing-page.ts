import { html } from '../kit/web/pages/html.ts';
import { renderSitePage, type Site } from './page-frame.ts';
import type { Environment } from './site-files.ts';

/** Whether the service can work at this moment. */
export type Status = 'ok' | 'unavailable';

const STATUS_TEXTS: Readonly<Record<Status, string>> = {
  ok: 'Em funcionamento',
  unavailable: 'Temporariamente indisponível',
};

const ENVIRONMENT_TEXTS: Readonly<Record<Environment, string>> = {
  test: 'Ambiente de testes: nenhum valor é cobrado e nenhum seguro é emitido de verdade.',
  production: 'Ambiente de produção: as vendas registradas aqui são reais.',
};

/** The landing page for programs. */
export const landingData = (
  publicUrl: string,
  environment: Environment,
  status: Status,
): object => ({
  success: true,
  data: {
    name: 'Integração de Vendas de Seguros',
    status,
    environment,
    base_url: `${publicUrl}/api`,
    links: {
      docs: `${publicUrl}/docs`,
      reference: `${publicUrl}/docs/api`,
      openapi: `${publicUrl}/openapi.json`,
      openapi_admin: `${publicUrl}/openapi-admin.json`,
      token: `${publicUrl}/api/seguros/auth/token`,
      verify: `${publicUrl}/verify`,
      health: `${publicUrl}/health/ready`,
      authorization_server: `${publicUrl}/.well-known/oauth-authorization-server`,
    },
  },
});

/** The landing page for people. */
export const renderLanding = (site: Site, environment: Environment, status: Status): string => {
  const { base, publicUrl } = site;
  return renderSitePage({
    site,
    language: 'pt-BR',
    title: 'Integração de Vendas de Seguros',
    content: html`<main class="plain prose landing" id="content">
<p class="status ${status}" role="status">${STATUS_TEXTS[status]}</p>
<h1>Seguros no checkout do seu canal</h1>
<p class="lead">Bilheterias, lojas de celulares e agências vendem seguros no próprio checkout e registram cada venda aqui por HTTP. O serviço calcula prêmio, IOF e comissão, cobra ou registra o pagamento, pede a emissão da apólice e envia o bilhete ou a apólice por e-mail.</p>
<p class="environment">${ENVIRONMENT_TEXTS[environment]}</p>
<ul class="cards">
<li><a href="${base}/docs/pt-BR"><strong>Guia do parceiro</strong><span>Do primeiro acesso à primeira venda, com exemplos para copiar.</span></a></li>
<li><a href="${base}/docs/en" lang="en" hreflang="en"><strong>Partner’s guide</strong><span>From access to the first sale, in English.</span></a></li>
<li><a href="${base}/docs/api"><strong>Referência da API</strong><span>Todas as operações, campos e respostas.</span></a></li>
<li><a href="${base}/verify"><strong>Conferir um documento</strong><span>Para segurados: o bilhete ou a apólice é autêntico?</span></a></li>
</ul>
<h2>Para programas</h2>
<dl class="addresses">
<dt>Endereço-base da API</dt><dd><code>${publicUrl}/api</code></dd>
<dt>Tokens (OAuth 2.0, client credentials)</dt><dd><code>${publicUrl}/api/seguros/auth/token</code></dd>
<dt>OpenAPI para parceiros</dt><dd><a href="${base}/openapi.json">${publicUrl}/openapi.json</a></dd>
<dt>OpenAPI para administradores</dt><dd><a href="${base}/openapi-admin.json">${publicUrl}/openapi-admin.json</a></dd>
<dt>Estado do serviço</dt><dd><a href="${base}/health/ready">${publicUrl}/health/ready</a></dd>
</dl>
<p>Credenciais são dadas pelo operador do serviço. Em JSON: <code>curl ${publicUrl}/</code></p>
</main>`,
  });
};
