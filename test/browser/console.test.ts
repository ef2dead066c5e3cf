import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { cents, type Email, unwrap } from '#domain';
import { makeOnce } from '../../application/make-once.ts';
import type { WebhookUrl } from '../../application/webhooks/webhook-urls.ts';
import { CREATE, mainBody, withApi } from '../support/api.ts';
import { complaintsOf, OVERFLOW, picture, violationsOn, withBrowser } from '../support/browser.ts';
import { ADMINISTRATOR, AT } from '../support/identity.ts';
import { settle } from '../support/mailings.ts';
import { phoneOrder } from '../support/orders.ts';
import { codeOf, linkFor, PASSPHRASE, peopleOver } from '../support/people.ts';
import { phoneSale, soldIn, ticketSale } from '../support/selling.ts';

describe('a person who works in the console', () => {
  withBrowser((open) => {
    withApi((api) => {
      const invite = async (email: string, name = 'Bruna de Souza'): Promise<string> => {
        const asked = { name, role: 'support', channelLink: null, email: email as Email } as const;
        const { managePeople } = peopleOver(api().memory);
        const { code } = unwrap(await managePeople.invite(asked, ADMINISTRATOR));
        return `${api().url}/console/invitation/${code}`;
      };
      const secretOn = async (page: Page): Promise<string> =>
        (await page.locator('.secret').innerText()).replaceAll(/\s/g, '');
      const now = (): string => api().memory.clock.now();
      const heading = (page: Page): Promise<string> => page.locator('h1').innerText();
      const enter = async (page: Page): Promise<void> => {
        await page.goto(`${api().url}${await linkFor(api().memory)}`);
        await page.getByRole('button', { name: 'Entrar' }).click();
      };

      it('follows an invitation, leaves, and signs in again, by keyboard, without script', async () => {
        const page = await open(await invite('bruna@example.com'), {
          script: false,
          size: 'phone',
        });
        const secret = await secretOn(page);
        await page.getByLabel('Senha').fill('curta');
        await page.getByLabel('Código que o aplicativo mostra').fill('000000');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').waitFor();
        await picture(page, 'console-join-faults');
        expect(await page.getByRole('alert').getByRole('link').allInnerTexts()).to.have.length(2);
        // What was scanned stays valid.
        expect(await secretOn(page)).to.equal(secret);
        await page.getByLabel('Senha').fill(PASSPHRASE);
        await page.getByLabel('Código que o aplicativo mostra').fill(codeOf(secret, now()));
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Guarde estes códigos' }).waitFor();
        expect(await page.locator('.codes li').count()).to.equal(10);
        const [recovery = ''] = await page.locator('.codes li').allInnerTexts();
        await picture(page, 'console-recovery-codes');
        await page.getByRole('link', { name: 'Guardei' }).click();
        expect(await heading(page)).to.equal('Olá, Bruna de Souza');

        await page.getByRole('button', { name: 'Sair' }).click();
        expect(await heading(page)).to.equal('Entrar');
        await page.goBack();
        expect(await heading(page)).to.equal('Entrar');
        await page.goto(`${api().url}/console/sessions`);
        await page.getByLabel('E-mail').fill('Bruna@example.com');
        await page.keyboard.press('Tab');
        await page.keyboard.type(PASSPHRASE);
        await page.keyboard.press('Tab');
        await page.keyboard.type(recovery.toLowerCase());
        await page.keyboard.press('Enter');
        // Where the person wanted to go.
        await page.getByRole('heading', { name: 'Minhas sessões' }).waitFor();
        await page.context().close();
      });

      it('invites, changes and signs out people, and ends sessions, as an administrator', async () => {
        const page = await open(`${api().url}/console`, { script: false });
        await enter(page);
        await page.getByRole('link', { name: 'Pessoas' }).click();
        await page.getByRole('link', { name: 'Convidar uma pessoa' }).click();
        await page.getByLabel('Nome').fill('Carlos Parceiro');
        await page.getByLabel('E-mail').fill('carlos@example.com');
        await page.getByLabel('Papel').selectOption('Parceiro');
        await page.getByRole('button', { name: 'Convidar' }).click();
        expect(await page.getByRole('alert').innerText()).to.include('canal do parceiro');
        await page.getByLabel('Canal').selectOption('canal-demo');
        await page.getByRole('button', { name: 'Convidar' }).click();
        expect(await page.getByRole('status').innerText()).to.include('carlos@example.com');
        const { memory } = api();
        const [mail] = (memory.mailer as unknown as { sentPlain: { to: string[]; text: string }[] })
          .sentPlain;
        expect(mail?.to).to.deep.equal(['carlos@example.com']);
        expect(mail?.text).to.match(/\/console\/invitation\/[\w-]{43}\n/);

        await page.getByLabel('Pode entrar').uncheck();
        await page.getByRole('button', { name: 'Salvar' }).click();
        const row = page.getByRole('row').filter({ hasText: 'Carlos' });
        expect(await row.innerText()).to.include('Inativa');
        await page.context().close();
      });

      it('finds a sale by a name on a phone, by keyboard, without script', async () => {
        const order = mainBody({ nomeCompleto: 'Zuleika Prado', numeroIngresso: 'Z-9' });
        await api().post(CREATE, order, await api().bearer());
        await api().memory.runJobs();
        const page = await open(`${api().url}/console`, { script: false, size: 'phone' });
        await enter(page);
        await page.getByRole('link', { name: 'Vendas' }).click();
        await page.getByRole('searchbox').fill('prado zul');
        await page.keyboard.press('Enter');
        await page.getByRole('cell').filter({ hasText: 'Zuleika Prado' }).waitFor();
        expect(page.url()).not.to.include('prado');
        await page.getByRole('cell').first().getByRole('link').click();
        await page.getByRole('heading', { name: 'Zuleika Prado' }).waitFor();
        expect(await page.locator('.answers').innerText()).to.include('Está segurado?');
        await page.context().close();
      });

      it('cancels a large sale with a colleague, on a phone, by keyboard, without script', async () => {
        const order = ticketSale({ insuredAmount: cents(1_000_000) });
        const { id } = soldIn(await api().memory.useCases.sell(order));
        await api().memory.runJobs();
        const ana = await open(`${api().url}/console`, { script: false, size: 'phone' });
        await enter(ana);
        await ana.goto(`${api().url}/console/sales/${id}`);
        const press = async (page: Page, name: string, role: 'link' | 'button' = 'button') => {
          await page.getByRole(role, { name }).focus();
          await page.keyboard.press('Enter');
        };
        await press(ana, 'Cancelar', 'link');
        await ana.getByLabel('a pedido do segurado').focus();
        await ana.keyboard.press('ArrowDown');
        expect(await ana.getByLabel('por parte da seguradora').isChecked()).to.equal(true);
        await ana.keyboard.press('ArrowUp');
        await ana.getByLabel('Motivo').selectOption('Outro');
        await press(ana, 'Cancelar a venda');
        expect(await ana.getByRole('alert').innerText()).to.include('Escreva por quê');
        await ana.getByLabel('Em palavras').fill('O show foi cancelado');
        await press(ana, 'Cancelar a venda');
        expect(await ana.getByRole('status').innerText()).to.include('espera outra pessoa');
        await picture(ana, 'console-sale-asked');

        const bia = await open(`${api().url}/console`, { script: false, size: 'phone' });
        await enter(bia);
        await press(bia, String(id), 'link');
        expect(await bia.locator('.facts').innerText()).to.include('O show foi cancelado');
        await picture(bia, 'console-approval');
        await press(bia, 'Aprovar');
        expect(await bia.getByRole('status').innerText()).to.match(/Protocolo: \d{8}-/);
        for (const page of [ana, bia]) await page.context().close();
      });

      it('announces another price, sees what it does, and stores it, on a phone, by keyboard', async () => {
        const page = await open(`${api().url}/console`, { script: false, size: 'phone' });
        await enter(page);
        await page.getByRole('link', { name: 'Catálogo' }).click();
        await page.getByRole('link', { name: 'INGRESSO' }).click();
        await page.getByRole('link', { name: 'Mudar' }).click();
        await page.getByText('plano 1: PADRAO').focus();
        await page.keyboard.press('Enter');
        await page.locator('[name="plans.0.tariff.rate"]').fill('um pouco');
        await page.keyboard.press('Enter');
        const fault = page.getByRole('alert').getByRole('link');
        expect(await fault.innerText()).to.include('Planos 1, Preço, Taxa');
        await picture(page, 'console-product-faults');
        await page.locator('[name="plans.0.tariff.rate"]').fill('12,5');
        await page.getByLabel('Vale a partir de').fill('2027-01-01');
        await page.getByRole('button', { name: 'Ver o que muda' }).first().focus();
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'o que muda' }).waitFor();
        await picture(page, 'console-product-review');
        expect(await page.evaluate(OVERFLOW)).to.be.at.most(0);
        expect(await page.getByRole('row').filter({ hasText: '12,5 %' }).innerText()).to.include(
          '10 %',
        );
        await page.getByRole('button', { name: 'Guardar' }).focus();
        await page.keyboard.press('Enter');
        expect(await page.getByRole('status').innerText()).to.include('Guardado');
        await picture(page, 'console-product-announced');
        await page.context().close();
      });

      it('integrates a channel by its pages alone: credentials, a webhook, a failure understood', async () => {
        const partner = { name: 'Carla Loja', role: 'partner', channelLink: 'canal-demo' } as const;
        const page = await open(`${api().url}${await linkFor(api().memory, partner)}`, {
          script: false,
          size: 'phone',
        });
        await page.getByRole('button', { name: 'Entrar' }).click();
        await page.getByRole('link', { name: 'Credenciais' }).click();
        await page.getByRole('link', { name: 'Novas credenciais' }).click();
        await page.getByLabel('Nome do programa').fill('Loja virtual');
        await page.keyboard.press('Enter');
        const secret = await page.locator('.secret').innerText();
        const clientId = await page.locator('.facts dd').first().innerText();
        await picture(page, 'console-partner-client');
        await page.reload();
        expect(await page.locator('.secret').count()).to.equal(0);

        await page.getByRole('link', { name: 'Webhooks' }).click();
        await page.getByRole('link', { name: 'Novo webhook' }).click();
        await page
          .getByRole('textbox', { name: 'Endereço' })
          .fill('https://ana:segredo@parceiro.example/hooks');
        await page.keyboard.press('Enter');
        const fault = page.getByRole('alert').getByRole('link');
        expect(await fault.first().innerText()).to.include('usuário nem senha');
        await page
          .getByRole('textbox', { name: 'Endereço' })
          .fill('https://parceiro.example/hooks');
        await page.keyboard.press('Enter');
        expect(await page.locator('.secret').innerText()).to.match(/^whsec_/);
        await page.getByRole('button', { name: 'Enviar um teste' }).click();
        await page.getByText('Um evento de teste').waitFor();
        await api().memory.runJobs();
        await page.reload();
        expect(await page.getByRole('cell').first().innerText()).to.include('webhook.test');
        await picture(page, 'console-partner-webhook');

        const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
        const sent = await fetch(`${api().url}/api/private/integration/sale`, {
          method: 'POST',
          headers: { authorization, 'Content-Type': 'application/json' },
          body: '{"product":{"code":"INGRESSO"}}',
        });
        expect(sent.status).to.equal(422);
        await page.getByRole('link', { name: 'Requisições' }).click();
        const row = page.getByRole('row').filter({ hasText: clientId });
        expect(await row.innerText())
          .to.include('insured')
          .and.include('o campo falta');
        await picture(page, 'console-partner-requests');
        await page.getByRole('link', { name: 'O que falta' }).click();
        await page.goto(`${api().url}/console/readiness?client=${clientId}`);
        await page.getByText('passos feitos').waitFor();
        await picture(page, 'console-partner-readiness');
        await page.context().close();
      });

      /** Pages of all kinds, with what they show. */
      const preparePages = makeOnce(async (): Promise<readonly (readonly [string, string])[]> => {
        const long = `${'Maria Aparecida das Graças '.repeat(3)}Silva`.slice(0, 100);
        const invitation = await invite(
          `${'a'.repeat(60)}@${'muito-longo'.repeat(5)}.example.com`,
          long,
        );
        const people = await api().memory.people.list();
        const { personId } = people.find(({ name }) => name === long) ??
          people[0] ?? { personId: '' };
        const sell = async (over: object): Promise<void> => {
          await api().post(CREATE, mainBody(over as never), await api().bearer());
        };
        await sell({ nomeCompleto: long.slice(0, 60), numeroIngresso: 'B-1' });
        await api().post('/seguros/seguro-celular/create', phoneOrder(), await api().bearer());
        await sell({ numeroIngresso: 'B-2' });
        const { memory } = api();
        const short = soldIn(await memory.useCases.sell(phoneSale()));
        const { chargeId = '' } = short.payment;
        await memory.sandbox.payOnPage(chargeId, 'pix', undefined, 'once', cents(80));
        await api().memory.runJobs();
        const { alerts, alertNotes, mailings } = api().memory;
        alerts.raise({ kind: 'sale_stuck', saleId: 3, tries: 25 });
        await alertNotes.flush();
        await settle(mailings, { saleId: 1, number: 0 }, 'undelivered', AT, '550 no such user');
        // What was sold is of yesterday, in the chart.
        memory.clock.advance(86_400);
        await memory.runJobs();
        await api().post(CREATE, mainBody({ email: 'sem arroba' }), await api().bearer());
        const [known] = await memory.clients.list({ channelLink: 'canal-demo', limit: 1 });
        const { clientId = '' } = known?.client ?? {};
        const { endpoint } = unwrap(
          await memory.useCases.manageWebhooks.create(
            'canal-demo',
            { url: 'https://parceiro.example/all' as WebhookUrl, events: ['*'] },
            ADMINISTRATOR,
          ),
        );
        await memory.useCases.manageWebhooks.test('canal-demo', endpoint.id);
        await memory.runJobs();
        return [
          ['sign-in', '/sign-in'],
          ['invitation', new URL(invitation).pathname.slice('/console'.length)],
          ['link', '/enter/abc'],
          ['start', ''],
          ['sales', '/sales'],
          ['sale', '/sales/1'],
          ['sale-with-link', '/sales/2'],
          ['no-sale', '/sales/99'],
          ['copy', '/sales/1/copy'],
          ['email', '/sales/1/email'],
          ['cancel', '/sales/1/cancel'],
          ['give-up', '/sales/2/give-up'],
          ['decide', `/sales/${short.id}/decide`],
          ['nothing-to-decide', '/sales/1/decide'],
          ['retry', '/sales/2/retry'],
          ['gateway', '/sales/2/gateway'],
          ['no-request', '/sales/1/approval'],
          ['wrong-filters', '/sales?from=x&to=y&status=paid'],
          ['alerts', '/alerts'],
          ['alert', '/alerts/1'],
          ['statements', '/statements'],
          ['refunds', '/refunds'],
          ['refund', '/sales/2/refund'],
          ['audit', '/audit'],
          ['catalogue', '/catalogue'],
          ['product', '/catalogue/products/INGRESSO'],
          ['product-change', '/catalogue/products/CELULAR/change'],
          ['channel-change', '/catalogue/channels/canal-demo/change'],
          ['new-product', '/catalogue/new-product'],
          ['withdrawal', '/catalogue/products/INGRESSO/withdraw?day=2027-01-01'],
          ['taxes', '/taxes'],
          ['clients', '/clients'],
          ['new-client', '/clients/new'],
          ['client', `/clients/${clientId}`],
          ['revocation', `/clients/${clientId}/revoke`],
          ['rotation', `/clients/${clientId}/rotate`],
          ['webhooks', '/webhooks'],
          ['new-webhook', '/webhooks/new'],
          ['webhook', `/webhooks/${endpoint.id}`],
          ['pause', `/webhooks/${endpoint.id}/pause`],
          ['requests', '/requests?channel=canal-demo'],
          ['readiness', '/readiness?channel=canal-demo'],
          ['as-channel', '/as/canal-demo'],
          ['as-channel-sale', '/as/canal-demo/sales/1'],
          ['as-channel-statements', '/as/canal-demo/statements'],
          ['people', '/people'],
          ['person', `/people/${personId}`],
          ['new-person', '/people/new'],
          ['unknown-person', '/people/nobody'],
          ['sessions', '/sessions'],
          ['proof', '/prove'],
        ];
      });

      const PARTS = [0, 1, 2];
      // Colours depend on the scheme alone, places on the size alone.
      for (const [size, colorScheme] of [
        ['desktop', 'light'],
        ['phone', 'dark'],
      ] as const)
        for (const part of PARTS)
          it(`finds no barrier (axe-core), and no page wider than the screen (${size}, ${part + 1} of ${PARTS.length})`, async () => {
            const pages = await preparePages.get();
            const page = await open(`${api().url}/console/sign-in`, { size });
            await page.emulateMedia({ colorScheme });
            await enter(page);
            for (const [name, path] of pages.filter((_, at) => at % PARTS.length === part)) {
              await page.goto(`${api().url}/console${path}`);
              await picture(page, `console-${size}-${colorScheme}-${name}`);
              expect(await page.evaluate(OVERFLOW), `width of ${name}`).to.be.at.most(0);
              expect(await violationsOn(page), name).to.deep.equal([]);
            }
            await page.context().close();
          });

      it('obeys its own policy: no script, no style and no address from elsewhere', async () => {
        const page = await open(`${api().url}/console/sign-in`, { obeysPolicy: true });
        await enter(page);
        await page.goto(`${api().url}/console/people/new`);
        expect(complaintsOf(page)).to.deep.equal([]);
        await page.context().close();
      });
    });
  });
});
