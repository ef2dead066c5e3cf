import Type from 'typebox';
import { type Channel, type Product, readChannel } from '#domain';
import type { Catalogue } from '../../../application/catalogue/catalogue.ts';
import type { ManageCatalogue } from '../../../application/catalogue/manage-catalogue.ts';
import type { ReadProduct } from '../../../application/catalogue/read-product.ts';
import {
  dataAnswer,
  errorSchema,
  fieldCodeSchema,
  listAnswerSchema,
  standardErrorSchema,
} from '../contract/answer-shapes.ts';
import { ADMIN_ROUTE, type Route } from '../pipeline/route.ts';
import {
  getDefinition,
  listDefinitions,
  PAGE_QUERY,
  putDefinition,
  type Resource,
  VERSION_QUERY,
} from './catalogue-endpoints.ts';
import { CHANNEL, channelBody, PRODUCT, productBody } from './catalogue-shapes.ts';
import { channelFrom, channelTo, productFrom, productTo } from './catalogue-translation.ts';

export interface CatalogueRouteParts {
  readonly catalogue: Catalogue;
  readonly manageCatalogue: ManageCatalogue;
  readonly readProduct: ReadProduct;
}

const conflictAnswer = errorSchema('CatalogueConflict', {
  version: Type.Optional(Type.Integer()),
  conflicts: Type.Optional(Type.Array(Type.String())),
  conflict_codes: Type.Optional(Type.Array(fieldCodeSchema)),
});

const createResourceRoutes = <Definition>(
  resource: Resource<Definition>,
  catalogue: Catalogue,
): readonly Route[] => {
  const { path, key, body, words } = resource;
  const shown = Type.Object(
    {
      ...body.properties,
      version: Type.Integer(),
      updated_at: Type.String(),
    },
    { title: `Stored${words.operation}` },
  );
  const one = `${path}/{${key}}`;
  return [
    {
      ...ADMIN_ROUTE,
      method: 'put',
      path: one,
      operationId: `put${words.operation}`,
      summary: `Cria ou substitui ${words.one}; o que já foi vendido não muda`,
      description:
        'Mande a definição inteira: o que falta volta ao valor padrão. Com version, a mudança é recusada (409) se outro administrador mudou antes. 422 nomeia todos os erros da definição; sem eles, 409 nomeia o que não combina com o resto do catálogo. Mandar o mesmo de novo não faz outra versão.',
      body,
      answers: {
        200: {
          description: 'Substituído por uma nova versão, ou igual ao que já havia',
          schema: dataAnswer(shown),
        },
        201: { description: 'Criado', schema: dataAnswer(shown) },
        409: {
          name: 'CatalogueConflict',
          description: 'Outra versão é a atual, ou o restante do catálogo não permite',
          schema: conflictAnswer,
        },
      },
      handle: putDefinition(resource),
    },
    {
      ...ADMIN_ROUTE,
      method: 'get',
      path: one,
      operationId: `get${words.operation}`,
      summary: `Consulta ${words.one}, como é ou como era em uma versão`,
      description:
        'A resposta pode ser mudada e enviada de volta por PUT: a atual, com version; uma anterior, sem.',
      query: VERSION_QUERY,
      answers: {
        200: {
          description: 'Pode ser enviado de volta por PUT; o de outra versão, sem o campo version',
          schema: dataAnswer(shown),
        },
        404: { description: words.absent, schema: standardErrorSchema },
      },
      handle: getDefinition(resource, catalogue),
    },
    {
      ...ADMIN_ROUTE,
      method: 'get',
      path,
      operationId: `list${words.operation}s`,
      summary: `Lista ${words.many}`,
      description: 'As versões atuais. Siga next_cursor até que seja nulo.',
      query: PAGE_QUERY,
      answers: { 200: { description: 'Uma página', schema: listAnswerSchema(shown) } },
      handle: listDefinitions(resource, catalogue),
    },
  ];
};

export const createCatalogueRoutes = ({
  catalogue,
  manageCatalogue,
  readProduct,
}: CatalogueRouteParts): readonly Route[] => {
  const products: Resource<Product> = {
    path: '/admin/products',
    key: 'code',
    body: productBody,
    field: PRODUCT,
    words: {
      operation: 'CatalogueProduct',
      absent: 'Produto não encontrado.',
      one: 'um produto',
      many: 'os produtos',
    },
    from: productFrom,
    to: productTo,
    nameOf: ({ code }) => code,
    read: readProduct,
    all: (state) => state.products,
    versionOf: (code, version) => catalogue.productVersion(code, version),
    put: manageCatalogue.putProduct,
  };
  const channels: Resource<Channel> = {
    path: '/admin/channels',
    key: 'channelLink',
    body: channelBody,
    field: CHANNEL,
    words: {
      operation: 'Channel',
      absent: 'Canal não encontrado.',
      one: 'um canal',
      many: 'os canais',
    },
    from: channelFrom,
    to: channelTo,
    nameOf: ({ channelLink }) => channelLink,
    read: readChannel,
    all: (state) => state.channels,
    versionOf: (channelLink, version) => catalogue.channelVersion(channelLink, version),
    put: manageCatalogue.putChannel,
  };
  return [
    ...createResourceRoutes(products, catalogue),
    ...createResourceRoutes(channels, catalogue),
  ];
};
