import type { Tag } from '../pipeline/route.ts';

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
