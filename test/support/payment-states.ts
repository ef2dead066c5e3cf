import type { Api } from './api.ts';
import { artistOrder, byCard, phoneOrder } from './orders.ts';

/** A sale whose payer looks at a page. */
interface Payer {
  readonly api: Api;
  readonly address: string;
  /** Sends the form of the page. */
  readonly act: (fields: Record<string, string>) => Promise<void>;
  readonly cancel: () => Promise<void>;
}

/** A page as it looks in some state of the charge and the sale, and what its payer reads. */
interface PaymentState {
  readonly name: string;
  readonly product?: 'boleto' | 'card';
  /** Brings it about. */
  readonly arrange?: (payer: Payer) => Promise<void>;
  /** The account page of a refund. */
  readonly isAccount?: true;
  readonly expected: readonly string[];
}

const pay = (method: string, more: Record<string, string> = {}) => ({
  action: 'pay',
  method,
  ...more,
});

const payAndCancel = async ({ act, cancel, api }: Payer, method: string): Promise<void> => {
  await act(pay(method));
  await api.memory.runJobs();
  await cancel();
  await api.memory.runJobs();
};

const nameAccount = async (
  { address, api }: Payer,
  fields: Record<string, string>,
): Promise<void> => {
  const body = new URLSearchParams(fields);
  await fetch(address.replace('/pay/', '/refund/'), { method: 'POST', body, redirect: 'manual' });
  await api.memory.runJobs();
};

const card = (number: string) =>
  pay('card', { number, holder: 'Maria da Silva', expiry: '12/39', cvv: '123' });

