import type { Tag } from '../routes/route.ts';
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

/** The groups of operations, in the order in which the reference shows them. */
export const TAGS: Readonly<Record<Tag, string>> = {
  Autenticação:
    'Tokens de acesso (OAuth 2.0, client_credentials): um por cliente, usado por todos os seus processos até perto de vencer.',
  Venda:
    'A venda de qualquer produto do catálogo, por um só endereço, e tudo o que vem depois dela: consulta, segunda via, correção de e-mail, cancelamento, prova e extrato.',
  'Ingresso Protegido': 'A proteção de ingressos que o parceiro já recebeu do cliente.',
  'Artista Protegido':
    'A proteção de artistas e de seus eventos: o serviço cota, cobra e emite a apólice.',
  'Seguro Celular':
    'O seguro de aparelhos celulares, cobrado no cartão ou por um link de pagamento.',
  Conciliação: 'A comparação das vendas que o canal tem com as que o serviço tem.',
  Eventos:
    'O que aconteceu com as vendas do canal, em ordem e sem lacunas: pela lista, ou como webhook. Ao receber um webhook, confira a assinatura, guarde o evento e responda 2xx em até 15 s; o mesmo evento pode chegar mais de uma vez, e fora de ordem.',
  Webhooks:
    'Os endereços do canal que recebem os eventos, e as entregas feitas a eles. Cada envio é assinado (Standard Webhooks).',
  Integração:
    'O caminho até a produção: o que falta experimentar, e o que foi respondido a uma requisição.',
  Administração:
    'O que só administradores fazem: clientes da API, catálogo, alíquotas de IOF, vendas de todos os canais, envios, alertas e auditoria.',
  Avisos: 'O que o gateway de pagamento avisa ao serviço. Não é usado por parceiros.',
};
