import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const SIZES = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 375, height: 740 },
} as const;

type Size = keyof typeof SIZES;

/** The folder for screenshots; unset: none are taken. */
const PICTURES = process.env['PICTURES'];

/** Opens an address in a new browser window. */
export type Open = (
  address: string,
  options?: { readonly script?: boolean; readonly size?: Size },
) => Promise<Page>;

/** Runs a suite with a browser of its own; skips it where no browser is installed. */
export const withBrowser = (suite: (open: Open) => void): void => {
  let browser: Browser;
  before(async function () {
    if (!existsSync(CHROMIUM)) this.skip();
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
  });
  after(() => browser?.close());
  suite(async (address, { script = true, size = 'desktop' } = {}) => {
    const context = await browser.newContext({
      viewport: SIZES[size],
      javaScriptEnabled: script,
      bypassCSP: script,
    });
    const page = await context.newPage();
    await page.goto(address);
    return page;
  });
};

export const picture = async (page: Page, name: string): Promise<void> => {
  if (PICTURES !== undefined)
    await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
};

interface Violation {
  readonly id: string;
  readonly impact: string;
}

/** The barriers to assistive technology that axe-core finds on a page. */
export const violationsOn = async (page: Page): Promise<readonly Violation[]> => {
  await page.addScriptTag({ path: AXE });
  return ((await page.evaluate('axe.run()')) as { violations: Violation[] }).violations;
};
