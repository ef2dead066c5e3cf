import { expect } from 'chai';
import { CREATE, mainBody, withApi } from '../support/api.ts';
import { picture, violationsOn, withBrowser } from '../support/browser.ts';

describe('a person who checks a certificate in a browser', () => {
  withBrowser((open) => {
    withApi((api) => {
      const sold = async (): Promise<string> =>
        (await api().post(CREATE, mainBody(), await api().bearer())).body.data.ticket;

      it('sees whether a code is genuine, on a phone, without JavaScript', async () => {
        const page = await open(`${api().url}/verify`, { script: false, size: 'phone' });
        await picture(page, 'verify-ask');
        await page.getByLabel('Código do documento').fill(await sold());
        await page.getByRole('button', { name: 'Conferir' }).click();
        await page.getByRole('heading', { name: 'Documento autêntico' }).waitFor();
        const shown = await page.getByRole('definition').allTextContents();
        expect(shown).to.include.members([
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

      it('finds no accessibility fault (axe-core) on any page', async () => {
        for (const path of [
          '/verify',
          `/verify/${await sold()}`,
          '/verify/XYZ',
          '/documents/XYZ',
        ]) {
          const page = await open(`${api().url}${path}`);
          expect(
            (await violationsOn(page)).map(({ id }) => id),
            path,
          ).to.deep.equal([]);
        }
      });
    });
  });
});
