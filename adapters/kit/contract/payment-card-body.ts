import Type, { type Static } from 'typebox';
import { brazilianPhone, type CalendarDate, CardNumber, type Insured, type Phone } from '#domain';
import { type CardHolder, PaymentCard } from '../../../application/payments/payment-card.ts';
import type { CardNeeds } from '../../../application/payments/payments.ts';
import { readEmail, readPhone, readTaxId } from './domain-values.ts';
import { type FieldFaults, faultAt } from './field-faults.ts';
import { CARD, date, email, formatted, phone, postcode, state, taxId, text } from './formats.ts';
import { bornInFutureAt, readAddress } from './people.ts';

const holderBody = Type.Object(
  {
    name: text(200),
    type: Type.Optional(Type.Enum(['individual', 'company'])),
    document: taxId({ description: 'CPF ou CNPJ do titular, sem pontuação' }),
    email: Type.Optional(email()),
    mobile: Type.Optional(phone()),
    dateOfBirth: Type.Optional(date()),
    address: Type.Optional(
      Type.Object({
        street: text(200),
        number: text(20),
        complement: Type.Optional(text(100)),
        district: text(100),
        city: text(100),
        state: state(),
        postcode: postcode(),
      }),
    ),
  },
  { title: 'CardHolder', description: 'Titular do cartão; ausente, o segurado' },
);

/** The only schema through which a card enters the service. */
export const cardBody = Type.Object(
  {
    flag: text(30, { description: 'Bandeira', examples: ['visa'] }),
    number: formatted('card-number', { maxLength: 30 }),
    cvv: formatted('card-code'),
    expiryMonth: formatted('card-month', { examples: ['09'] }),
    expiryYear: formatted('two-digit-year', { examples: ['30'] }),
    holder: Type.Optional(holderBody),
  },
  {
    title: 'PaymentCard',
    ...CARD,
    description: 'Nunca é guardado: segue para o gateway de pagamento e é esquecido',
  },
);

export const CARD_WITH_BOLETO = faultAt(
  'payment.modeCode',
  'contradicts',
  'A forma de pagamento é boleto, mas um cartão foi enviado.',
);

type CardBody = Static<typeof cardBody>;

/** The fields without faults. */
type SoundCard = Partial<Omit<CardBody, 'holder'>> & {
  readonly holder?: Partial<CardBody['holder']> | undefined;
};

const yearOf = ({ expiryYear }: Pick<CardBody, 'expiryYear'>): string => `20${expiryYear}`;
const monthOf = ({ expiryMonth }: Pick<CardBody, 'expiryMonth'>): string =>
  expiryMonth.padStart(2, '0');

/** A card expires after the last day of its month. A company has a CNPJ, a person a CPF. */
export const findCardFaults = (
  card: SoundCard | undefined,
  field: string,
  today: CalendarDate,
): FieldFaults => {
  const { expiryYear, expiryMonth, holder } = card ?? {};
  const isDated = expiryYear !== undefined && expiryMonth !== undefined;
  const isExpired =
    isDated && `${yearOf({ expiryYear })}-${monthOf({ expiryMonth })}` < today.slice(0, 7);
  const { type, document } = holder ?? {};
  const isOtherType =
    type !== undefined &&
    document !== undefined &&
    (type === 'company') !== (document.length === 14);
  return {
    ...(isExpired && faultAt(`${field}.expiryYear`, 'expired_card', 'O cartão está vencido.')),
    ...(holder?.dateOfBirth !== undefined &&
      holder.dateOfBirth >= today &&
      bornInFutureAt(`${field}.holder.dateOfBirth`)),
    ...(isOtherType &&
      faultAt(
        `${field}.holder.document`,
        'contradicts',
        'O documento do titular não é do tipo informado em holder.type.',
      )),
  };
};

const isBrazilian = (phone: string | undefined): boolean =>
  phone !== undefined && brazilianPhone(phone as Phone) !== undefined;

/**
 * What the gateway needs of the card's holder and cannot have: asked for before the sale, because a
 * card that is refused ends it.
 *
 * @param insured the sound fields of the body, in the place of those that the holder lacks
 */
export const findHolderFaults = (
  needs: CardNeeds | undefined,
  card: SoundCard | undefined,
  field: string,
  insured: { readonly phone?: string | undefined; readonly address?: object | undefined },
  faults: FieldFaults,
): FieldFaults => {
  if (card === undefined || needs === undefined) return {};
  const { address, mobile } = card.holder ?? {};
  const lacksAddress = needs.address && address === undefined && insured.address === undefined;
  const path = `${field}.holder.mobile`;
  const lacksPhone =
    needs.brazilianPhone &&
    !isBrazilian(mobile) &&
    !isBrazilian(insured.phone) &&
    !('phone' in faults || path in faults);
  return {
    ...(lacksAddress &&
      faultAt('address', 'required', 'O campo address é obrigatório para pagamento com cartão.')),
    ...(lacksPhone &&
      faultAt(
        path,
        mobile === undefined ? 'required' : 'invalid_format',
        `O titular do cartão precisa de um telefone brasileiro, com DDD, em ${path} ou em phone.`,
      )),
  };
};

/**
 * The card to charge. Its holder is the insured, except for the fields that `holder` has. Of two
 * phones it has the one that is Brazilian.
 */
export const readCard = (
  card: CardBody,
  { name, taxId: insuredTaxId, email: insuredEmail, phone, address }: Insured,
): PaymentCard => {
  const { number, cvv, holder } = card;
  const secrets = {
    number: CardNumber.parse(number) as CardNumber,
    cvv,
    expiryMonth: monthOf(card),
    expiryYear: yearOf(card),
  };
  const insuredAsHolder: CardHolder = {
    name,
    taxId: insuredTaxId,
    email: insuredEmail,
    ...(phone && { phone }),
    ...(address && { address }),
  };
  if (holder === undefined) return new PaymentCard(secrets, insuredAsHolder);
  return new PaymentCard(secrets, {
    ...insuredAsHolder,
    name: holder.name,
    taxId: readTaxId(holder.document),
    ...(holder.email !== undefined && { email: readEmail(holder.email) }),
    ...(holder.mobile !== undefined &&
      (isBrazilian(holder.mobile) || !isBrazilian(phone)) && { phone: readPhone(holder.mobile) }),
    ...(holder.address !== undefined && { address: readAddress(holder.address) }),
  });
};
