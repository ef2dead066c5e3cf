import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { BASE_MARK, SiteFiles, URL_MARK } from '../../../adapters/site/site-files.ts';
import { temporaryFolder } from '../../support/children.ts';

const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

/** A site of two files, with marks. */
const makeSite = (): string => {
  const folder = mkdtempSync(join(temporaryFolder(), 'site-'));
  const text = `<a href="${BASE_MARK}/docs">${URL_MARK}/api</a>`;
  for (const name of ['page', 'text']) writeFileSync(join(folder, name), text);
  const files = {
    '/docs/en': { file: 'page', type: HTML },
    '/llms.txt': { file: 'text', type: TEXT },
  };
  const assets = { 'guide.js': `${BASE_MARK}/docs/assets/0/guide.js` };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ files, assets }));
  return folder;
};

const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: Error) => error.message,
  );

describe('the files of the site', () => {
  it('have the public URL and its path in the place of the marks, escaped in HTML', async () => {
    const folder = makeSite();
    const files = new SiteFiles(async () => folder, "https://sales.example/$&$'", '/p');
    const page = await files.find('/docs/en');
    expect(Buffer.from(page?.plain ?? []).toString()).to.equal(
      '<a href="/p/docs">https://sales.example/$&amp;$&#39;/api</a>',
    );
    const text = await files.find('/llms.txt');
    expect(Buffer.from(text?.plain ?? []).toString()).to.include("https://sales.example/$&$'/api");
    expect(await files.assets()).to.deep.equal({ 'guide.js': '/p/docs/assets/0/guide.js' });
    expect(await files.find('/docs/x')).to.equal(undefined);
    expect(await files.find('constructor')).to.equal(undefined);
  });

  it('are found once, also for callers who ask meanwhile', async () => {
    const folder = makeSite();
    let searches = 0;
    const files = new SiteFiles(
      async () => {
        searches += 1;
        return folder;
      },
      '',
      '',
    );
    const [one, other] = await Promise.all([files.find('/docs/en'), files.find('/docs/en')]);
    expect(one).to.equal(other);
    expect(searches).to.equal(1);
  });

  it('that cannot be made are tried again after 30 seconds, and not before', async () => {
    const folder = makeSite();
    let searches = 0;
    let now = 5_000;
    let isMissing = true;
    const find = async (): Promise<string> => {
      searches += 1;
      if (isMissing) throw new Error('no site');
      return folder;
    };
    const files = new SiteFiles(find, '', '', () => now);
    expect(await failureOf(files.find('/docs/en'))).to.equal('no site');
    now += 29_999;
    isMissing = false;
    expect(await failureOf(files.find('/docs/en'))).to.equal('no site');
    expect(searches).to.equal(1);
    now += 1;
    expect(await files.find('/docs/en')).to.have.property('type', HTML);
    expect(searches).to.equal(2);
  });
});
