import { strToU8, zipSync } from 'fflate';
import { businessDay, isDocumented, protocolOf, type Sale } from '#domain';
import type { Documents } from '../../../application/certificates/certificate.ts';
import type { ComposeCertificate } from '../../../application/certificates/compose-certificate.ts';
import type {
  CollectEvidence,
  Evidence,
  EvidenceSeal,
} from '../../../application/evidence/collect-evidence.ts';
import type { Sales } from '../../../application/sales/sales.ts';
import type { InspectSale } from '../../../application/servicing/inspect-sale.ts';
import type { TimelineEntry } from '../../../application/servicing/sale-timeline.ts';
import { reportOf } from '../answer-report.ts';
import { nameOf } from '../sale-columns.ts';
import type { Answer, OwnPage } from '../visit.ts';
import { momentOnPaper } from '../words.ts';
import { withSale } from './with-sale.ts';

export interface CaseParts {
  readonly sales: Sales;
  readonly inspectSale: InspectSale;
  readonly collectEvidence: CollectEvidence;
  readonly evidenceSeal: EvidenceSeal;
  readonly composeCertificate: ComposeCertificate;
  readonly documents: Documents;
  /** The content of the evidence, as the API signs it. */
  readonly presentEvidence: (evidence: Evidence) => object;
}

/** What of a timeline concerns the customer: how the service works inside does not. */
const isOfCustomer = ({ event }: TimelineEntry): boolean =>
  !/^(alert_|approval\.)|^sale\.(retried|reconciled|evidence_read)$/.test(event);

const timelineFor = (timeline: readonly TimelineEntry[]) =>
  timeline
    .filter(isOfCustomer)
    .map(({ at, event, amount }) => ({ at, event, ...(amount && { amount: amount / 100 }) }))
    .reverse();

/** Files that are the same whenever they are packed from the same content. */
const PACKED = { mtime: new Date(1980, 0, 1) };

/** Packs what proves a sale, for Procon or consumidor.gov.br: a PDF to read, and the same as JSON. */
const packCase = async (sale: Sale, visit: Parameters<OwnPage['answer']>[0], parts: CaseParts) => {
  const { collectEvidence, evidenceSeal, inspectSale, presentEvidence } = parts;
  const evidence = await collectEvidence(sale, visit.actor);
  const { timeline: all } = await inspectSale(sale);
  const [content, timeline] = [presentEvidence(evidence), timelineFor(all)];
  const protocol = protocolOf(sale);
  const title = `Venda ${sale.id}: ${nameOf(sale)}`;
  const report = {
    ...{ title, author: evidence.product.registration.insurer.name, at: visit.now },
    subtitle: `Reunido em ${momentOnPaper(visit.now)}, horário de Brasília.${protocol ? ` Protocolo do cancelamento: ${protocol}.` : ''}`,
    sections: reportOf({ ...content, timeline }, 'A venda'),
  };
  const certificate = isDocumented(sale) ? await parts.composeCertificate(sale) : undefined;
  const pdf = await parts.documents.report(report, certificate);
  const signed = await evidenceSeal.sign(content);
  const json = { evidence: signed, content, protocol: protocol ?? null, timeline };
  const name = `venda-${sale.id}-${businessDay(visit.now)}`;
  const files = { [`${name}.pdf`]: pdf, [`${name}.json`]: strToU8(JSON.stringify(json, null, 2)) };
  return {
    name: `${name}.zip`,
    type: 'application/zip',
    bytes: Buffer.from(zipSync(files, PACKED)),
  };
};

/** Gives a sale's case as a file. The audit log names who took it. */
export const createCasePage = (parts: CaseParts): OwnPage => ({
  ...{ right: 'inspect', method: 'get', path: '/sales/:id/case', isFile: true },
  answer: withSale(
    parts,
    async (visit, sale): Promise<Answer> => ({ file: await packCase(sale, visit, parts) }),
  ),
});
