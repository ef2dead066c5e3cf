import { readFileSync } from 'node:fs';
import { complainOfChannel, readClientRequest } from '../../adapters/http/admin/client-shapes.ts';
import { gatewayComparison } from '../../adapters/http/admin/gateway-route.ts';
import { inspectedTransaction } from '../../adapters/http/admin/transaction-shapes.ts';
import { MEDIA_TYPES } from '../../adapters/http/books/statement-answer.ts';
import { writeCsv } from '../../adapters/http/books/statement-csv.ts';
import { writeXlsx } from '../../adapters/http/books/statement-xlsx.ts';
import { evidenceContent } from '../../adapters/http/generic/evidence-answer.ts';
import { foundSale } from '../../adapters/http/generic/generic-answers.ts';
import { shownStep } from '../../adapters/http/requests/readiness-route.ts';
import { requestAnswer } from '../../adapters/http/requests/request-routes.ts';
import {
  complainOfTakenUrl,
  readNewEndpoint,
} from '../../adapters/http/webhooks/endpoint-shapes.ts';
import { type FieldFaults, faultAt } from '../../adapters/kit/contract/field-faults.ts';
import { answerOf } from '../../adapters/kit/contract/refusal-answers.ts';
import type { InspectedSale } from '../../application/servicing/inspect-sale.ts';
import type { Statement } from '../../application/statements/channel-statement.ts';
import type { WebhookRefusal } from '../../application/webhooks/endpoints.ts';
import type { WebhookUrls } from '../../application/webhooks/webhook-urls.ts';

/** As the API gives them, in Portuguese. */
const STATEMENT_FILES = {
  csv: {
    type: MEDIA_TYPES.csv,
    write: (lines: Statement['lines']) => writeCsv(lines, 'pt-BR'),
  },
  xlsx: {
    type: MEDIA_TYPES.xlsx,
    write: (lines: Statement['lines'], month: string) =>
      writeXlsx(lines, { month, locale: 'pt-BR' }),
  },
};

type Words = Readonly<Record<string, string>>;

/** What the documentation says of codes and events. */
const readWords = () => {
  const file = new URL('../../adapters/site/words/pt-BR.json', import.meta.url);
  // Pages need no marks of code.
  const text = readFileSync(file, 'utf8').replaceAll('`', '');
  const words = JSON.parse(text) as Readonly<Record<string, Words>>;
  const { error_codes = {}, field_codes = {}, events = {} } = words;
  return { errorWords: { errors: error_codes, fields: field_codes }, eventWords: events };
};

const complainOfWebhook = (refusal: WebhookRefusal): FieldFaults =>
  refusal.kind === 'webhook_url_taken'
    ? complainOfTakenUrl(refusal.endpointId)
    : faultAt('url', 'not_offered', answerOf(refusal).message);

/** What the console shows, and reads, as the API does. */
export const apiAnswers = ({
  publicUrl,
  webhookUrls,
}: {
  readonly publicUrl: string;
  readonly webhookUrls: WebhookUrls;
}) => ({
  statementFiles: STATEMENT_FILES,
  presentEvidence: evidenceContent.present,
  presentComparison: gatewayComparison.present,
  presentSale: (inspected: InspectedSale) =>
    inspectedTransaction.present({ ...inspected, publicUrl }),
  presentOwnSale: (inspected: InspectedSale) => ({
    ...foundSale.present(inspected),
    document_url: inspected.documentUrl,
  }),
  presentRequest: requestAnswer.present,
  presentStep: shownStep.present,
  ...{ readClientRequest, complainOfChannel, complainOfWebhook },
  readNewEndpoint: (body: object) => readNewEndpoint(webhookUrls, body),
  ...readWords(),
});
