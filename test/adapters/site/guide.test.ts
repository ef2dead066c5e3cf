import { expect } from 'chai';
import { prepareSent } from '../../../adapters/kit/web/pages/send-page.ts';
import { CHAPTERS, type Chapter } from '../../../adapters/site/chapters.ts';
import { Guide, type GuidePages } from '../../../adapters/site/guide.ts';
import { renderGuidePage } from '../../../adapters/site/guide-page.ts';
import { siteAt } from '../../support/site.ts';

const PATH = '/docs/en';

const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: Error) => error.message,
  );

describe('the guide', () => {
  it('is rendered once, also for those who ask meanwhile', async () => {
    let renderings = 0;
    const page = await prepareSent('text/html', Buffer.from('guide'));
    const guide = new Guide(async () => {
      renderings += 1;
      return new Map([[PATH, page]]);
    });
    expect(await Promise.all([guide.find(PATH), guide.find(PATH)])).to.deep.equal([page, page]);
    expect(await guide.find('/docs/x')).to.equal(undefined);
    expect(renderings).to.equal(1);
  });

  it('that cannot be rendered is tried again after 30 seconds, and not before', async () => {
    let renderings = 0;
    let now = 5_000;
    let isMissing = true;
    const page = await prepareSent('text/html', Buffer.from('guide'));
    const render = async (): Promise<GuidePages> => {
      renderings += 1;
      if (isMissing) throw new Error('no README');
      return new Map([[PATH, page]]);
    };
    const guide = new Guide(render, () => now);
    const failures = [failureOf(guide.find(PATH)), failureOf(guide.find('/docs/x'))];
    expect(await Promise.all(failures)).to.deep.equal(['no README', 'no README']);
    now += 29_999;
    isMissing = false;
    expect(await failureOf(guide.find(PATH))).to.equal('no README');
    expect(renderings).to.equal(1);
    now += 1;
    expect(await guide.find(PATH)).to.equal(page);
    now += 60_000;
    expect(await guide.find(PATH)).to.equal(page);
    expect(renderings).to.equal(2);
  });

  it('shows the address of the service as it is, whatever characters it holds', () => {
    const chapter = CHAPTERS.find(({ slug }) => slug === '') as Chapter;
    const site = siteAt("https://sales.example/$&$'");
    const { page } = renderGuidePage(chapter, 'en', site);
    const text = page
      .toString()
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&amp;', '&')
      .replaceAll(/&#(39|x27);/g, "'");
    expect(text).to.include(`API=${site.publicUrl}/api`);
    expect(text).not.to.include('127.0.0.1:3000');
  });
});