/** Every state of the payment page. */
export const PAYMENT_STATES: readonly PaymentState[] = [
  {
    name: 'open',
    expected: [
      'Pague até 24/11/2026, 23h59',
      'Loja Canal de demonstração',
      'Seguradora Seguradora Demonstração S.A.',
      'Vigência das 0h de',
      'Dúvidas? Fale com Canal de demonstração, que vendeu o seguro, ou com a seguradora: 0800 000 0000',
      'Não quero este seguro',
      'Escolha como pagar',
    ],
  },
  {
    name: 'open, by boleto alone',
    product: 'boleto',
    expected: ['Pague o boleto', 'Evento', 'Festival', 'Copiar'],
  },
  {
    name: 'open, after its due day',
    product: 'boleto',
    arrange: async ({ api }) => api.memory.clock.advance(4 * 86_400),
    expected: ['O prazo terminou em', 'um pagamento ainda é aceito até'],
  },
  {
    name: 'paid, before the mail',
    arrange: ({ act }) => act(pay('pix')),
    expected: [
      'Pagamento confirmado',
      'Não é preciso pagar de novo',
      'por Pix',
      'vai por e-mail a m***@e***',
    ],
  },
  {
    name: 'paid, and the certificate mailed',
    arrange: async ({ act, api }) => {
      await act(pay('boleto'));
      await api.memory.runJobs();
    },
    expected: [
      'Pagamento confirmado',
      'Total pago R$ 321,07',
      ', por boleto',
      'foi enviado por e-mail a m***@e***',
    ],
  },
  {
    name: 'paid, and the mail refused',
    arrange: async ({ act, api }) => {
      api.memory.mailer.next({ kind: 'refused', reason: '550' });
      await act(pay('pix'));
      await api.memory.runJobs();
    },
    expected: ['O endereço m***@e*** não aceitou o e-mail', 'peça a Canal de demonstração'],
  },
  {
    name: 'paid, more than the price',
    arrange: async ({ act, api }) => {
      await act(pay('pix', { amount: '400,00' }));
      await api.memory.runJobs();
    },
    expected: ['Total pago R$ 400,00', 'A cobrança era de R$ 321,07', 'Devolvido R$ 78,93'],
  },
  {
    name: 'paid, less than the price',
    arrange: async ({ act, api }) => {
      await act(pay('pix', { amount: '80,00' }));
      await api.memory.runJobs();
    },
    expected: [
      'Total pago R$ 80,00',
      'A cobrança era de R$ 321,07',
      'decidimos se o aceitamos; se não, ele volta inteiro',
      'A devolver R$ 80,00',
    ],
  },
  {
    name: 'cancelled, and refunded to the Pix account',
    arrange: (payer) => payAndCancel(payer, 'pix'),
    expected: ['Pagamento devolvido', 'Devolvido R$ 321,07 em ', 'Protocolo: 2026'],
  },
  {
    name: 'cancelled, and the refund of the boleto waits',
    arrange: (payer) => payAndCancel(payer, 'boleto'),
    expected: [
      'Há um valor a devolver',
      'A devolver R$ 321,07',
      'Informar a conta que recebe o valor, até',
    ],
  },
  {
    name: 'the account for the refund',
    arrange: (payer) => payAndCancel(payer, 'boleto'),
    isAccount: true,
    expected: ['Você recebe R$ 321,07', 'Conta ou chave Pix'],
  },
  {
    name: 'the account, after the time for it',
    isAccount: true,
    arrange: async (payer) => {
      await payAndCancel(payer, 'boleto');
      await nameAccount(payer, { action: 'lapse' });
    },
    expected: ['Há R$ 321,07 a devolver', 'a devolução é pedida de novo em'],
  },
  {
    name: 'cancelled, and refunded to the account of the boleto',
    arrange: async (payer) => {
      await payAndCancel(payer, 'boleto');
      await nameAccount(payer, { action: 'name', account: 'a@b' });
    },
    expected: ['Pagamento devolvido', 'Ela foi para a conta que você informou.'],
  },
  {
    name: 'refused by the payer',
    arrange: async ({ act, api }) => {
      await act({ action: 'refuse' });
      await api.memory.runJobs();
    },
    expected: ['Você desistiu', 'Nada foi cobrado e não há seguro.', 'faça outra compra em'],
  },
  {
    name: 'not paid in time',
    arrange: async ({ api, address }) => {
      api.memory.clock.advance(9 * 86_400);
      await fetch(address);
      await api.memory.runJobs();
    },
    expected: [
      'Compra não concluída',
      'o prazo para pagar terminou sem que um pagamento chegasse',
      'Nada a pagar',
      'faça outra compra em Canal de demonstração',
    ],
  },
  {
    name: 'cancelled before it was paid',
    arrange: async ({ cancel, api }) => {
      await cancel();
      await api.memory.runJobs();
    },
    expected: ['Compra cancelada', 'antes do pagamento, a seu pedido', 'Nada a pagar'],
  },
  {
    name: 'disputed',
    arrange: async ({ act, api }) => {
      await act(card('4000000000000259'));
      await api.memory.runJobs();
    },
    expected: ['Pagamento contestado', 'Até o banco decidir, nada é devolvido.'],
  },
  {
    name: 'disputed, and given back by the bank',
    arrange: async ({ act, api }) => {
      await act(card('4000000000005423'));
      await api.memory.runJobs();
    },
    expected: ['Pagamento devolvido', 'Devolvido R$ 321,07', 'com cartão de crédito'],
  },
  {
    name: 'declined by the bank, by the card of the order',
    product: 'card',
    expected: [
      'Pagamento não autorizado',
      'Nada a pagar: por este link nada foi cobrado.',
      'faça outra compra',
    ],
  },
];

const PHONE = ['/seguros/seguro-celular/create', phoneOrder({ plan: { id: 32 } })] as const;
const ARTIST = '/seguros/artista-protegido/create';
const DECLINED = byCard({}, { number: '4000000000000002' });

/** Sells, brings the state about, and returns the address of the page. */
export const arrangeState = async (api: Api, state: PaymentState): Promise<string> => {
  const headers = await api.bearer();
  const [path, order] = {
    phone: PHONE,
    boleto: [ARTIST, artistOrder()] as const,
    card: [ARTIST, artistOrder({ payment: DECLINED })] as const,
  }[state.product ?? 'phone'];
  await api.post(path, order, headers);
  const [sale] = await api.memory.sales.list({ limit: 1 });
  const [charge] = await api.memory.sandbox.chargesOf(sale?.id ?? 0);
  const address = `${api.url}/sandbox/pay/${charge?.id}`;
  const act = async (fields: Record<string, string>): Promise<void> => {
    await fetch(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  };
  const cancel = async (): Promise<void> => {
    await api.post(`/private/integration/sale/${sale?.ticket}/cancel`, {}, headers);
  };
  await state.arrange?.({ api, address, act, cancel });
  return state.isAccount ? address.replace('/pay/', '/refund/') : address;
};
