import { expect } from 'chai';
import { type Api, CREATE, mainBody, withApi } from '../../support/api.ts';
import { arrangeState, PAYMENT_STATES } from '../../support/payment-states.ts';

const BELOW = '/seguros/testes';

/** Where an attribute, a form or a redirect of a page leads. */
const LINKS = /(?:href|src|action|data-document)="([^"]*)"/g;

/** What a browser asks for, through a proxy that takes the path of the public address away. */
const ask = (api: Api, address: string, init: RequestInit = {}): Promise<Response> => {
  const { pathname, search } = new URL(address);
  expect(pathname.startsWith(`${BELOW}/`), `${address} leaves ${BELOW}`).to.equal(true);
  const path = pathname.slice(BELOW.length);
  const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  return fetch(`${api.url}${path}${search}`, { headers, redirect: 'manual', ...init });
};

/** The addresses on this service to which a page or a redirect leads. */
const addressesIn = async (answer: Response, address: string): Promise<readonly string[]> => {
  const isHtml = answer.headers.get('Content-Type')?.startsWith('text/html');
  const text = isHtml ? await answer.text() : '';
  const links = [...text.matchAll(LINKS)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
  const location = answer.headers.get('Location');
  return [...links, ...(location === null ? [] : [location])].flatMap((link) => {
    const target = new URL(link, address);
    target.hash = '';
    return target.origin === new URL(address).origin ? [target.href] : [];
  });
};

describe('the pages of a service below a path', () => {
  withApi(
    (api) => {
      const publicUrl = () => `${api().url}${BELOW}`;

      /** Follows every link. */
      const walk = async (start: readonly string[]): Promise<ReadonlySet<string>> => {
        const seen = new Set(start);
        for (const address of seen) {
          const answer = await ask(api(), address);
          expect(answer.status, address).to.be.oneOf([200, 303]);
          for (const each of await addressesIn(answer, address)) seen.add(each);
        }
        return seen;
      };

      it('lead nowhere else: start, guide, reference and the check of a document', async () => {
        await api().post(CREATE, mainBody(), await api().bearer());
        const [sale] = await api().memory.sales.list({ limit: 1 });
        const verify = [`/verify?code=${sale?.ticket}`, `/verify/${sale?.ticket}`].map(
          (path) => `${publicUrl()}${path}`,
        );
        const seen = await walk([`${publicUrl()}/`, `${publicUrl()}/docs`, ...verify]);
        for (const path of [
          '/docs/en/operator/install',
          '/docs/api/admin',
          '/openapi.json',
          '/verify',
        ])
          expect(seen).to.include(`${publicUrl()}${path}`);
      });

      it('lead to themselves where a path is unknown', async () => {
        const address = `${publicUrl()}/nothing/here`;
        const answer = await ask(api(), address);
        expect(answer.status).to.equal(404);
        const links = await addressesIn(answer, address);
        await walk(links.filter((each) => each !== address));
      });

      for (const state of PAYMENT_STATES)
        it(`lead nowhere else: the payment page that is ${state.name}`, async () => {
          const { pathname } = new URL(await arrangeState(api(), state));
          await walk([`${publicUrl()}${pathname}`]);
        });

      it('lead back to themselves after a form', async () => {
        const account = PAYMENT_STATES.find(({ isAccount }) => isAccount);
        for (const [state, fields] of [
          [PAYMENT_STATES[0], { action: 'pay', method: 'pix' }],
          [account, { action: 'name', account: '1' }],
        ] as const) {
          if (state === undefined) throw new Error('there is no such state');
          const { pathname } = new URL(await arrangeState(api(), state));
          const address = `${publicUrl()}${pathname}`;
          const body = new URLSearchParams(fields);
          const answer = await ask(api(), address, { method: 'POST', body });
          expect(answer.status).to.equal(303);
          expect(await addressesIn(answer, address)).to.deep.equal([address]);
        }
      });
    },
    { publicPath: BELOW },
  );
});
