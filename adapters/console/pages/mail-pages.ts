import { type Email, emailOf, isCertified, isRefusal, parseEmail, type Sale } from '#domain';
import type { Mailings } from '../../../application/mail/mailings.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import type { CorrectSaleEmail } from '../../../application/servicing/correct-sale-email.ts';
import {
  MOST_COPIES,
  type RequestSecondCopy,
} from '../../../application/servicing/request-second-copy.ts';
import { type Html, html } from '../../kit/web/pages/html.ts';
import { type Faults, renderFaults, renderField } from '../forms.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';
import { FAULTY } from './entry-pages.ts';
import { withSale } from './with-sale.ts';

export interface MailParts {
  readonly sales: Sales;
  readonly mailings: Mailings;
  readonly requestSecondCopy: RequestSecondCopy;
  readonly correctSaleEmail: CorrectSaleEmail;
}

const MAILS = { right: 'assist' } as const;

const MAX_MAILS = 1_000;

const renderCopy = ({ at }: OwnVisit, sale: Sale, mails: number, problem?: string): Html => {
  const id = String(sale.id);
  return html`<div class="narrow"><h1>Enviar a segunda via</h1>
${problem && html`<div class="alert" role="alert"><p>${problem}</p></div>`}
<p>O bilhete ou a apólice da venda ${id} segue de novo para <strong class="long">${emailOf(sale)}</strong>. Não é o endereço certo? <a href="${at(`/sales/${id}/email`)}">Corrija-o antes</a>.</p>
<form method="post" action="${at(`/sales/${id}/copy`)}"><input type="hidden" name="seen" value="${String(mails)}">
<button>Enviar</button> <a href="${at(`/sales/${id}`)}">Voltar</a></form></div>`;
};

const copyPages = (parts: MailParts): readonly OwnPage[] => {
  const { mailings, requestSecondCopy } = parts;
  const mailsOf = async (sale: Sale): Promise<number> =>
    (await mailings.list({ saleId: sale.id, limit: MAX_MAILS })).length;
  const show = async (visit: OwnVisit, sale: Sale, problem?: string): Promise<Answer> => ({
    title: 'Segunda via',
    content: renderCopy(visit, sale, await mailsOf(sale), problem),
    ...(problem && FAULTY),
  });

  return [
    {
      ...MAILS,
      method: 'get',
      path: '/sales/:id/copy',
      answer: withSale(parts, (visit, sale) => show(visit, sale)),
    },
    {
      ...{ ...MAILS, method: 'post', path: '/sales/:id/copy' },
      answer: withSale(parts, async (visit, sale) => {
        // Two tabs that have seen the same mails ask for the same copy.
        const seen = visit.form.one('seen') ?? '';
        const key = { clientId: 'console', key: `${sale.id}-${seen.slice(0, 10)}` };
        const outcome = await requestSecondCopy(sale, visit.actor, key);
        if (outcome.kind === 'not_certified')
          return show(visit, sale, 'Esta venda não tem bilhete ou apólice em vigor.');
        if (outcome.kind === 'too_many')
          return show(
            visit,
            sale,
            `São enviadas no máximo ${MOST_COPIES} segundas vias por hora. A próxima pode ser pedida em ${Math.ceil(outcome.waitFor / 60)} minutos.`,
          );
        return { goTo: `/sales/${sale.id}?done=copy` };
      }),
    },
  ];
};

const emailPages = (parts: MailParts): readonly OwnPage[] => {
  const show = ({ at, form }: OwnVisit, sale: Sale, faults: Faults = {}): Answer => {
    const id = String(sale.id);
    return {
      title: 'Corrigir o e-mail',
      content: html`<div class="narrow"><h1>Corrigir o e-mail</h1>
${renderFaults(faults)}
<p>Agora é <strong class="long">${emailOf(sale)}</strong>. O que ainda não foi entregue segue para o endereço novo.</p>
<form method="post" action="${at(`/sales/${id}/email`)}" novalidate>
${renderField({ name: 'email', label: 'E-mail certo', value: form.one('email') ?? '', attributes: html`type="email" maxlength="254" autocomplete="off" required` }, faults)}
${isCertified(sale) && html`<p class="check"><input type="checkbox" id="copy" name="copy" checked><label for="copy">Enviar também a segunda via ao endereço novo</label></p>`}
<button>Corrigir</button> <a href="${at(`/sales/${id}`)}">Voltar</a></form></div>`,
      ...(Object.keys(faults).length > 0 && FAULTY),
    };
  };

  return [
    {
      ...MAILS,
      method: 'get',
      path: '/sales/:id/email',
      answer: withSale(parts, (visit, sale) => show(visit, sale)),
    },
    {
      ...{ ...MAILS, method: 'post', path: '/sales/:id/email' },
      answer: withSale(parts, async (visit, sale) => {
        const email: Email | undefined = parseEmail(visit.form.one('email') ?? '');
        if (email === undefined)
          return show(visit, sale, { email: 'Escreva um e-mail, como ana@empresa.com.br.' });
        const outcome = await parts.correctSaleEmail({ sale, email, actor: visit.actor });
        if (!isRefusal(outcome)) {
          // What waits goes to the new address by itself.
          const wantsCopy = visit.form.one('copy') !== undefined && outcome.mailsWaiting === 0;
          const key = { clientId: 'console', key: `${sale.id}-to-${outcome.sale.version}` };
          const copied =
            wantsCopy && (await parts.requestSecondCopy(outcome.sale, visit.actor, key));
          const isCopied = copied !== false && copied.kind === 'requested';
          return { goTo: `/sales/${sale.id}?done=${isCopied ? 'email-copy' : 'email'}` };
        }
        const fault =
          outcome.kind === 'sale_takes_no_mail'
            ? 'A venda foi recusada ou venceu: nenhum e-mail segue.'
            : 'O e-mail desta venda já foi corrigido muitas vezes nesta hora. Espere um pouco.';
        return show(visit, sale, { email: fault });
      }),
    },
  ];
};

/** The pages on which support sends documents again. */
export const createMailPages = (parts: MailParts): readonly OwnPage[] => [
  ...copyPages(parts),
  ...emailPages(parts),
];
