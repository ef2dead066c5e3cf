import type { Field } from '../../kit/contract/catalogue-fields.ts';
import { VALUE_WORDS } from '../value-words.ts';
import { wordsIn } from '../words.ts';

/** The label of each field of products and channels. */
export const DEFINITION_WORDS: Readonly<Record<string, string>> = {
  active: 'Vende',
  amount: 'Valor (R$)',
  attributes: 'Campos próprios de cada venda',
  branchCode: 'Código do ramo',
  branchName: 'Nome do ramo',
  cancellation: 'Cancelamento depois do arrependimento',
  certificateMail: 'E-mail do bilhete',
  channelLink: 'Nome no endereço',
  claimContact: 'Contato para sinistros',
  claimDocuments: 'Documentos para sinistros',
  cnpj: 'CNPJ',
  code: 'Código',
  collectedBy: 'Quem recebe o pagamento',
  commissionCap: 'Máximo das comissões (%)',
  commissions: 'Comissões',
  coverages: 'Coberturas adicionais',
  covers: 'O que cobre',
  customerService: 'SAC',
  deductible: 'Franquia',
  description: 'Descrição',
  exclusions: 'Riscos excluídos',
  exclusive: 'Só uma seguradora',
  gateway: 'Gateway de pagamento',
  id: 'Número',
  includes: 'Coberturas incluídas',
  instrument: 'Documento do contrato',
  insurer: 'Seguradora',
  iof: 'IOF',
  iofClass: 'Classe de IOF',
  kind: 'Tipo',
  limit: 'Limite de indenização (R$)',
  line: 'Ramo de negócio',
  maxInstallments: 'Máximo de parcelas',
  minimum: 'Mínimo (R$)',
  months: 'Meses',
  name: 'Nome',
  notCovered: 'O que não cobre',
  ombudsman: 'Ouvidoria',
  period: 'Vigência',
  plans: 'Planos',
  premiumShare: 'Parte do preço (%)',
  pricingBasis: 'O preço é',
  products: 'Produtos do canal',
  rate: 'Taxa (%)',
  registration: 'Registro na SUSEP',
  returnOrigins: 'Endereços de volta da página de pagamento',
  role: 'Papel do canal',
  rounding: 'Arredondamento',
  susepCode: 'Código SUSEP',
  susepProcess: 'Processo SUSEP',
  tariff: 'Preço',
  waitingDays: 'Carência (dias)',
};

/** An item of each list of objects. */
export const ITEM_WORDS: Readonly<Record<string, string>> = {
  plans: 'plano',
  coverages: 'cobertura adicional',
  includes: 'cobertura',
  commissions: 'comissão',
  products: 'produto',
};

/** The values that a field can have. */
const CHOICE_WORDS: Readonly<Record<string, string>> = {
  ...{ declared: 'dito a cada venda', fixed: 'valor fixo', rate: 'taxa', months: 'em meses' },
  ...{ payment_to_event: 'do pagamento ao evento' },
  ...{ net: 'líquido, sem o IOF', gross: 'bruto, com o IOF' },
  ...{ 'half-up': 'meio centavo para cima', 'half-even': 'meio centavo para o par' },
  ...{ general: 'geral', life: 'vida', health: 'saúde', exempt: 'isento' },
  ...{ either: 'loja ou serviço, como a venda diz' },
  ...{ pro_rata: 'proporcional aos dias', short_period: 'tabela de prazo curto' },
  ...{ retained: 'não volta', refunded: 'volta' },
  ...{ bilhete: 'bilhete', apolice: 'apólice' },
  ...{ on_issue: 'na emissão', on_request: 'só a pedido' },
  ...{ representative: 'representação', representante: 'representante' },
  ...{ corretor: 'corretor', estipulante: 'estipulante' },
  ...{ true: 'sim', false: 'não' },
};

const labelOf = (name: string): string => wordsIn(DEFINITION_WORDS, name) ?? name;

/** The label of a field, without the unit of its value. */
export const plainLabelOf = (name: string): string => labelOf(name).replace(/ \(.*/, '');

export const labelOfField = ({ name }: Field): string => labelOf(name);

export const choiceWords = (value: string): string =>
  wordsIn(CHOICE_WORDS, value) ?? wordsIn(VALUE_WORDS, value) ?? value;

/** The values of a choice, as bodies have them. */
export const valuesOf = ({ values = [], names }: Field): readonly string[] =>
  names ? Object.values(names) : values;

/** A path in words: `Planos 2, Preço, Valor`. */
export const sayPath = (path: string): string =>
  path
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? ` ${Number(part) + 1}` : `, ${plainLabelOf(part)}`))
    .join('')
    .slice(', '.length);
