import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { withApi } from '../support/api.ts';
import { complaintsOf, picture, violationsOn, withBrowser } from '../support/browser.ts';

const SIZES = ['desktop', 'phone'] as const;

/** Parts of Swagger UI whose markup is not ours: its rendering of the operations. */
const THEIRS = ['#reference'];

/** Max time in which Swagger UI shows its operations on a busy machine, ms. */
const RENDERING_MS = 80_000;

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
            '/docs/en/events',
            '/docs/en/admin',
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

        it(`finds a chapter by keyboard (${size})`, async () => {
          const page = await open(`${api().url}/docs/en`, { size, obeysPolicy: true });
          await page.keyboard.press('Control+k');
          await page.keyboard.type('glossary');
          await page.getByText(/\d+ results/).waitFor();
          await picture(page, `docs-${size}-search`);
          await page.keyboard.press('ArrowDown');
          await page.keyboard.press('Enter');
          await page.waitForURL(/#/);
          expect(page.url()).to.match(/#\d+-glossary$/);

          await page.keyboard.press('Control+k');
          await page.keyboard.type('reconciliation');
          await page.getByText(/\d+ results/).waitFor();
          await page.keyboard.press('Escape');
          expect(await page.locator('.results').isVisible()).to.equal(false);
          await page.keyboard.press('Enter');
          await page.waitForURL(/\/docs\/en\/books#reconciliation$/);
          expect(complaintsOf(page)).to.deep.equal([]);
        });
      }

      it('finds words without their accents', async () => {
        const page = await open(`${api().url}/docs/pt-BR`, { obeysPolicy: true });
        await page.getByRole('searchbox').fill('sao paulo');
        await page.getByText(/\d+ resultados/).waitFor();
        expect(await page.locator('.results a').count()).to.be.above(0);
        await page.getByRole('searchbox').fill('xyzzyxyzzy');
        await page.getByText('Nada encontrado.').waitFor();
      });

      it('copies an example by its button', async () => {
        const page = await open(`${api().url}/docs/en`, { obeysPolicy: true });
        const block = page.locator('.code').first();
        await block.getByRole('button', { name: 'Copy' }).click();
        await block.getByRole('button', { name: 'Copied' }).waitFor();
        const copied = await page.evaluate('navigator.clipboard.readText()');
        expect(copied).to.equal(`API=${api().url}/api\nCLIENT_ID=...\nCLIENT_SECRET=...`);
      });

      it('goes to a section by the menu on a phone, which closes', async () => {
        const page = await open(`${api().url}/docs/en`, { size: 'phone', obeysPolicy: true });
        await page.locator('.menu summary').click();
        await page.locator('.menu').getByRole('link', { name: '11. Errors' }).click();
        await page.waitForURL(/#11-errors$/);
        expect(await page.locator('.menu nav').isVisible()).to.equal(false);
      });

      it('reads on without JavaScript', async () => {
        const page = await open(`${api().url}/`, { script: false, size: 'phone' });
        await page.getByRole('link', { name: 'Partner’s guide' }).click();
        await page.getByRole('heading', { name: '1. Access' }).waitFor();
        await page.locator('.menu summary').click();
        await page.locator('.menu').getByRole('link', { name: 'Tokens' }).click();
        await page.getByRole('heading', { name: 'Refresh' }).waitFor();
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

        await page.getByRole('button', { name: 'Authorize' }).click();
        await page.getByLabel('client_id:').fill(client_id);
        await page.getByLabel('client_secret:').fill(client_secret);
        await page.locator('label[for^="sales-"]').click();
        await page.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click();
        await page.getByRole('button', { name: 'Remove authorization' }).waitFor();
        await picture(page, 'reference-authorized');
        await page.getByRole('button', { name: 'Close' }).first().click();

        const products = page.locator('.opblock:has([data-path="/private/integration/products"])');
        await products.locator('.opblock-summary-control').click();
        await products.getByRole('button', { name: 'Try it out' }).click();
        await products.getByRole('button', { name: 'Execute' }).click();
        const status = products.locator('.live-responses-table tr.response .response-col_status');
        expect(await status.first().textContent()).to.equal('200');
        await picture(page, 'reference-answer');
        expect(complaintsOf(page)).to.deep.equal([]);
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
