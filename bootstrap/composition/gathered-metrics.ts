import cluster, { type Worker } from 'node:cluster';
import { countProcesses, exposeFigures, mergeFigures } from '../../adapters/metrics/exposition.ts';
import type { Figures } from '../../adapters/metrics/series.ts';
import { Unavailable } from '../../application/unavailable.ts';

// The processes of WEB_CONCURRENCY have one scrape: their parent asks each for its figures.

/** Reads the figures of this process; with `asksDatabase`, also those of the database. */
export type ReadFigures = (asksDatabase: boolean) => Promise<readonly Figures[]>;

/** Max time that a scrape waits for a process: one that hangs is left out. */
const PROCESS_MS = 2_000;

/** Max time that a process waits for its parent, which waits for the others, and asks one again. */
const PARENT_MS = 3 * PROCESS_MS;

type Message =
  /** A message from the parent. */
  | { readonly metrics: 'read'; readonly id: number; readonly asksDatabase: boolean }
  | { readonly metrics: 'text'; readonly id: number; readonly text: string | null }
  /** A message from a process. */
  | { readonly metrics: 'figures'; readonly id: number; readonly figures: readonly Figures[] }
  | { readonly metrics: 'wanted'; readonly id: number };

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'metrics' in message;

/** Questions to other processes whose answers are awaited, by number. */
class OpenQuestions<Answer> {
  readonly #open = new Map<number, (answer: Answer | undefined) => void>();
  #last = 0;

  /** Sends a question. Resolves to undefined if no answer comes in time. */
  ask(send: (id: number) => void, patienceMs: number): Promise<Answer | undefined> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      const settle = (answer: Answer | undefined): void => {
        clearTimeout(timer);
        this.#open.delete(id);
        resolve(answer);
      };
      const timer = setTimeout(settle, patienceMs, undefined);
      this.#open.set(id, settle);
      send(id);
    });
  }

  answer(id: number, answer: Answer): void {
    this.#open.get(id)?.(answer);
  }
}

/** What only grows. It counts on when its process hangs or has ended, or the sum would shrink. */
const lasting = (figures: readonly Figures[]): readonly Figures[] =>
  figures.filter(({ type }) => type !== 'gauge');

/**
 * In the parent of several processes: makes the function that reads the metrics of all of them, and
 * lets each process ask for that text.
 *
 * @param wanted the number of the processes
 * @returns the text, in Prometheus's format
 */
export const gatherMetrics = (wanted: number): (() => Promise<string>) => {
  const questions = new OpenQuestions<readonly Figures[]>();
  const last = new Map<Worker, readonly Figures[]>();
  const ended: (readonly Figures[])[] = [];
  /** Asks the database, as long as it answers. */
  let asker: Worker | undefined;
  let ongoing: Promise<string> | undefined;

  const ask = async (worker: Worker, asksDatabase: boolean) => {
    const send = (id: number): void => {
      const question: Message = { metrics: 'read', id, asksDatabase };
      // A process that has just ended cannot be written to: it does not answer.
      if (worker.isConnected()) worker.send(question, () => {});
    };
    const figures = await questions.ask(send, PROCESS_MS);
    if (figures !== undefined && !worker.isDead()) last.set(worker, figures);
    return { worker, figures };
  };
  /** Asks each process. If the one that asks the database is silent, another one is asked for it. */
  const askAll = async () => {
    const workers = Object.values(cluster.workers ?? {}).filter((each) => each !== undefined);
    if (asker === undefined || !workers.includes(asker)) asker = workers[0];
    const asked = await Promise.all(workers.map((each) => ask(each, each === asker)));
    const answered = asked.filter(({ figures }) => figures !== undefined);
    if (answered.length === 0 || answered.some(({ worker }) => worker === asker)) return asked;
    asker = answered[0]?.worker as Worker;
    const again = await ask(asker, true);
    return asked.map((each) =>
      each.worker === again.worker && again.figures !== undefined ? again : each,
    );
  };
  const gather = async (): Promise<string> => {
    if (ended.length > 1) ended.push(await mergeFigures(ended.splice(0)));
    const asked = await askAll();
    const answered = asked.filter(({ figures }) => figures !== undefined).length;
    // The metrics of a process that has ended meanwhile are among `ended`.
    const present = asked
      .filter(({ worker }) => !worker.isDead())
      .map(({ worker, figures }) => figures ?? lasting(last.get(worker) ?? []));
    return exposeFigures([...present, ...ended, countProcesses(answered, wanted)]);
  };
  const gatherOnce = (): Promise<string> => {
    ongoing ??= gather().finally(() => {
      ongoing = undefined;
    });
    return ongoing;
  };

  cluster.on('exit', (worker) => {
    ended.push(lasting(last.get(worker) ?? []));
    last.delete(worker);
  });
  cluster.on('message', async (worker, message: unknown) => {
    if (!isMessage(message)) return;
    if (message.metrics === 'figures') questions.answer(message.id, message.figures);
    if (message.metrics !== 'wanted') return;
    const text = await gatherOnce().catch(() => null);
    const answer: Message = { metrics: 'text', id: message.id, text };
    if (worker.isConnected()) worker.send(answer, () => {});
  });
  return gatherOnce;
};

/**
 * In one of several processes: answers the parent, and makes the function that asks it for the
 * metrics of all processes. That function throws `Unavailable` if the parent does not answer.
 */
export const shareMetrics = (readFigures: ReadFigures): (() => Promise<string>) => {
  const questions = new OpenQuestions<string | null>();
  const send = (message: Message): void => {
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  };

  process.on('message', async (message: unknown) => {
    if (!isMessage(message)) return;
    if (message.metrics === 'text') questions.answer(message.id, message.text);
    if (message.metrics !== 'read') return;
    const { id, asksDatabase } = message;
    const figures = await readFigures(asksDatabase).catch(() => undefined);
    if (figures !== undefined) send({ metrics: 'figures', id, figures });
  });

  return async function readFromParent() {
    const text = await questions.ask((id) => send({ metrics: 'wanted', id }), PARENT_MS);
    if (text == null) throw new Unavailable('the metrics of the processes were not gathered');
    return text;
  };
};
