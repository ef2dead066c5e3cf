import { expect } from 'chai';
import { CREATE, mainBody, withApi } from '../../support/api.ts';
import { entry } from '../../support/identity.ts';
import { ANA, linkFor } from '../../support/people.ts';
import { Visitor } from '../../support/visitor.ts';
import { readSheets } from '../../support/xlsx.ts';

describe('the audit log in the console', () => {
  withApi((api) => {
    const enter = async (): Promise<Visitor> => {
      const visitor = new Visitor(api().url);
      await visitor.post(await linkFor(api().memory, ANA));
      return visitor;
    };
    const read = async (visitor: Visitor, search = ''): Promise<string> =>
      (await visitor.get(`/console/audit${search}`)).text();

    it('says who did what, to what, and what changed, in words', async () => {
      const { memory } = api();
      await api().post(CREATE, mainBody(), await api().bearer());
      const changes = Array.from({ length: 6 }, (_, index) => ({
        ...{ field: `f${index}`, before: index === 0 ? null : 'antes', after: 'x'.repeat(200) },
      }));
      const subject = 'transaction/1';
      await memory.auditLog.append(
        entry({ action: 'sale.cancelled', subject, reason: '<b>motivo</b>', changes }),
      );
      const nobody = { ...entry().actor, name: null, address: null };
      await memory.auditLog.append(
        entry({ action: 'token.refused', actor: nobody, subject: null, changes: [] }),
      );
      const page = await read(await enter());
      for (const words of [
        ...['venda cancelada', '/console/sales/1"', '&lt;b&gt;motivo', 'f1: antes → x'],
        ...['e mais 2', 'desconhecido', 'entrada no console', 'Ana Lima ('],
      ])
        expect(page).to.include(words);
      expect(page).not.to.include('x'.repeat(81));
    });

    it('is filtered and read on, and says what is wrong in a filter', async () => {
      const { memory } = api();
      for (let count = 0; count < 55; count += 1)
        await memory.auditLog.append(entry({ action: 'webhook.replayed', subject: 'webhook/w' }));
      const visitor = await enter();
      const first = await read(visitor, '?action=webhook.replayed&subject=webhook/w');
      const rowsOn = (page: string): number => (page.match(/<tr role="row"><td/g) ?? []).length;
      expect(rowsOn(first)).to.equal(50);
      const [, next = ''] = /href="\/console\/audit(\?[^"]+)">Mais antigos/.exec(first) ?? [];
      expect(rowsOn(await read(visitor, next.replaceAll('&amp;', '&')))).to.equal(5);
      expect(await read(visitor, '?subject=webhook/none')).to.include('Nada com estes filtros');
      const day = memory.clock.today();
      expect(rowsOn(await read(visitor, `?from=${day}&to=${day}`))).to.equal(50);
      for (const bad of ['?action=x', '?subject=Maria da Silva', '?from=x', '?to=2026-99-99']) {
        const page = await visitor.get(`/console/audit${bad}`);
        expect([page.status, (await page.text()).includes('Confira')], bad).to.deep.equal([
          ...[422, true],
        ]);
        const file = await visitor.get(`/console/audit/file${bad}`);
        expect(file.status).to.equal(303);
      }
    });

    it('is given as a file that spreadsheets read', async () => {
      const { memory } = api();
      for (let count = 0; count < 501; count += 1)
        await memory.auditLog.append(entry({ action: 'mail.retried', subject: 'mailing/7-0' }));
      const visitor = await enter();
      const csv = await visitor.get('/console/audit/file?action=mail.retried&form=csv');
      expect(csv.headers.get('Content-Disposition')).to.include('filename="auditoria.csv"');
      const lines = (await csv.text()).trim().split('\r\n');
      expect(lines).to.have.length(502);
      expect(lines[1]).to.include('e-mail tentado de novo;admin-1;192.0.2.1;mailing/7-0');
      const xlsx = await visitor.get('/console/audit/file?action=mail.retried&form=xlsx');
      const [sheet] = await readSheets(new Uint8Array(await xlsx.arrayBuffer()));
      expect(JSON.stringify(sheet)).to.include('mailing/7-0');
    });
  });
});
