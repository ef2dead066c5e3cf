import { expect } from 'chai';
import PostalMime, { type Email as ParsedMail } from 'postal-mime';
import {
  applyPaymentReport,
  cancelSale,
  cents,
  type EndedByCancellation,
  type Moment,
  type PaymentMethod,
  type PaymentReport,
  protocolOf,
} from '#domain';
import { SmtpMailer } from '../../adapters/mail/smtp-mailer.ts';
import type { CancellationMail, CancellationNotice } from '../../application/mail/mailer.ts';
import { noticeOf } from '../support/certificates.ts';
import { LOGIN, localCertificate, MailServer } from '../support/mail-server.ts';
import {
  APPROVED,
  AWAITING,
  day,
  ISSUED,
  LATER,
  PAID,
  paidSale,
  pendingSale,
  stateOf,
  TOTAL,
} from '../support/sales.ts';

const ON: Moment = { on: day('2026-12-05'), at: LATER };
const IN_TIME: Moment = { on: day('2026-11-25'), at: LATER };

const byBoleto = () =>
  ({
    ...AWAITING.terms,
    payment: { collectedBy: 'service', method: 'boleto', installments: 1 },
  }) as const;

type Cancellable = Parameters<typeof cancelSale>[0];

const ended = (sale: Cancellable, moment = ON, by?: 'insurer'): EndedByCancellation =>
  stateOf(cancelSale(sale, moment, by));

const paidBy = (method: PaymentMethod): Cancellable => ({
  ...PAID,
  payment: { ...APPROVED, method },
});

const chargedBack = (): EndedByCancellation => {
  const { chargeId, amount } = APPROVED;
  const report = { status: 'returned', chargeId, amount, returned: amount } as const;
  return stateOf(applyPaymentReport(ISSUED, report, ON)) as EndedByCancellation;
};

