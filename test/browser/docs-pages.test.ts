import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { withApi } from '../support/api.ts';
import { complaintsOf, picture, violationsOn, withBrowser } from '../support/browser.ts';

const SIZES = ['desktop', 'phone'] as const;

/** Parts of Swagger UI whose markup is not ours: its rendering of the operations. */
const THEIRS = ['#reference'];

/** Max time in which Swagger UI shows its operations on a busy machine, ms. */
const RENDERING_MS = 80_000;

/** Sends an operation's first example from the reference. @returns the status of the answer */
const tryOperation = async (page: Page, path: string): Promise<string | null> => {
  const operation = page.locator(`.opblock:has([data-path="${path}"])`).first();
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Experimentar' }).click();
  await operation.getByRole('button', { name: 'Enviar', exact: true }).click();
  const status = operation.locator('.live-responses-table tr.response .response-col_status');
  return status.first().textContent();
};

/** Every label that a person reads in the reference. Code, values and Markdown are not labels. */
const LABELS = `(() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    if (!texts.currentNode.parentElement.closest('code, pre, textarea, option, .markdown'))
      found.push(texts.currentNode.data.trim());
  for (const name of ['title', 'placeholder', 'aria-label'])
    for (const element of document.querySelectorAll('[' + name + ']'))
      found.push(element.getAttribute(name));
  return found;
})()`;

/** Words of Swagger UI's labels that no label in Portuguese has. */
const ENGLISH =
  /\b(the|of|to|all|copy|body|value|name|type|details|example|description|headers|parameters|response|responses|request|server|servers|filter|execute|clear|cancel|edit|authorize|try|download|duration|characters|items|properties|matches)\b/i;

const widthOf = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

