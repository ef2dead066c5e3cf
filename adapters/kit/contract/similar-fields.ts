import { distance } from 'fastest-levenshtein';

/** Words that partners use for one thing, in fields of bodies that sell. */
const MEANINGS: readonly (readonly string[])[] = [
  'additionalInsured additionalPeople additionalPersons people persons pessoas pessoasAdicionais segurados seguradosAdicionais insuredPeople dependents dependentes beneficiaries beneficiarios',
  'creditCard card cards cardData paymentCard cartao cartaoCredito cartaoDeCredito dadosCartao dadosDoCartao',
  'insurance insurances additionalInsurance additionalInsurances coverages additionalCoverages coberturas coberturasAdicionais segurosAdicionais',
  'plan plano planId planCode',
  'payment pagamento paymentData paymentProcessing dadosPagamento',
  'nameOrRazao nomeCompleto nome name fullName razaoSocial nomeOuRazao',
  'socialName nomeSocial',
  'cpfOrCnpj cpfCnpj cpfOuCnpj cpf cnpj taxId document documento',
  'phone telefone celular mobile phoneNumber cellphone fone',
  'email mail emailAddress',
  'birthDate dataNascimento dateOfBirth nascimento birthday',
  'address endereco logradouro street rua',
  'district bairro neighborhood',
  'city cidade municipio',
  'state uf estado',
  'postcode cep zip zipCode postalCode',
  'device aparelho dispositivo smartphone',
  'saleDate dataVenda soldAt soldOn',
  'dataPagamento paymentDate paidAt',
  'formaPagamento paymentMethod method metodo',
  'totalInstallmentNumber installments parcelas numeroParcelas',
  'tipoIngresso ticketType',
  'numeroIngresso ticketNumber',
  'dataEvento eventDate',
  'valorIngresso ticketValue ticketPrice',
  'valorSeguro premium premio',
  'productId product produto idProduto',
  'channelLink channel canal linkCanal',
  'externalSaleId externalId orderId orderNumber pedido numeroPedido saleId',
].map((words) => words.split(' ').map(wordOf));

/** `plan_code`, `planCode` and `plan.code` are the same word, with and without accents. */
function wordOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** Longer names are no typos, and comparing them costs time. */
const MAX_LENGTH = 60;

/** Words shorter than 4 letters are too short to be like another; from 8 on, two edits may differ. */
const editsIn = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

/**
 * The known field that an unknown one resembles: by spelling, else by meaning.
 *
 * @param known dotted where nested
 */
export const findSimilar = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > MAX_LENGTH) return undefined;
  const word = wordOf(name);
  const byName = known.find((each) => distance(word, wordOf(each)) <= editsIn(word));
  if (byName !== undefined) return byName;
  const sameMeaning = MEANINGS.filter((words) => words.includes(word)).flat();
  return known.find((each) => sameMeaning.includes(wordOf(each.slice(each.lastIndexOf('.') + 1))));
};

const CARD_WORD = /^(cards?|creditcard|cardnumber|.*cart(ao|oes)|cvv2?|cvc2?)$/;

const CARD_WORDS = /creditcard|cardnumber|securitycode|codigo(de)?seguranca/;

/** Whether the name of a field says that it holds data of a payment card. */
export const namesCard = (name: string): boolean =>
  name
    .slice(0, MAX_LENGTH)
    .normalize('NFC')
    .split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .some((word) => CARD_WORD.test(wordOf(word))) || CARD_WORDS.test(wordOf(name));