describe('the mail that tells of a cancellation', () => {
  let server: MailServer;
  let mailer: SmtpMailer;
  before(async () => {
    server = await new MailServer({ certificate: await localCertificate() }).start();
    mailer = new SmtpMailer(
      `smtp://${LOGIN.user}:${LOGIN.password}@127.0.0.1:${server.port}?tls.rejectUnauthorized=false`,
      { name: 'Seguros & Cia.', address: 'seguros@example.com' },
    );
  });
  beforeEach(() => {
    server.received.length = 0;
  });
  after(async () => {
    await mailer.close();
    await server.stop();
  });

  const mailOf = (notice: CancellationNotice): CancellationMail => ({
    reference: '1-01M7YT3JAHDR4EX1NJJCGWCZ8P-cancellation',
    occasion: 'cancellation',
    to: 'maria@example.com' as CancellationMail['to'],
    notice,
  });

  /** The words of the HTML, without its tags. */
  const wordsOf = (html: string): string =>
    html
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll('&amp;', '&')
      .replaceAll(/\s+/g, ' ');

  /** Sends the mail. Every text that must be read is in the plain text and in the HTML. */
  const send = async (
    sale: EndedByCancellation,
    expected: readonly string[],
    insured: object = {},
  ): Promise<ParsedMail> => {
    expect(await mailer.send(mailOf(await noticeOf(sale, insured)))).to.deep.equal({
      kind: 'sent',
    });
    const [received] = server.received;
    const mail = await PostalMime.parse(received?.raw ?? '');
    for (const text of [...expected, `${protocolOf(sale)}`]) {
      expect(mail.text?.replaceAll(/\s+/g, ' ')).to.include(text);
      expect(wordsOf(mail.html ?? '')).to.include(text);
    }
    return mail;
  };

  it('names what was paid beyond the price, and tells of the payment alone', async () => {
    const more = { ...APPROVED, amount: cents(APPROVED.amount + 476) } as const;
    const disputed = {
      ...APPROVED,
      chargeId: 'ch-2',
      dispute: { status: 'opened', amount: APPROVED.amount } as const,
    };
    const paid = stateOf(applyPaymentReport(AWAITING, more, IN_TIME));
    const sale = ended(paid as Cancellable, IN_TIME);
    const mail = await send(sale, ['Pago a mais, que também volta', 'R$ 4,76']);
    expect(mail.text).to.include('R$ 202,52');
    server.received.length = 0;
    const twice = stateOf(applyPaymentReport(sale, disputed, IN_TIME)) as EndedByCancellation;
    expect((await send(twice, ['R$ 207,28'])).text).not.to.include('contestado');
  });

  it('says what was cancelled, what goes back, who returns it, and who to turn to', async () => {
    const sale = ended(paidSale(), IN_TIME);
    const mail = await send(sale, [
      'Olá, Zô.',
      'Ingresso Protegido foi cancelado em 25/11/2026, dentro do prazo de arrependimento de 7 dias, a seu pedido, registrado por Canal de demonstração.',
      'B-00000000',
      'R$ 202,52',
      'Valor a devolver, com IOF',
      'Quem devolve',
      'de imediato, como manda o Código de Defesa do Consumidor',
      'Quem recebeu o pagamento e o devolve é Canal de demonstração: R$ 202,52, de imediato',
      'procure Canal de demonstração e informe o protocolo',
      'SAC',
      '0800 000 0000',
      'www.gov.br/susep',
      'www.consumidor.gov.br',
    ]);
    expect(mail.subject).to.equal(
      `Ingresso Protegido: cancelamento, protocolo ${protocolOf(sale)}`,
    );
    expect(mail.html).to.include('lang="pt-BR"');
    expect(mail.attachments).to.deep.equal([]);
    expect(mail.headers.find(({ key }) => key === 'auto-submitted')?.value).to.equal(
      'auto-generated',
    );
  });

  it('greets by the name if there is no social name', async () => {
    await send(ended(paidSale()), ['Olá, Maria da Silva.'], {
      name: 'Maria da Silva',
      socialName: undefined,
    });
  });

  it('shows after the withdrawal period what is kept, and for how many days', async () => {
    const sale = ended(ISSUED);
    const { usedDays, totalDays, kept, refund } = sale.cancellation;
    expect(kept.total).to.be.greaterThan(0);
    const mail = await send(sale, [
      'Coberto até',
      'Prêmio não devolvido',
      `cobertura usada: ${usedDays} de ${totalDays} dias`,
      'IOF não devolvido',
      `A devolução de R$ ${(refund.total / 100).toFixed(2).replace('.', ',')} é pedida sem demora.`,
      'Valor a devolver, com IOF',
    ]);
    expect(mail.text).not.to.include('arrependimento');
  });

  const WAYS: readonly [PaymentMethod, string][] = [
    ['credit', 'como crédito na fatura atual ou na seguinte'],
    ['pix', 'Ela volta à conta de onde saiu o Pix'],
    ['boleto', 'outra mensagem traz a página em que você informa uma conta em seu nome'],
  ];
  for (const [method, way] of WAYS)
    it(`says how the money goes back if it was paid by ${method}`, async () => {
      await send(ended(paidBy(method)), [way, 'antes da emissão da apólice', 'R$ 202,52']);
    });

  const told = (sale: EndedByCancellation, report: PaymentReport): EndedByCancellation =>
    stateOf(applyPaymentReport(sale, report, ON)) as EndedByCancellation;
  const { chargeId } = APPROVED;
  const back = { status: 'returned', chargeId, amount: TOTAL, returned: cents(0) } as const;
  const barred = (held: object) => told(ended(PAID), { ...APPROVED, ...held });
  const dispute = { status: 'opened', amount: TOTAL };
  const STATES: readonly [string, EndedByCancellation, string][] = [
    [
      'done',
      told(ended(PAID), { ...back, returned: TOTAL }),
      'A devolução de R$ 202,52 foi feita.',
    ],
    ['on its way', told(ended(PAID), { ...back, ordered: TOTAL }), 'e está a caminho'],
    ['disputed', barred({ dispute }), 'Este pagamento está contestado no banco.'],
    ['in cash', barred({ inCash: true }), 'é feita à parte, sem demora'],
  ];
  for (const [state, sale, words] of STATES)
    it(`says how the refund stands when the mail is sent: ${state}`, async () => {
      const label = state === 'done' ? 'Valor devolvido, com IOF' : 'Valor a devolver, com IOF';
      await send(sale, [words, label]);
    });

  it('names a payment of less than the price, and that it goes back', async () => {
    const short = { ...APPROVED, amount: cents(8_000) };
    const waiting = stateOf(applyPaymentReport(AWAITING, short, ON)) as Cancellable;
    const mail = await send(ended(waiting), [
      'Chegou um pagamento de R$ 80,00, menor que o preço, que não pagou o seguro.',
    ]);
    expect(mail.text).to.match(/Valor pago, com IOF: R\$\s80,00/);
    expect(mail.text).to.match(/Valor a devolver, com IOF: R\$\s80,00/);
    const done = told(ended(waiting), { ...back, amount: cents(8_000), returned: cents(8_000) });
    server.received.length = 0;
    await send(done, ['Ele já foi devolvido.']);
  });

  it('says that nothing was paid, and that an open boleto or link must not be paid', async () => {
    const mail = await send(ended(AWAITING), [
      'foi cancelada em 05/12/2026, antes do pagamento',
      'Nenhum pagamento chegou, por isso não há o que devolver.',
      'não o pague',
    ]);
    expect(mail.text).not.to.match(/bilhete|apólice nº/);
  });

  it('says without an accusation that the insurer ended it, and what the insured can do', async () => {
    const sale = ended(ISSUED, ON, 'insurer');
    const mail = await send(sale, [
      'encerrou em 05/12/2026 o contrato de Ingresso Protegido',
      'A decisão foi da seguradora, e não um pedido seu.',
      'os motivos por escrito',
      'ouvidoria',
    ]);
    expect(mail.subject).to.include('contrato encerrado pela seguradora');
    expect(mail.text).not.to.include('a seu pedido');
  });

  it('says that the insurer issued no contract, and that all of the payment goes back', async () => {
    const mail = await send(ended(PAID, ON, 'insurer'), [
      'A compra de Ingresso Protegido não pôde ser concluída e terminou em 05/12/2026',
      'não emitiu o contrato, e não há cobertura. Isso não foi um pedido seu.',
      'A devolução de R$ 202,52',
      'procure Canal de demonstração, que vendeu o seguro, e informe o protocolo',
    ]);
    expect(mail.subject).to.include('compra não concluída');
    expect(mail.text).not.to.include('Valor não devolvido');
  });

  it('says that nothing was charged, if the gateway was not asked', async () => {
    const mail = await send(ended(pendingSale(), ON, 'insurer'), [
      'não pôde ser concluída',
      'Nada foi cobrado, por isso não há o que devolver.',
    ]);
    expect(mail.text).not.to.match(/boleto|link|a seu pedido/);
  });

  it('claims nothing of the money while the gateway has not said whether it charged', async () => {
    const unknown = { ...pendingSale(), payment: { status: 'unknown', amount: TOTAL } } as const;
    const mail = await send(ended(unknown, ON, 'insurer'), [
      'ainda não informou se houve uma cobrança. Se houve, o valor volta inteiro',
      'não o pague',
    ]);
    expect(mail.text).not.to.match(/Valor pago|Nada foi|Nenhum pagamento|R\$/);
  });

  it('names a payment that arrived after the end, and says that it goes back', async () => {
    const sale = ended({ ...AWAITING, terms: byBoleto() }, ON, 'insurer');
    const paid = stateOf(applyPaymentReport(sale, APPROVED, ON)) as EndedByCancellation;
    const mail = await send(paid, [
      'Um pagamento de R$ 202,52 chegou depois do fim da compra.',
      'Um boleto não tem conta de origem',
    ]);
    expect(mail.text).to.match(/Valor a devolver, com IOF: R\$\s202,52/);
    expect(mail.text).not.to.include('Nenhum pagamento');
  });

  it('says that a returned payment ended the contract, and how to be insured again', async () => {
    const mail = await send(chargedBack(), [
      'voltou inteiro a quem pagou',
      'o contrato terminou em 05/12/2026',
      'não há outro valor a devolver',
      'Se não pediu, ou quer continuar com cobertura',
    ]);
    expect(mail.text).not.to.match(/fraude|inadimpl|a seu pedido|chargeback/i);
  });

  const HOSTILE = [
    'Maria\r\nBcc: thief@evil.example',
    'Maria\r\n\r\n<b>body</b>',
    'Maria" <thief@evil.example>, "x',
    '=?UTF-8?Q?=0D=0ABcc:_thief@evil.example?=',
    'Maria\u0000\u2028Bcc: thief@evil.example',
  ];
  for (const [index, name] of HOSTILE.entries())
    it(`is not changed by header injection in names (${index + 1})`, async () => {
      const notice = await noticeOf(ended(paidSale()), { name, socialName: name });
      const hostile = { ...notice, productName: name, channelName: name };
      await mailer.send(mailOf({ ...hostile, insurer: { ...notice.insurer, name } }));
      const [received, ...others] = server.received;
      expect(others).to.deep.equal([]);
      expect(received?.envelope.to).to.deep.equal(['maria@example.com']);
      const names = received?.headers.map(({ key }) => key) ?? [];
      expect(names.filter((key) => /^(subject|to|from|bcc|cc)$/.test(key)).sort()).to.deep.equal([
        'from',
        'subject',
        'to',
      ]);
      expect(received?.html).not.to.include('<b>body</b>');
    });
});
