import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { exposeFigures } from '../../../adapters/metrics/exposition.ts';
import { ServiceMetrics } from '../../../adapters/metrics/service-metrics.ts';
import { operatorPath } from '../../../adapters/site/site-pages.ts';
import { TABLES } from '../../../bootstrap/site/tables.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const RULES = `${ROOT}adapters/metrics/alert-rules.yaml`;
const RULE_TESTS = `${ROOT}test/adapters/metrics/alert-rules.test.yaml`;

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const { groups } = parse(readFileSync(RULES, 'utf8')) as {
  groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** Runs promtool, or skips the test where it is not installed. */
const promtool = (test: Mocha.Context, ...parameters: readonly string[]): string => {
  if (!hasPromtool) {
    process.stdout.write('    skipped: promtool is not installed\n');
    test.skip();
  }
  return execFileSync('promtool', parameters, { encoding: 'utf8' });
};

describe('the alert rules', () => {
  it('are accepted by promtool', function check() {
    expect(promtool(this, 'check', 'rules', RULES)).to.include(`${rules.length} rules found`);
  });

  it('fire and stay quiet as they should', function test() {
    expect(promtool(this, 'test', 'rules', RULE_TESTS)).to.include('SUCCESS');
  });

  it('each have a test in which they fire', () => {
    const { tests } = parse(readFileSync(RULE_TESTS, 'utf8')) as {
      tests: readonly {
        alert_rule_test: readonly { alertname: string; exp_alerts: readonly object[] }[];
      }[];
    };
    const cases = tests.flatMap((each) => each.alert_rule_test);
    const fired = cases.filter((each) => each.exp_alerts.length > 0);
    expect(new Set(fired.map(({ alertname }) => alertname))).to.deep.equal(
      new Set(rules.map(({ alert }) => alert)),
    );
  });

  it('name a paragraph of the operator’s guide each', () => {
    for (const { alert, annotations } of rules) {
      const path = operatorPath('alert-rules');
      expect(annotations.runbook).to.equal(`${path}#${alert.toLowerCase()}`);
      expect(TABLES['alert-rules']?.('en')).to.include(`### ${alert}\n`);
    }
  });
});

describe('the names of the metrics', () => {
  it('are accepted by promtool', async function check() {
    const metrics = new ServiceMetrics();
    metrics.observeRequest('/a', 'GET', 200, 0.1);
    metrics.countSale('event_ticket', 'paid');
    metrics.countRegistered('event_ticket');
    metrics.observeGroup('paid', 3, 2);
    const text = await exposeFigures([metrics.figures()]);
    if (!hasPromtool) return this.skip();
    const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text });
    expect(stderr.toString()).to.equal('');
    expect(status).to.equal(0);
  });
});
