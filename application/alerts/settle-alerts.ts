import type { Ports } from '../ports.ts';
import type { AlertRecord } from './alert-records.ts';
import type { AlertKind } from './alerts.ts';

type Needs = Pick<Ports, 'alertRecords' | 'mailings' | 'webhookEndpoints' | 'clock'>;

export type SettleAlerts = () => Promise<void>;

/** Open alerts of a kind that are looked at in a run; the next run goes on after them. */
const LOOKED_AT = 100;

/**
 * Looks at open alerts whose cause may be gone, and settles those whose mail was sent after all, or
 * whose webhook is active again.
 */
export const makeSettleAlerts = (ports: Needs): SettleAlerts => {
  const { alertRecords, mailings, webhookEndpoints, clock } = ports;

  const readMail = async ({ saleId, details }: AlertRecord): Promise<string | undefined> => {
    const name = { saleId: Number(saleId), number: Number(details['number']) };
    const status = (await mailings.find(name))?.status;
    if (status === 'sent') return 'The mail was sent.';
    return status === 'withdrawn' ? 'The mail was withdrawn: the contract has ended.' : undefined;
  };
  const readEndpoint = async ({ details }: AlertRecord): Promise<string | undefined> => {
    const endpoint = await webhookEndpoints.find(String(details['endpointId']));
    if (endpoint === undefined) return 'The webhook was deleted.';
    return endpoint.disabled === undefined ? 'The webhook is active again.' : undefined;
  };

  const settleKind = async (
    kind: AlertKind,
    noteOf: (record: AlertRecord) => Promise<string | undefined>,
    before: number | undefined,
  ): Promise<number | undefined> => {
    const records = await alertRecords.list({ status: 'open', kind, before, limit: LOOKED_AT });
    for (const record of records) {
      const note = await noteOf(record);
      if (note !== undefined) await alertRecords.settle(record, clock.now(), note);
    }
    return records.length < LOOKED_AT ? undefined : records.at(-1)?.id;
  };

  let [mailPlace, endpointPlace]: (number | undefined)[] = [];
  return async function settleAlerts() {
    mailPlace = await settleKind('mail_undelivered', readMail, mailPlace);
    endpointPlace = await settleKind('webhook_disabled', readEndpoint, endpointPlace);
  };
};
