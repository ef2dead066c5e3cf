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
  options?: {
    readonly script?: boolean;
    readonly size?: Size;
    /** Obeys the page's Content-Security-Policy: `complaintsOf` lists its violations. */
    readonly obeysPolicy?: boolean;
  },
) => Promise<Page>;

const complaints = new WeakMap<Page, string[]>();

/** The errors that a page has written to the console of its browser, or thrown. */
export const complaintsOf = (page: Page): readonly string[] => complaints.get(page) ?? [];

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
  suite(async (address, { script = true, size = 'desktop', obeysPolicy = false } = {}) => {
    const context = await browser.newContext({
      viewport: SIZES[size],
      javaScriptEnabled: script,
      bypassCSP: script && !obeysPolicy,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    const noted: string[] = [];
    complaints.set(page, noted);
    page.on('console', (message) => {
      if (message.type() === 'error') noted.push(message.text());
    });
    page.on('pageerror', ({ message }) => noted.push(message));
    await page.goto(address);
    return page;
  });
};

/** By how many pixels the content of a page is wider than the screen, as an expression for it. */
export const OVERFLOW =
  'document.documentElement.scrollWidth - document.documentElement.clientWidth';

export const picture = async (page: Page, name: string): Promise<void> => {
  if (PICTURES !== undefined)
    await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
};

interface Violation {
  readonly id: string;
  readonly impact: string;
}

/**
 * The barriers to assistive technology that axe-core finds on a page.
 *
 * @param exclude selectors of parts that are not looked at
 */
export const violationsOn = async (
  page: Page,
  exclude: readonly string[] = [],
): Promise<readonly Violation[]> => {
  await page.addScriptTag({ path: AXE });
  const context = JSON.stringify({ exclude });
  return ((await page.evaluate(`axe.run(${context})`)) as { violations: Violation[] }).violations;
};
