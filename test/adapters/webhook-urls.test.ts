import { expect } from 'chai';
import { isAllowedAddress } from '../../adapters/webhooks/resolve-host.ts';
import { isLocal, WebhookUrlRules } from '../../adapters/webhooks/webhook-urls.ts';
import type { UrlFault } from '../../application/webhooks/webhook-urls.ts';

const PRODUCTION = new WebhookUrlRules({ isTest: false, publicUrl: 'https://sales.example.com' });
const TEST = new WebhookUrlRules({ isTest: true, publicUrl: 'http://127.0.0.1:3000' });

const faultsOf = (rules: WebhookUrlRules, text: string): readonly UrlFault[] => {
  const reading = rules.read(text);
  return reading.ok ? [] : reading.faults;
};

describe('the URL of an endpoint, in production', () => {
  const ALLOWED: readonly (readonly [given: string, normal: string])[] = [
    ['https://partner.example.com', 'https://partner.example.com/'],
    ['HTTPS://Partner.Example.COM/Hook', 'https://partner.example.com/Hook'],
    ['https://partner.example.com:443/hook?key=1&b', 'https://partner.example.com/hook?key=1&b'],
    ['https://partner.example.com:8443/a/../b', 'https://partner.example.com:8443/b'],
    ['https://partner.example.com:1024/', 'https://partner.example.com:1024/'],
    ['https://xn--r8jz45g.example/', 'https://xn--r8jz45g.example/'],
    ['https://a_b.partner.example.com/', 'https://a_b.partner.example.com/'],
    ['https://8.8.8.8/hook', 'https://8.8.8.8/hook'],
    ['https://[2606:4700::1]:8443/', 'https://[2606:4700::1]:8443/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
    ['https://10.example.com/', 'https://10.example.com/'],
  ];
  for (const [given, normal] of ALLOWED)
    it(`may be ${given}`, () => {
      expect(PRODUCTION.read(given)).to.deep.equal({ ok: true, url: normal });
    });

  const REFUSED: readonly (readonly [url: string, ...faults: UrlFault[]])[] = [
    ['', 'malformed'],
    ['partner.example.com', 'malformed'],
    ['//partner.example.com/', 'malformed'],
    ['https:partner.example.com', 'malformed'],
    ['https:///partner.example.com', 'malformed'],
    ['https://', 'malformed'],
    ['https://partner.example.com:99999/', 'malformed'],
    ['https://partner example.com/', 'malformed'],
    [' https://partner.example.com/', 'malformed'],
    ['https://partner.\nexample.com/', 'malformed'],
    ['https:\\\\partner.example.com\\', 'malformed'],
    ['https://partner.example.com\\@10.0.0.1/', 'malformed'],
    ['https://parceiro-ação.example/', 'malformed'],
    ['https://①②⑦.0.0.1/', 'malformed'],
    ['https://*.example.com/', 'malformed'],
    ['https://a..example.com/', 'malformed'],
    ['https://-a.example.com/', 'malformed'],
    ['https://partner.example.com./', 'malformed'],
    [`https://${'a'.repeat(64)}.example.com/`, 'malformed'],
    [`https://${'abc.'.repeat(64)}example.com/`, 'malformed'],
    ['https://[fe80::1%25eth0]/', 'malformed'],
    ['https://[::1/', 'malformed'],
    ['https://256.0.0.1/', 'malformed'],
    ['javascript:alert(1)', 'malformed'],

    ['http://partner.example.com/', 'not_https'],
    ['http://partner.example.com:8080/', 'not_https'],
    ['ftp://partner.example.com/', 'not_https'],
    ['https://user:password@partner.example.com/', 'has_credentials'],
    ['https://user@partner.example.com/', 'has_credentials'],
    ['https://:password@partner.example.com/', 'has_credentials'],
    ['https://partner.example.com/#part', 'has_fragment'],
    ['https://partner.example.com/#', 'has_fragment'],
    ['https://partner.example.com:80/', 'port_not_allowed'],
    ['https://partner.example.com:22/', 'port_not_allowed'],
    ['https://partner.example.com:1023/', 'port_not_allowed'],
    ['https://partner.example.com:0/', 'port_not_allowed'],

    ['https://localhost/', 'not_public'],
    ['https://LOCALHOST:8443/', 'not_public'],
    ['https://a.localhost/', 'not_public'],
    ['https://intranet/', 'not_public'],
    ['https://postgres.default.svc.cluster.local/', 'not_public'],
    ['https://metadata.google.internal/', 'not_public'],
    ['https://printer.home.arpa/', 'not_public'],
    ['https://127.0.0.1/', 'not_public'],
    ['https://127.1/', 'not_public'],
    ['https://2130706433/', 'not_public'],
    ['https://0x7f000001/', 'not_public'],
    ['https://0x7f.0.0.1/', 'not_public'],
    ['https://0177.0.0.01/', 'not_public'],
    ['https://%31%32%37.0.0.1/', 'not_public'],
    ['https://127.0.0.1./', 'not_public'],
    ['https://0.0.0.0/', 'not_public'],
    ['https://0/', 'not_public'],
    ['https://10.1.2.3/', 'not_public'],
    ['https://172.16.0.1/', 'not_public'],
    ['https://192.168.0.1/', 'not_public'],
    ['https://100.64.0.1/', 'not_public'],
    ['https://169.254.169.254/latest/meta-data', 'not_public'],
    ['https://[::]/', 'not_public'],
    ['https://[::1]/', 'not_public'],
    ['https://[0:0:0:0:0:0:0:1]/', 'not_public'],
    ['https://[::ffff:127.0.0.1]/', 'not_public'],
    ['https://[::ffff:8.8.8.8]/', 'not_public'],
    ['https://[::127.0.0.1]/', 'not_public'],
    ['https://[64:ff9b::10.0.0.1]/', 'not_public'],
    ['https://[2002:7f00:1::]/', 'not_public'],
    ['https://[fc00::1]/', 'not_public'],
    ['https://[fe80::1]/', 'not_public'],

    ['https://sales.example.com/api/webhooks', 'own_host'],
    ['https://SALES.example.com:8443/', 'own_host'],

    [
      'http://u:p@127.1:22/#x',
      'not_https',
      'has_credentials',
      'has_fragment',
      'port_not_allowed',
      'not_public',
    ],
    ['https://localhost.:81/', 'malformed', 'port_not_allowed', 'not_public'],
    ['http://sales.example.com./', 'malformed', 'not_https', 'own_host'],
  ];
  for (const [url, ...faults] of REFUSED)
    it(`may not be ${JSON.stringify(url).slice(0, 70)}: ${faults.join(', ')}`, () => {
      expect(faultsOf(PRODUCTION, url)).to.deep.equal(faults);
    });
});

describe('the URL of an endpoint, in the test environment', () => {
  for (const url of [
    'http://localhost:9000/hook',
    'http://127.0.0.1:9000/',
    'http://[::1]:9000/',
    'http://receiver.localhost:9000/',
    'https://127.0.0.1:8443/',
    'http://partner.example.com/',
    'http://127.0.0.1/',
    'http://127.0.0.1:80/',
  ])
    it(`may be ${url}`, () => {
      expect(faultsOf(TEST, url)).to.deep.equal([]);
    });

  const REFUSED: readonly (readonly [url: string, ...faults: UrlFault[]])[] = [
    ['http://10.0.0.1:9000/', 'not_public'],
    ['http://0.0.0.0:9000/', 'not_public'],
    ['http://169.254.169.254/', 'not_public'],
    ['http://[::ffff:127.0.0.1]:9000/', 'not_public'],
    ['http://receiver:9000/', 'not_public'],
    ['http://127.0.0.1:22/', 'port_not_allowed'],
    ['ftp://127.0.0.1:9000/', 'not_https'],
    ['http://u:p@localhost:9000/', 'has_credentials'],
    ['http://127.0.0.1:3000/', 'own_host'],
    ['http://localhost:3000/', 'own_host'],
    ['http://127.0.0.2:3000/', 'own_host'],
    ['http://[::1]:3000/', 'own_host'],
  ];
  for (const [url, ...faults] of REFUSED)
    it(`may not be ${url}: ${faults.join(', ')}`, () => {
      expect(faultsOf(TEST, url)).to.deep.equal(faults);
    });

  it('may be on the service machine only where that is the partner machine', () => {
    const hosted = { isTest: true, publicUrl: 'https://test.example.com', allowsLoopback: false };
    for (const url of ['http://127.0.0.1:8787/', 'http://localhost:8787/', 'http://[::1]:8787/'])
      expect(faultsOf(new WebhookUrlRules(hosted), url), url).to.deep.equal(['not_public']);
    for (const url of [
      'http://localhost:3000',
      'http://127.0.0.1',
      'http://[::1]:3000/api',
      'http://sales.test',
    ])
      expect(isLocal(url), url).to.equal(true);
    for (const url of ['https://test.example.com', 'http://10.0.0.1', 'http://0.0.0.0:3000', ''])
      expect(isLocal(url), url).to.equal(false);
  });

  it('may be another port of the name under which the service is reached', () => {
    const named = new WebhookUrlRules({ isTest: true, publicUrl: 'https://test.example.com' });
    expect(faultsOf(named, 'https://test.example.com:8443/')).to.deep.equal([]);
    expect(faultsOf(named, 'https://test.example.com/')).to.deep.equal(['own_host']);
    expect(faultsOf(named, 'http://127.0.0.1:443/')).to.deep.equal([]);
  });
});

describe('an address to which the service may connect', () => {
  it('is a global unicast address, and a loopback address only where that is allowed', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700::1', '2a00:1450::5'])
      expect(isAllowedAddress(address, false), address).to.equal(true);
    for (const address of ['127.0.0.1', '127.255.0.1', '::1']) {
      expect(isAllowedAddress(address, false), address).to.equal(false);
      expect(isAllowedAddress(address, true), address).to.equal(true);
    }
  });

  it('is no special address, and no text that is not an address', () => {
    const special = [
      ...['0.0.0.0', '0.1.2.3', '10.1.1.1', '100.64.0.1', '169.254.1.1', '172.31.0.1'],
      ...['192.0.0.192', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
      ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
      ...['::', '::7f00:1', '::ffff:8.8.8.8', '::ffff:0:7f00:1', '64:ff9b::1', '64:ff9b:1::1'],
      ...['100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', 'fc00::1', 'fd00:ec2::254'],
      ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '4000::1', 'localhost', ''],
    ];
    for (const address of special) expect(isAllowedAddress(address, true), address).to.equal(false);
  });
});
