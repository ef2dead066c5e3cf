import type { Audience } from './audiences.ts';

const PARTNER_DESCRIPTION = `Venda de seguros dentro da sua loja: um ingresso, um celular, um evento ou qualquer outro produto do catálogo do seu canal.

- **Acesso**: troque \`client_id\` e \`client_secret\` por um token em \`/seguros/auth/token\` e envie-o em \`Authorization: Bearer\`. Um token serve a todos os seus processos até perto de vencer. Os endereços \`/private/integration\` também aceitam as credenciais por HTTP Basic.
- **Repetição**: repita sem medo uma venda sem resposta, com o mesmo \`externalSaleId\` ou \`Idempotency-Key\`: a resposta é a da primeira vez, com \`Idempotent-Replayed: true\`, e nada se vende duas vezes.
- **Erros**: decida pelo código em \`X-Error-Code\` (schema ErrorCode) e mostre os campos de \`X-Error-Fields\` (schema FieldCode) no formulário. As mensagens são para pessoas e podem mudar.
- **Limites**: \`RateLimit-Remaining\` diz quantas requisições restam neste minuto; depois de um 429 ou 503, espere \`Retry-After\` segundos.
- **Valores** em reais, **datas** no fuso de São Paulo, **instantes** em UTC.`;

const ADMIN_DESCRIPTION = `A administração do serviço: clientes da API, catálogo, canais, alíquotas de IOF, vendas de todos os canais, envios por e-mail e auditoria.

- **Acesso**: troque \`client_id\` e \`client_secret\` de um cliente com o escopo \`admin\` por um token em \`/seguros/auth/token\` e envie-o em \`Authorization: Bearer\`.
- **Erros**: decida pelo código em \`X-Error-Code\` (schema ErrorCode). As mensagens são para pessoas e podem mudar.
- **Auditoria**: toda mudança fica registrada em \`/admin/audit\`, com quem a fez, quando e de onde.`;

const TEXTS: Readonly<Record<Audience, { readonly title: string; readonly description: string }>> =
  {
    partners: { title: 'Integração de Vendas de Seguros', description: PARTNER_DESCRIPTION },
    administrators: {
      title: 'Administração das Vendas de Seguros',
      description: ADMIN_DESCRIPTION,
    },
  };

/** What a document says of the API as a whole. */
export const informationOf = (audience: Audience, publicUrl: string): object => ({
  ...TEXTS[audience],
  version: '1.0',
  contact: { name: 'Suporte à integração', url: `${publicUrl}/docs` },
  license: { name: 'Uso restrito a parceiros e operadores', identifier: 'LicenseRef-Proprietary' },
});

const SCOPES = { sales: 'Registrar e consultar vendas', admin: 'Administrar o serviço' };

/** How a caller may prove who it is. */
export const securitySchemesOf = (audience: Audience, baseUrl: string): object => {
  const tokenUrl = `${baseUrl}/seguros/auth/token`;
  const { sales, admin } = SCOPES;
  const scopes = audience === 'partners' ? { sales } : { admin };
  return {
    basic: {
      type: 'http',
      scheme: 'basic',
      description:
        'client_id e client_secret, codificados como em um formulário (RFC 6749, 2.3.1).',
    },
    oauth: {
      type: 'oauth2',
      description: 'Um token de /seguros/auth/token.',
      flows: { clientCredentials: { tokenUrl, refreshUrl: tokenUrl, scopes } },
    },
  };
};
