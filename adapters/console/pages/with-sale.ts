import type { Sale } from '#domain';
import type { Sales } from '../../../application/sales/sales.ts';
import { html } from '../../kit/web/pages/html.ts';
import { isSerialNumber } from '../../kit/web/pipeline/list-answers.ts';
import type { Answer, OwnPage, OwnVisit } from '../visit.ts';

const UNKNOWN_SALE: Answer = {
  ...{ status: 404, errorCode: 'not_found', title: 'Venda não encontrada' },
  content: html`<h1>Venda não encontrada</h1><p>Não há venda com este número.</p>`,
};

/** The page of the sale in the path; 404 without one, and for one of a channel that is not shown. */
export const withSale =
  (
    { sales }: { readonly sales: Pick<Sales, 'load'> },
    answer: (visit: OwnVisit, sale: Sale) => Answer | Promise<Answer>,
  ): OwnPage['answer'] =>
  async (visit) => {
    const id = visit.parameter('id');
    const sale = isSerialNumber(id) ? await sales.load(Number(id)) : undefined;
    const isForeign = (visit.channelLink ?? sale?.terms.channelLink) !== sale?.terms.channelLink;
    return sale === undefined || isForeign ? UNKNOWN_SALE : answer(visit, sale);
  };
