import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Api, withApi } from '../support/api.ts';
import { OVERFLOW, picture, violationsOn, withBrowser } from '../support/browser.ts';
import { artistOrder, phoneOrder } from '../support/orders.ts';
import { arrangeState, PAYMENT_STATES } from '../support/payment-states.ts';

describe('a person who pays in a browser', () => {
  withBrowser((open) => {
    withApi((api) => {
      const sale = async (
        path = '/seguros/seguro-celular/create',
        body: object = phoneOrder({ plan: { id: 32 } }),
      ) => {
        const { body: made } = await api().post(path, body, await api().bearer());
        const { transaction_id, payment_url } = made.response?.data ?? {
          transaction_id: made.data.transaction_id,
          payment_url: made.link,
        };
        return {
          id: transaction_id as number,
          address: `${api().url}${new URL(payment_url).pathname}`,
        };
      };
      const charge = async (id: number) => (await (api() as Api).memory.sandbox.chargesOf(id))[0];
      const settled = async (id: number) => {
        await api().memory.runJobs();
        return (await api().memory.sales.load(id))?.status;
      };
      const typeCard = async (page: Page, number: string): Promise<void> => {
        const summary = page.getByText('Cartão de crédito');
        if (!(await page.getByLabel('Número do cartão').isVisible())) await summary.click();
        await page.getByLabel('Número do cartão').fill(number);
        await page.getByLabel('Nome impresso no cartão').fill('Maria da Silva');
        await page.getByLabel('Validade (MM/AA)').fill('12/39');
        await page.getByLabel('Código de segurança').fill('123');
        await page.getByRole('button', { name: /com cartão/ }).click();
      };

      for (const size of ['desktop', 'phone'] as const) {
        it(`by Pix, on a ${size}: amounts, a code to scan, and thanks`, async () => {
          const { id, address } = await sale();
          const page = await open(address, { size });
          expect(await page.title()).to.equal('Pagamento do seguro');
          expect(await page.locator('.money').innerText()).to.match(
            /R\$ 299,00[\s\S]*R\$ 22,07[\s\S]*R\$ 321,07/,
          );
          await picture(page, `${size}-open`);
          await page.getByText('Pix', { exact: true }).click();
          expect((await page.locator('.qr svg').boundingBox())?.width).to.be.above(150);
          const { scrollWidth, clientWidth } = (await page.evaluate(
            '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
          )) as { scrollWidth: number; clientWidth: number };
          expect(scrollWidth, 'page width').to.be.at.most(clientWidth);
          await picture(page, `${size}-pix`);
          await page.getByRole('button', { name: 'Simular o pagamento por Pix' }).click();
          expect(await page.getByRole('status').innerText()).to.match(/Pagamento confirmado/);
          await picture(page, `${size}-paid`);
          expect(await charge(id)).to.include({ status: 'paid', method: 'pix' });
          expect(await settled(id)).to.equal('issued');
          await page.context().close();
        });
      }

      it('by card, after another card was declined', async () => {
        const { id, address } = await sale();
        const page = await open(address, { size: 'phone' });
        await typeCard(page, '4000 0000 0000 0002');
        const alert = page.getByRole('alert');
        expect(await alert.innerText()).to.match(/O cartão foi recusado/);
        const top = (await alert.boundingBox())?.y ?? -1;
        expect(top, 'the alert is in sight').to.be.within(0, 700);
        expect(await page.getByLabel('Nome impresso no cartão').inputValue()).to.equal(
          'Maria da Silva',
        );
        expect(
          await page.getByLabel('Número do cartão').inputValue(),
          'card number after a refusal',
        ).to.equal('');
        await picture(page, 'phone-declined');
        await typeCard(page, '4111 1111 1111 1111');
        expect(await page.getByRole('status').innerText()).to.match(/Pagamento confirmado/);
        expect(await charge(id)).to.include({ status: 'paid', method: 'credit' });
        await page.context().close();
      });

      it('by boleto, the only method that a boleto’s page offers', async () => {
        const { id, address } = await sale('/seguros/artista-protegido/create', artistOrder());
        const page = await open(address);
        expect(await page.locator('h2').allInnerTexts()).to.deep.equal(['Pague o boleto']);
        await page.getByRole('button', { name: 'Copiar' }).click();
        await page.getByRole('button', { name: 'Copiado' }).waitFor();
        expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(
          await page.locator('code').innerText(),
        );
        expect(await page.locator('code').innerText()).to.match(
          /^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/,
        );
        await picture(page, 'desktop-boleto');
        await page.getByRole('button', { name: 'Simular o pagamento do boleto' }).click();
        expect(await settled(id)).to.equal('issued');
        await page.context().close();
      });

      it('can refuse to pay', async () => {
        const { id, address } = await sale();
        const page = await open(address);
        const refuse = page.getByRole('button', { name: 'Desistir do seguro' });
        expect(await refuse.isVisible(), 'before the question').to.equal(false);
        await page.getByText('Não quero este seguro').click();
        await refuse.click();
        expect(await page.getByRole('status').innerText()).to.match(/Você desistiu/);
        expect(await settled(id)).to.equal('refused');
        await page.context().close();
      });

      it('pays once in two tabs', async () => {
        const { id, address } = await sale();
        const [one, other] = [await open(address), await open(address)];
        for (const page of [one, other]) await page.getByText('Pix', { exact: true }).click();
        await one.getByRole('button', { name: /por Pix/ }).click();
        await other.getByRole('button', { name: /por Pix/ }).click();
        for (const page of [one, other])
          expect(await page.getByRole('status').innerText()).to.match(/Pagamento confirmado/);
        await settled(id);
        expect((await api().memory.sales.load(id))?.receipts).to.have.length(1);
        await Promise.all([one.context().close(), other.context().close()]);
      });

      it('can pay without JavaScript', async () => {
        const { id, address } = await sale();
        const page = await open(address, { script: false });
        await typeCard(page, '4111111111111111');
        expect(await page.getByRole('status').innerText()).to.match(/Pagamento confirmado/);
        expect(await settled(id)).to.equal('issued');
        await page.context().close();
      });

      it('can pay with the keyboard only', async () => {
        const { id, address } = await sale();
        const page = await open(address);
        const focused = () =>
          page.evaluate('document.activeElement?.textContent?.trim() ?? ""') as Promise<string>;
        const tabTo = async (text: RegExp): Promise<void> => {
          for (let count = 0; count < 30; count += 1) {
            await page.keyboard.press('Tab');
            if (text.test(await focused())) return;
          }
          throw new Error(`${text} cannot be reached`);
        };
        await tabTo(/^Cartão de crédito$/);
        await page.keyboard.press('Enter');
        for (const typed of ['4111111111111111', 'Maria da Silva', '12/39', '123']) {
          await page.keyboard.press('Tab');
          await page.keyboard.type(typed);
        }
        await page.keyboard.press('Enter');
        await page.getByRole('status').waitFor();
        expect(await charge(id)).to.include({ status: 'paid', method: 'credit' });
        await page.context().close();
      });

      it('shows a fault beside its field, and puts the cursor there', async () => {
        const { address } = await sale();
        const page = await open(address, { size: 'phone' });
        await typeCard(page, '1');
        const focused = 'document.activeElement.id';
        expect(await page.evaluate(focused)).to.equal('number');
        expect(await page.locator('#number-fault').innerText()).to.equal(
          'O número não confere: digite-o de novo.',
        );
        await picture(page, 'phone-faults');
        await page.context().close();
      });

      for (const size of ['desktop', 'phone'] as const) {
        it(`has no barrier (axe-core) and no page wider than the screen, on a ${size}`, async () => {
          for (const state of PAYMENT_STATES) {
            const page = await open(await arrangeState(api() as Api, state), { size });
            await picture(page, `${size}-${state.name}`);
            await page.evaluate(
              `document.querySelectorAll('details').forEach((each) => { each.removeAttribute('name'); each.open = true; })`,
            );
            expect(await page.evaluate(OVERFLOW), `width, ${state.name}`).to.be.at.most(0);
            const serious = (await violationsOn(page)).filter(({ impact }) => impact !== 'minor');
            expect(serious, state.name).to.deep.equal([]);
            await page.context().close();
          }
        });
      }
    });
  });
});
