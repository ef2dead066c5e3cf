import { type Asked, type Body, Double, serveAlone, type Told } from './http.ts';

type InsurerHabit = 'hang-after' | 'cut-after' | 'cut-before' | '500-after' | 'nonsense';

export interface InsurerSettings {
  habits?: InsurerHabit[];
  down?: boolean;
  /** Replaces its usual status words. */
  words?: Readonly<Record<string, string>>;
  /** Rejects every quotation. */
  rejects?: boolean;
}

interface Dossier {
  reference: string;
  withdrawn?: boolean;
  quotation?: Body;
  proposal?: Body;
  policy?: Body;
}

/**
 * An insurer with the REST API that the service uses: Portuguese status words, one dossier per
 * reference.
 */
export class InsurerDouble {
  readonly token = 'insurer-token-of-the-tests';
  readonly dossiers = new Map<string, Dossier>();
  /** The numbers of all policies it has issued. */
  readonly issued: string[] = [];
  readonly asked: Pick<Asked, 'method' | 'path' | 'headers'>[] = [];
  readonly #double = new Double((asked) => this.#answer(asked));
  #settings: InsurerSettings = {};
  #count = 0;

  start(port?: number): Promise<string> {
    return this.#double.start(port);
  }

  stop(): void {
    this.#double.stop();
  }

  set(settings: InsurerSettings): void {
    this.#settings = { ...this.#settings, ...settings };
  }

  #answer(asked: Asked): Told {
    const { method, path, headers, body } = asked;
    if (path.startsWith('/control')) {
      if (path === '/control/settings') this.set(body);
      return { status: 200, body: { dossiers: [...this.dossiers.values()], issued: this.issued } };
    }
    this.asked.push({ method, path, headers });
    if (this.#settings.down === true) return 'cut';
    if (headers.authorization !== `Bearer ${this.token}`) return { status: 401, body: {} };
    const habit = this.#settings.habits?.shift();
    if (habit === 'cut-before') return 'cut';
    const told =
      method === 'GET'
        ? this.#shown(decodeURIComponent(path.slice('/dossiers/'.length)))
        : this.#step(path, body);
    if (habit === 'hang-after') return 'hang';
    if (habit === 'cut-after') return 'cut';
    if (habit === '500-after') return { status: 500, body: {} };
    return habit === 'nonsense'
      ? { status: 200, body: { reference: 7, quotation: 'talvez' } }
      : told;
  }

  #shown(reference: string): Told {
    const dossier = this.dossiers.get(reference);
    if (dossier === undefined || (dossier.quotation === undefined && dossier.withdrawn !== true))
      return { status: 404, body: {} };
    const { words = {} } = this.#settings;
    const spoken = (document: Body): Body =>
      document && { ...document, status: words[document.status] ?? document.status };
    const { quotation, proposal, policy } = dossier;
    return {
      status: 200,
      body: {
        reference,
        quotation: spoken(quotation),
        proposal: spoken(proposal),
        policy: spoken(policy),
      },
    };
  }

  #number(series: string): string {
    this.#count += 1;
    return `${series}${String(this.#count).padStart(5, '0')}`;
  }

  #step(path: string, order: Body): Told {
    const { reference, premium, coverage } = order;
    const dossier: Dossier = this.dossiers.get(reference) ?? { reference };
    this.dossiers.set(reference, dossier);
    if (path === '/cancellations') return this.#cancel(dossier);
    if (dossier.withdrawn === true) return this.#shown(reference);
    const { rejects = false } = this.#settings;
    dossier.quotation ??= {
      number: this.#number('COT'),
      status: rejects ? 'RECUSADA' : 'COTADA',
      ...{
        netPremium: premium.net,
        iof: premium.iof,
        total: premium.total,
        validUntil: '2199-12-31',
      },
    };
    if (path === '/quotations' || dossier.quotation.status === 'RECUSADA')
      return this.#shown(reference);
    dossier.proposal ??= { number: this.#number('PRO'), status: 'ACEITA' };
    if (path === '/proposals') return this.#shown(reference);
    const isApolice = order.product === 'ARTISTA';
    if ((isApolice || order.paidOn !== undefined) && dossier.policy === undefined) {
      const policy = this.#number('APO');
      this.issued.push(policy);
      dossier.policy = {
        number: policy,
        status: 'VIGENTE',
        issuedAt: new Date().toISOString(),
        ...coverage,
      };
      dossier.quotation.status = 'EMITIDA';
      dossier.proposal.status = 'APOLICE';
    }
    return this.#shown(reference);
  }

  #cancel(dossier: Dossier): Told {
    dossier.withdrawn = true;
    for (const document of [dossier.quotation, dossier.proposal, dossier.policy]) {
      if (document !== undefined && document.status !== 'RECUSADA') document.status = 'CANCELADA';
    }
    return this.#shown(dossier.reference);
  }
}

if (import.meta.main) await serveAlone(new InsurerDouble());
