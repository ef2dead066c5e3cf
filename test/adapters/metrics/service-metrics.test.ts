import { expect } from 'chai';
import { exposeFigures } from '../../../adapters/metrics/exposition.ts';
import { ServiceMetrics } from '../../../adapters/metrics/service-metrics.ts';
import { CREATE, mainBody, STATUS, withApi } from '../../support/api.ts';

const seriesOf = async (metrics: ServiceMetrics, name: string): Promise<readonly string[]> =>
  (await exposeFigures([metrics.figures()]))
    .split('\n')
    .filter((line) => line.startsWith(`insurance_sales_${name}`));

const REQUESTS = 'http_request_duration_seconds_count';

describe('the metrics of requests', () => {
  withApi((api) => {
    it('name the pattern of the route, the method and the status, never the path', async () => {
      const sales = await api().bearer();
      const sold = await api().post(CREATE, mainBody(), sales);
      const { transaction_id: id } = sold.body.data;
      await api().get(`${STATUS}/${id}`, sales);
      await api().get(`${STATUS}/${id}?a=1`, sales);
      await api().get(`/52998224725/${id}`, sales);
      await api().get('/maria@example.com');
      await api().call(`${STATUS}/${id}`, { method: 'PURGE' });
      await api().call(`${STATUS}/${id}`, { method: 'PROPFIND' });

      const found = await seriesOf(api().metrics, REQUESTS);
      expect(found).to.have.members(
        [
          ...[`{route="/seguros/auth/token",method="POST",status="200"} 1`],
          ...[`{route="${CREATE}",method="POST",status="200"} 1`],
          ...[`{route="${STATUS}/{id}",method="GET",status="200"} 2`],
          ...[`{route="none",method="GET",status="404"} 2`],
          ...[`{route="none",method="other",status="405"} 2`],
        ].map((series) => `insurance_sales_${REQUESTS}${series}`),
      );
    });

    it('are for administrators only', async () => {
      const read = (headers: Record<string, string> = {}) =>
        fetch(`${api().url}/metrics`, { headers });
      expect((await read()).status).to.equal(401);
      expect((await read(await api().bearer())).status).to.equal(403);

      const answer = await read(await api().bearer(null));
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.equal(
        'text/plain; version=0.0.4; charset=utf-8',
      );
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      expect(await answer.text()).to.match(/^# HELP insurance_sales_/);
    });
  });
});

describe('the metrics of provider calls', () => {
  it('name provider, question and outcome', async () => {
    const metrics = new ServiceMetrics();
    const outcomeOf = (kind: 'answered' | 'unknown') => ({ kind, words: kind });
    const call = { provider: 'asaas', question: 'charge', saleId: 6 } as const;
    const { observeCall } = metrics;

    expect(await observeCall(call, async () => 'answered' as const, outcomeOf)).to.equal(
      'answered',
    );
    await observeCall(call, async () => 'unknown' as const, outcomeOf);
    const fault = new Error('of this program');
    const failing = observeCall(call, async () => Promise.reject(fault), outcomeOf);
    expect(await failing.catch((error: unknown) => error)).to.equal(fault);

    const name = 'provider_call_duration_seconds_count';
    expect(await seriesOf(metrics, name)).to.deep.equal(
      ['answered', 'unknown', 'fault'].map(
        (outcome) =>
          `insurance_sales_${name}{provider="asaas",question="charge",outcome="${outcome}"} 1`,
      ),
    );
  });
});

describe('the metrics of alerts', () => {
  it('count each alert by its kind, and let it through', async () => {
    const metrics = new ServiceMetrics();
    const lines: object[] = [];
    const log = metrics.countAlerts({ warn: (details) => lines.push(details) });
    const alert = { kind: 'mail_undelivered', saleId: 6 };
    log.warn({ alert }, 'needs the attention of an operator');
    log.warn({ alert }, 'needs the attention of an operator');

    expect(lines).to.deep.equal([{ alert }, { alert }]);
    expect(await seriesOf(metrics, 'alerts_raised_total')).to.deep.equal([
      'insurance_sales_alerts_raised_total{kind="mail_undelivered"} 2',
    ]);
  });
});
