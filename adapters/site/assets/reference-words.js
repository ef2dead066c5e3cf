/** The labels of Swagger UI in Portuguese, the language of the documents that it shows. */

const LABELS = {
  // The page
  'Skip to operations': 'Ir para as operações',
  Servers: 'Servidores',
  'Filter by tag or path': 'Filtrar por grupo ou caminho',
  '- Website': '- site',
  'Find more details': 'Mais detalhes',
  // An operation
  'Expand operation': 'Abrir a operação',
  'Collapse operation': 'Fechar a operação',
  'Copy path to clipboard': 'Copiar o caminho',
  'Copy cURL command to clipboard': 'Copiar o comando curl',
  'Copy code to clipboard': 'Copiar o código',
  'Request content type': 'Tipo da requisição',
  'Warning: Deprecated': 'Atenção: obsoleta',
  'Try it out': 'Experimentar',
  Cancel: 'Cancelar',
  Reset: 'Restaurar',
  Execute: 'Enviar',
  Clear: 'Limpar',
  Edit: 'Editar',
  'Edit Value': 'Editar',
  Parameters: 'Parâmetros',
  'No parameters': 'Sem parâmetros',
  Name: 'Nome',
  Description: 'Descrição',
  'Request body': 'Corpo da requisição',
  'Send empty value': 'Enviar vazio',
  'Available values': 'Valores',
  'Default value': 'Padrão',
  'Please correct the following validation errors and try again.':
    'Corrija estes erros e tente de novo.',
  'Value must be a string': 'O valor deve ser um texto',
  'Required field is not provided': 'Falta um campo obrigatório',
  // Its answers
  Responses: 'Respostas',
  'Server response': 'Resposta do servidor',
  'Response body': 'Corpo da resposta',
  'Response headers': 'Cabeçalhos da resposta',
  'Request URL': 'Endereço da requisição',
  'Request duration': 'Duração da requisição',
  'Download file': 'Baixar o arquivo',
  Download: 'Baixar',
  'Unrecognized response type; displaying content as text.':
    'Tipo de resposta desconhecido: o conteúdo é mostrado como texto.',
  'Unrecognized response type; unable to display.':
    'Tipo de resposta desconhecido: o conteúdo não pode ser mostrado.',
  Undocumented: 'Não documentada',
  Code: 'Código',
  Details: 'Detalhes',
  'No links': 'Sem links',
  'Media type': 'Tipo de mídia',
  'Media Type': 'Tipo de mídia',
  'Parameter content type': 'Tipo do parâmetro',
  'Response content type': 'Tipo da resposta',
  Controls: 'Define o cabeçalho',
  'header.': '.',
  Headers: 'Cabeçalhos',
  'Headers:': 'Cabeçalhos:',
  Type: 'Tipo',
  Error: 'Erro',
  Errors: 'Erros',
  Hide: 'Ocultar',
  Show: 'Mostrar',
  // Schemas and examples
  Value: 'Valor',
  Field: 'Campo',
  Example: 'Exemplo',
  Examples: 'Exemplos',
  'Examples:': 'Exemplos:',
  'Example Value': 'Exemplo',
  'Example Description': 'Descrição do exemplo',
  'Example Value Description': 'Descrição do exemplo',
  '[Modified value]': '[Valor alterado]',
  '(no example available': '(sem exemplo',
  'Expand all': 'Abrir tudo',
  'Collapse all': 'Fechar tudo',
  'All of': 'Todos estes',
  'Any of': 'Ao menos um destes',
  'One of': 'Um destes',
  Not: 'Nenhum destes',
  Items: 'Itens',
  Contains: 'Contém',
  Enum: 'Valores',
  Const: 'Sempre',
  Default: 'Padrão',
  'Property names': 'Nomes dos campos',
  'Pattern properties': 'Campos com estes nomes',
  'Additional properties': 'Outros campos',
  'Unevaluated properties': 'Outros campos',
  'Required when defined': 'Obrigatórios com este campo',
  'Dependent schemas': 'Se o campo existe',
  'empty array': 'lista vazia',
  'empty object': 'objeto vazio',
};

/** Labels that hold a value of the document. */
const PATTERNS = [
  [/^(.+) characters$/, '$1 caracteres'],
  [/^(.+) items$/, '$1 itens'],
  [/^(.+) properties$/, '$1 campos'],
  [/^matches (.+)$/, 'segue $1'],
  [/^multiple of (.+)$/, 'múltiplo de $1'],
  [/^media type: (.+)$/, 'tipo de mídia: $1'],
];

const translate = (text) => {
  if (typeof text !== 'string') return text;
  const label = text.trim();
  if (Object.hasOwn(LABELS, label)) return text.replace(label, () => LABELS[label]);
  const [pattern, words] = PATTERNS.find(([each]) => each.test(label)) ?? [];
  return pattern === undefined ? text : text.replace(label, label.replace(pattern, words));
};

/** Properties that people read. */
const READ_PROPERTIES = ['placeholder', 'title', 'aria-label'];

/** Elements that hold what was sent, received or documented, and no labels. */
const VERBATIM = new Set(['code', 'pre', 'textarea', 'option']);

/**
 * A plugin for Swagger UI, which has no translations of its own: it changes the labels where React
 * makes the elements that hold them.
 */
export const translateLabels = ({ React }) => {
  const { createElement } = React;
  React.createElement = (type, properties, ...children) => {
    if (VERBATIM.has(type)) return createElement(type, properties, ...children);
    const translated = { ...properties };
    if (typeof type === 'string')
      for (const name of READ_PROPERTIES)
        if (name in translated) translated[name] = translate(translated[name]);
    return createElement(type, properties && translated, ...children.map(translate));
  };
  return {};
};
