/** Why the bank declines a card. */
export type CardDecline = 'declined' | 'insufficient_funds' | 'expired_card';

/** What happens to a charge by a card. `unanswered`: it is paid, but the gateway's answer is lost. */
export type CardEffect =
  | CardDecline
  | 'approved'
  | 'failed'
  | 'unanswered'
  | 'capture_declined'
  | 'disputed'
  | 'dispute_lost'
  | 'first_refund_undone';

/** A test card. The payment page and the guides show this list. */
interface SandboxCard {
  readonly number: string;
  readonly effect: CardEffect;
  readonly english: string;
  readonly portuguese: string;
}

/** Every test card. A card with another valid number is approved. */
export const SANDBOX_CARDS: readonly SandboxCard[] = [
  {
    number: '4111111111111111',
    effect: 'approved',
    english: 'approved, as any other valid card number',
    portuguese: 'aprovado, como qualquer outro número de cartão válido',
  },
  {
    number: '4000000000000002',
    effect: 'declined',
    english: 'declined by the issuer of the card',
    portuguese: 'recusado pelo emissor do cartão',
  },
  {
    number: '4000000000009995',
    effect: 'insufficient_funds',
    english: 'no funds',
    portuguese: 'sem saldo',
  },
  {
    number: '4000000000000069',
    effect: 'expired_card',
    english: 'expired, says the issuer of the card',
    portuguese: 'vencido, segundo o emissor do cartão',
  },
  {
    number: '4000000000000119',
    effect: 'failed',
    english: 'the gateway fails; nothing is charged',
    portuguese: 'o gateway falha; nada é cobrado',
  },
  {
    number: '4000000000003220',
    effect: 'unanswered',
    english: "charged, but the gateway's answer gets lost: the sale is looked up and found paid",
    portuguese:
      'cobrado, mas a resposta do gateway se perde: a venda é consultada, e constata-se que foi paga',
  },
  {
    number: '4000000000000341',
    effect: 'capture_declined',
    english:
      'approved; of an apólice it is authorised, and declined when it is captured: the policy is withdrawn',
    portuguese:
      'aprovado; de uma apólice é autorizado, e recusado na captura: a apólice é retirada',
  },
  {
    number: '4000000000000259',
    effect: 'disputed',
    english: 'charged, and then disputed by its holder. The page has a button for each end',
    portuguese: 'cobrado, e depois contestado pelo titular. A página tem um botão para cada fim',
  },
  {
    number: '4000000000005423',
    effect: 'dispute_lost',
    english: 'charged and disputed, and the bank gives the money back: the sale ends as `refunded`',
    portuguese:
      'cobrado e contestado, e o banco devolve o dinheiro: a venda termina como `refunded`',
  },
  {
    number: '4000000000005126',
    effect: 'first_refund_undone',
    english:
      'charged; half a minute after its refund was reported, the bank takes the refund back. The next one is done',
    portuguese:
      'cobrado; meio minuto depois de informada a devolução, o banco a desfaz. A seguinte é feita',
  },
];

/** The effect of a card, by its number without spaces. Undefined for a payment without a card. */
export const effectOf = (number: string | undefined): CardEffect | undefined =>
  number === undefined
    ? undefined
    : (SANDBOX_CARDS.find((card) => card.number === number)?.effect ?? 'approved');

const DECLINES: readonly string[] = [
  'declined',
  'insufficient_funds',
  'expired_card',
] satisfies readonly CardDecline[];

/** Whether the bank declines a card with this effect. */
export const isDecline = (effect: CardEffect | undefined): effect is CardDecline =>
  effect !== undefined && DECLINES.includes(effect);
