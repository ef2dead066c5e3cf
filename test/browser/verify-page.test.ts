import { expect } from 'chai';
import { CREATE, mainBody, withApi } from '../support/api.ts';
import { OVERFLOW, picture, violationsOn, withBrowser } from '../support/browser.ts';
import { SALE, saleOrder } from '../support/generic-sales.ts';

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

      /** The pages, each with its heading, and what brings it about. The last one moves the clock. */
      const pages: readonly (readonly [heading: string, arrange: () => Promise<string>])[] = [
        ['Conferir um documento de seguro', async () => '/verify'],
        ['Documento autêntico', async () => `/verify/${await sold()}`],
        [
          'Documento autêntico',
          async () => {
            const { body } = await api().post(SALE, saleOrder(), await api().bearer());
            return `/verify/${body.data.ticket}`;
          },
        ],
        [
          'Seguro cancelado',
          async () => {
            const ticket = await sold();
            await api().post(`${SALE}/${ticket}/cancel`, {}, await api().bearer());
            return `/verify/${ticket}`;
          },
        ],
        ['Documento não encontrado', async () => '/verify/XYZ'],
        ['Documento não encontrado', async () => '/documents/XYZ'],
        [
          'Vigência encerrada',
          async () => {
            const ticket = await sold();
            api().memory.clock.advance(60 * 86_400);
            return `/verify/${ticket}`;
          },
        ],
      ];
      it('finds no barrier (axe-core), and no page wider than the screen, on any page', async () => {
        for (const [heading, arrange] of pages) {
          const path = await arrange();
          for (const size of ['desktop', 'phone'] as const) {
            const page = await open(`${api().url}${path}`, { size });
            expect(await page.locator('h1').innerText(), path).to.equal(heading);
            await picture(page, `verify-${size}-${heading}`);
            expect(await page.evaluate(OVERFLOW), `width, ${heading}`).to.be.at.most(0);
            expect(await violationsOn(page), heading).to.deep.equal([]);
            await page.context().close();
          }
        }
      });
    });
  });
});