describe('a stranger who reads the documentation in a browser', () => {
  withBrowser((open) => {
    withApi((api) => {
      for (const size of SIZES) {
        it(`sees every page without a fault of policy or accessibility (${size})`, async () => {
          for (const path of [
            '/',
            '/docs/pt-BR',
            '/docs/en',
            '/docs/en/errors',
            '/docs/en/operator/settings',
          ]) {
            const page = await open(`${api().url}${path}`, { size, obeysPolicy: true });
            await page.waitForLoadState('networkidle');
            await picture(page, `docs-${size}${path.replaceAll('/', '-')}`);
            expect(complaintsOf(page), path).to.deep.equal([]);
            expect(await widthOf(page), path).to.equal(size === 'phone' ? 375 : 1280);
            const checked = await open(`${api().url}${path}`, { size });
            const ids = (await violationsOn(checked)).map(({ id }) => id);
            expect(ids, path).to.deep.equal([]);
          }
        });

        it(`is led on from an address that does not exist (${size})`, async () => {
          const page = await open(`${api().url}/guide`, { size, obeysPolicy: true });
          await picture(page, `not-found-${size}`);
          expect(await widthOf(page)).to.equal(size === 'phone' ? 375 : 1280);
          await page.getByRole('searchbox').fill('cancel');
          await page.locator('.results a').first().waitFor();
          await page.waitForLoadState('networkidle');
          // The browser reports the status of the page itself, and nothing else. It is asked before
          // the next page opens: that cancels requests of the search, which are reported as well.
          expect(complaintsOf(page).join('\n')).to.match(/^.*status of 404.*$/);
          await page.keyboard.press('Escape');
          await page.getByRole('main').getByRole('link', { name: 'Check a document' }).click();
          await page.waitForURL(/\/verify$/);
          const checked = await open(`${api().url}/guide`, { size });
          expect((await violationsOn(checked)).map(({ id }) => id)).to.deep.equal([]);
        });

        it(`finds a chapter by keyboard (${size})`, async () => {
          const page = await open(`${api().url}/docs/en`, { size, obeysPolicy: true });
          await page.keyboard.press('Control+k');
          await page.keyboard.type('glossary');
          await page.getByText(/\d+ results/).waitFor();
          await picture(page, `docs-${size}-search`);
          await page.keyboard.press('ArrowDown');
          await page.keyboard.press('Enter');
          await page.waitForURL(/#/);
          expect(page.url()).to.match(/\/docs\/en\/glossary#glossary$/);

          await page.keyboard.press('Control+k');
          await page.keyboard.type('bank days');
          await page.getByText(/\d+ results/).waitFor();
          await page.keyboard.press('Escape');
          expect(await page.locator('.results').isVisible()).to.equal(false);
          await page.keyboard.press('Enter');
          await page.waitForURL(/\/docs\/en\/time#bank-days$/);
          expect(complaintsOf(page)).to.deep.equal([]);
        });
      }

      it('asks a question, and gets its section first, with the words marked', async () => {
        const page = await open(`${api().url}/docs/pt-BR`, { size: 'phone', obeysPolicy: true });
        await page.getByRole('searchbox').fill('como cancelo uma venda');
        await page.getByText(/\d+ resultados/).waitFor();
        const first = page.locator('.results a').first();
        expect(await first.getAttribute('href')).to.equal('/docs/pt-BR/cancel#cancele-uma-venda');
        expect(await first.locator('mark').allTextContents()).to.include.members([
          'Cancele',
          'cancelada',
          'venda',
        ]);
        await picture(page, 'docs-phone-question');
        expect(complaintsOf(page)).to.deep.equal([]);
        const checked = await open(`${api().url}/docs/pt-BR`, { size: 'phone' });
        await checked.getByRole('searchbox').fill('como cancelo uma venda');
        await checked.getByText(/\d+ resultados/).waitFor();
        expect((await violationsOn(checked)).map(({ id }) => id)).to.deep.equal([]);
      });

      it('finds words without their accents', async () => {
        const page = await open(`${api().url}/docs/pt-BR`, { obeysPolicy: true });
        await page.getByRole('searchbox').fill('sao paulo');
        await page.getByText(/\d+ resultados/).waitFor();
        expect(await page.locator('.results a').count()).to.be.above(0);
        await page.getByRole('searchbox').fill('xyzzyxyzzy');
        await page.getByText('Nada encontrado.').waitFor();
      });

      it('copies an example by its button', async () => {
        const page = await open(`${api().url}/docs/en/first-sale`, { obeysPolicy: true });
        const block = page.locator('.code').first();
        await block.getByRole('button', { name: 'Copy' }).click();
        await block.getByRole('button', { name: 'Copied' }).waitFor();
        const copied = await page.evaluate('navigator.clipboard.readText()');
        expect(copied).to.equal(`API=${api().url}/api\nCLIENT_ID=...\nCLIENT_SECRET=...`);
      });

      it('goes to a section by the menu on a phone, which closes', async () => {
        const page = await open(`${api().url}/docs/en/errors`, {
          size: 'phone',
          obeysPolicy: true,
        });
        await page.locator('.menu summary').click();
        await page.locator('.menu').getByRole('link', { name: 'Codes of fields' }).click();
        await page.waitForURL(/#codes-of-fields$/);
        expect(await page.locator('.menu nav').isVisible()).to.equal(false);
      });

      it('reads on without JavaScript', async () => {
        const page = await open(`${api().url}/`, { script: false, size: 'phone' });
        await page.getByRole('link', { name: 'Partner’s guide' }).click();
        await page.getByRole('heading', { name: 'Choose an endpoint' }).waitFor();
        await page.locator('.menu summary').click();
        await page.locator('.menu').getByRole('link', { name: 'Access and tokens' }).click();
        await page.getByRole('heading', { name: 'Refresh and revoke' }).waitFor();
        expect(await page.locator('.search').isVisible()).to.equal(false);
        expect(await page.locator('button').count()).to.equal(0);
      });

      it('sees all operations in the reference, and gets an answer to a request', async () => {
        const { client_id, client_secret } = await api().client('canal-demo');
        const document = (await api().get('/openapi.json')).body;
        const operations = Object.values({ ...document.paths, ...document.webhooks }).flatMap(
          (each) =>
            Object.keys(each as object).filter((name) =>
              /^(get|put|post|patch|delete)$/.test(name),
            ),
        );
        const page = await open(`${api().url}/docs/api`, { obeysPolicy: true });
        await page.locator('.opblock').first().waitFor({ timeout: RENDERING_MS });
        expect(await page.locator('.opblock').count()).to.equal(operations.length);

        await page.getByLabel('client_id').fill(client_id);
        await page.getByLabel('client_secret').fill(client_secret);
        await page.getByRole('button', { name: 'Usar em todas as operações' }).click();
        await page.getByText('Pronto: as requisições').waitFor();
        await picture(page, 'reference-authorized');

        for (const [path, expected] of [
          ['/private/integration/products', '200'],
          ['/private/integration/sale', '201'],
          ['/seguros/ingresso-protegido/create', '200'],
          ['/seguros/auth/token', '200'],
        ] as const)
          expect(await tryOperation(page, path), path).to.equal(expected);
        await picture(page, 'reference-answer');
        expect(complaintsOf(page)).to.deep.equal([]);
      });

      it('learns why its credentials are refused, and may type others', async () => {
        const { client_id, client_secret } = await api().client('canal-demo');
        const page = await open(`${api().url}/docs/api`, { obeysPolicy: true });
        await page.getByLabel('client_id').fill(client_id, { timeout: RENDERING_MS });
        await page.getByLabel('client_secret').fill('wrong');
        await page.keyboard.press('Enter');
        await page.getByText('não foram aceitas: Credenciais inválidas.').waitFor();
        await page.getByLabel('client_secret').fill(client_secret);
        await page.keyboard.press('Enter');
        await page.getByText('Pronto: as requisições').waitFor();
        expect(complaintsOf(page)).to.have.length(1);
      });

      it('reads the reference in Portuguese only', async () => {
        const page = await open(`${api().url}/docs/api`);
        await page.locator('.opblock').first().waitFor({ timeout: RENDERING_MS });
        await tryOperation(page, '/private/integration/sale');
        await tryOperation(page, '/private/integration/products');
        await page.locator('.tablinks[data-name="model"]').first().click();
        await page.locator('.json-schema-2020-12-expand-deep-button').first().click();
        const labels = (await page.evaluate(LABELS)) as string[];
        expect(labels).to.include.members(['Cancelar', 'Corpo da requisição', 'Respostas']);
        const english = labels.filter((label) =>
          ENGLISH.test(label.replaceAll(/\S*[/_-]\S*/g, '')),
        );
        expect(english).to.deep.equal([]);
      });

      it('sees the operations of administrators on a page of their own', async () => {
        const page = await open(`${api().url}/docs/api`, { obeysPolicy: true });
        await page.getByRole('link', { name: 'Administradores' }).click();
        const operation = page.locator('[data-path="/admin/products"]').first();
        await operation.waitFor({ timeout: RENDERING_MS });
        expect(await page.locator('[data-path="/private/integration/sale"]').count()).to.equal(0);
        expect(complaintsOf(page)).to.deep.equal([]);
      });

      for (const size of SIZES)
        it(`finds no serious accessibility fault around the reference (${size})`, async () => {
          const page = await open(`${api().url}/docs/api`, { size });
          await page.locator('.opblock').first().waitFor({ timeout: RENDERING_MS });
          await picture(page, `reference-${size}`);
          expect(await widthOf(page)).to.equal(size === 'phone' ? 375 : 1280);
          expect((await violationsOn(page, THEIRS)).map(({ id }) => id)).to.deep.equal([]);
          const unreadable = await page.evaluate(
            `axe.run('.info .title', { runOnly: 'color-contrast' }).then((found) => found.violations)`,
          );
          expect(unreadable, 'the title and the versions beside it').to.deep.equal([]);
        });
    });
  });
});
