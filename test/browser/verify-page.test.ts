import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CREATE, mainBody, withApi } from '../support/api.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Where pictures are put for a person to look at; unset, none are taken. */
const PICTURES = process.env['PICTURES'];

describe('a person who checks a certificate in a browser', function () {
  this.timeout(60_000);
  let browser: Browser;
  before(async function () {
    if (!existsSync(CHROMIUM)) this.skip();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  });
  after(() => browser?.close());

  withApi((api) => {
    const open = async (path: string, script = false): Promise<Page> => {
      const context = await browser.newContext({
        viewport: { width: 375, height: 740 },
        javaScriptEnabled: script,
        bypassCSP: script,
      });
      const page = await context.newPage();
      await page.goto(`${api().url}${path}`);
      return page;
    };
    const sold = async (): Promise<string> => (await api().post(CREATE, mainBody(), await api().bearer())).body.data.ticket;
    const picture = async (page: Page, name: string): Promise<void> => {
      if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
    };

    it('types the code and sees that it is genuine, on a phone, without script; then another, which is not', async () => {
      const page = await open('/verify');
      await picture(page, 'verify-ask');
      await page.getByLabel('Código do documento').fill(await sold());
      await page.getByRole('button', { name: 'Conferir' }).click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Documento autêntico');
      expect(await page.getByRole('definition').allTextContents()).to.include.members([
        'vigente',
        'Ingresso Protegido',
        'B-000000001',
        'M. d. S.',
      ]);
      await picture(page, 'verify-genuine');
      await page.getByLabel('Código do documento').fill('01M7YT3JAHDR4EX1NJJCGWCZ8P');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Documento não encontrado' }).waitFor();
      await picture(page, 'verify-unknown');
      expect(await page.locator('body').evaluate((body) => body.scrollWidth)).to.equal(375);
    });

    it('meets nothing that assistive technology stumbles over (axe)', async () => {
      for (const path of ['/verify', `/verify/${await sold()}`, '/verify/XYZ', '/documents/XYZ']) {
        const page = await open(path, true);
        await page.addScriptTag({ path: AXE });
        const { violations } = await page.evaluate(() =>
          (globalThis as never as { axe: { run(): Promise<{ violations: { id: string }[] }> } }).axe.run(),
        );
        expect(
          violations.map(({ id }) => id),
          path,
        ).to.deep.equal([]);
      }
    });
  });
});
