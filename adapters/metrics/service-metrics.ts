import type { ObserveCall } from '../../application/providers/observe-providers.ts';
import { Counter, type Figures, Histogram } from './series.ts';

/** Upper bounds, s. A sale takes some milliseconds, a card up to half a minute. */
const REQUEST_SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const PROVIDER_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];
const WAIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

/** A group has at most 64 sales. */
const GROUP_SALES = [1, 2, 4, 8, 16, 32, 64];

/** Other methods share a label, because a caller may send any. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']);

/** `paid`: to the channel. `collected`: by the service. They are written by different statements. */
export type GroupKind = 'paid' | 'collected';

interface AlertLog {
  warn(details: { readonly alert: { readonly kind: string } }, message: string): void;
}

/** What a process counts and measures while it works. Labels hold no client and no person. */
export class ServiceMetrics {
  readonly #requests = new Histogram(
    {
      name: 'insurance_sales_http_request_duration_seconds',
      help: 'Time from the head of a request until its answer is ready, or the first part of a streamed one, by the pattern of its route (none: no route of the API).',
      labels: ['route', 'method', 'status'],
    },
    REQUEST_SECONDS,
  );

  readonly #sales = new Counter({
    name: 'insurance_sales_sales_total',
    help: 'Times that a sale was registered with a status or changed to it, by line of business.',
    labels: ['line', 'status'],
  });

  readonly #registered = new Counter({
    name: 'insurance_sales_sales_registered_total',
    help: 'Sales that were registered, by line of business.',
    labels: ['line'],
  });

  readonly #calls = new Histogram(
    {
      name: 'insurance_sales_provider_call_duration_seconds',
      help: 'Time of a question to the payment gateway or the insurer, by outcome: answered, unknown (no answer), failed (an error of the provider), unreached, fault (an error of the service).',
      labels: ['provider', 'question', 'outcome'],
    },
    PROVIDER_SECONDS,
  );

  readonly #groupSizes = new Histogram(
    {
      name: 'insurance_sales_write_group_sales',
      help: 'Sales that were written by one statement: paid to the channel, or collected by the service.',
      labels: ['kind'],
    },
    GROUP_SALES,
  );

  readonly #groupWaits = new Histogram(
    {
      name: 'insurance_sales_write_group_wait_seconds',
      help: 'Time that the first sale of a group waited until the group was written.',
      labels: ['kind'],
    },
    WAIT_SECONDS,
  );

  readonly #mails = new Counter({
    name: 'insurance_sales_mails_total',
    help: 'Mails to insured that were handed to the mail server, by outcome: sent, refused for good, later.',
    labels: ['outcome'],
  });

  readonly #alerts = new Counter({
    name: 'insurance_sales_alerts_raised_total',
    help: 'Alerts that were raised, by kind. An alert may be raised again while it is open.',
    labels: ['kind'],
  });

  /** @param route the pattern of the path, never the path itself */
  readonly observeRequest = (
    route: string | undefined,
    method: string,
    status: number,
    seconds: number,
  ): void => {
    const known = METHODS.has(method) ? method : 'other';
    this.#requests.at(route ?? 'none', known, status).observe(seconds);
  };

  readonly countSale = (line: string, status: string): void => this.#sales.at(line, status).add();

  readonly countRegistered = (line: string): void => this.#registered.at(line).add();

  readonly countMails = (outcome: string, mails: number): void =>
    this.#mails.at(outcome).add(mails);

  readonly observeGroup = (kind: GroupKind, sales: number, waitedMs: number): void => {
    this.#groupSizes.at(kind).observe(sales);
    this.#groupWaits.at(kind).observe(waitedMs / 1_000);
  };

  readonly observeCall: ObserveCall = async ({ provider, question }, ask, outcomeOf) => {
    const askedAt = performance.now();
    const observe = (outcome: string): void =>
      this.#calls.at(provider, question, outcome).observe((performance.now() - askedAt) / 1_000);

    try {
      const answer = await ask();
      observe(outcomeOf(answer).kind);
      return answer;
    } catch (error) {
      observe('fault');
      throw error;
    }
  };

  /** A log of alerts that counts them by kind before it writes them. */
  countAlerts(log: AlertLog): AlertLog {
    return {
      warn: (details, message) => {
        this.#alerts.at(details.alert.kind).add();
        log.warn(details, message);
      },
    };
  }

  figures(): readonly Figures[] {
    return [
      this.#requests,
      this.#sales,
      this.#registered,
      this.#calls,
      this.#groupSizes,
      this.#groupWaits,
      this.#mails,
      this.#alerts,
    ].map((each) => each.figures());
  }
}
