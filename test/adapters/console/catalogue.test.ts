import { expect } from 'chai';
import {
  choiceWords,
  DEFINITION_WORDS,
  ITEM_WORDS,
  valuesOf,
} from '../../../adapters/console/definitions/definition-words.ts';
import type { Field } from '../../../adapters/kit/contract/catalogue-fields.ts';
import { CHANNEL, PRODUCT } from '../../../adapters/kit/contract/catalogue-shapes.ts';
import { withApi } from '../../support/api.ts';
import { linkFor } from '../../support/people.ts';
import { Visitor } from '../../support/visitor.ts';

const PRODUCT_PAGE = '/console/catalogue/products/INGRESSO';
const CHANNEL_PAGE = '/console/catalogue/channels/canal-demo';

/** What a page would send, were it sent as it is. */
const fieldsIn = (page: string): Record<string, string> => {
  const decode = (text = ''): string =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  const inputs = [...page.matchAll(/<input [^>]*?name="([^"]+)" value="([^"]*)"/g)];
  const areas = [...page.matchAll(/<textarea [^>]*?name="([^"]+)"[^>]*>\n([^<]*)<\/textarea>/g)];
  const selects = [...page.matchAll(/<select [^>]*?name="([^"]+)"[^>]*>(.*?)<\/select>/g)].map(
    ([, name, options = '']) => ['', name, /value="([^"]*)" selected/.exec(options)?.[1] ?? ''],
  );
  return Object.fromEntries(
    [...inputs, ...areas, ...selects].map(([, name = '', value]) => [name, decode(value)]),
  );
};

const inside = function* (field: Field): Generator<Field> {
  for (const each of field.fields?.values() ?? []) {
    yield each;
    yield* inside(each);
  }
  if (field.item) yield* inside(field.item);
};

describe('the catalogue in the console', () => {
  it('has words for each field, each kind of item and each choice', () => {
    const fields = [...inside(PRODUCT), ...inside(CHANNEL)];
    const names = [...new Set(fields.map(({ name }) => name))].sort();
    expect(Object.keys(DEFINITION_WORDS)).to.deep.equal(names);
    const lists = fields.filter(({ item }) => item?.fields).map(({ name }) => name);
    expect(Object.keys(ITEM_WORDS)).to.have.members([...new Set(lists)]);
    const words = new Set(['bilhete', 'estipulante', 'corretor', 'representante', 'isento']);
    for (const value of fields.flatMap(valuesOf))
      expect(words.has(value) || choiceWords(value) !== value, value).to.equal(true);
  });

  withApi((api) => {
    const enter = async (): Promise<Visitor> => {
      const visitor = new Visitor(api().url);
      await visitor.post(await linkFor(api().memory));
      return visitor;
    };
    const read = async (visitor: Visitor, path: string): Promise<string> =>
      (await visitor.get(path)).text();
    const send = async (
      visitor: Visitor,
      path: string,
      fields: Record<string, string>,
      act: string,
    ) => {
      const answer = await visitor.post(path, { ...fields, act });
      const page = await answer.text();
      return { status: answer.status, page, location: answer.headers.get('Location') };
    };
    const product = async () => {
      const { products } = await api().memory.catalogue.current();
      return products.find(({ code }) => code === 'INGRESSO');
    };

    it('changes nothing when each form is sent as it was shown', async () => {
      const visitor = await enter();
      const list = await read(visitor, '/console/catalogue');
      const pages = [...list.matchAll(/href="(\/console\/catalogue\/[^"]+\/[^"]+)"/g)];
      expect(pages.length).to.be.greaterThan(3);
      for (const [, path = ''] of pages) {
        const change = `${path}/change`;
        const fields = fieldsIn(await read(visitor, change));
        const reviewed = await send(visitor, change, fields, 'review');
        expect([reviewed.status, reviewed.page.includes('Nada muda.')], path).to.deep.equal([
          ...[200, true],
        ]);
        const saved = await send(visitor, change, fieldsIn(reviewed.page), 'save');
        expect(saved.location).to.equal(`${path}?done=unchanged`);
        expect(await read(visitor, `${path}?done=unchanged`)).to.include('Nada mudou');
      }
    });

    it('shows what a change does, in words and to the cent, and stores it once', async () => {
      const visitor = await enter();
      const change = `${CHANNEL_PAGE}/change`;
      const fields = fieldsIn(await read(visitor, change));
      const rate = Object.keys(fields).find((name) => name.endsWith('commissions.0.rate')) ?? '';
      const changed = { ...fields, name: 'Canal novo', [rate]: '12,5' };
      const { page, status } = await send(visitor, change, changed, 'review');
      expect(status).to.equal(200);
      expect(page)
        .to.include('Canal novo')
        .and.include('12,5 %')
        .and.match(/<del>R\$.[\d,.]+<\/del> R\$/)
        .and.include('assim que for guardado');
      // Nothing is stored by looking.
      expect((await api().memory.catalogue.load()).versions.filter(({ version }) => version > 1)).to
        .be.empty;
      const back = await send(visitor, change, fieldsIn(page), 'edit');
      expect(fieldsIn(back.page)).to.include({ name: 'Canal novo', [rate]: '12,5' });

      const saved = await send(visitor, change, fieldsIn(page), 'save');
      expect(saved.location).to.equal(`${CHANNEL_PAGE}?done=replaced`);
      const { channels } = await api().memory.catalogue.current();
      expect(channels.get('canal-demo')).to.include({ name: 'Canal novo', version: 2 });
      const [entry] = await api().memory.auditLog.list({ limit: 1 });
      expect(entry).to.include({ action: 'channel.put', subject: 'channel/canal-demo' });
      expect(entry?.actor.name).to.include('Ana');
    });

    it('announces a version for a day, shows both side by side, and withdraws it', async () => {
      const visitor = await enter();
      const change = `${PRODUCT_PAGE}/change`;
      const fields = fieldsIn(await read(visitor, change));
      const ahead = { ...fields, 'plans.0.name': 'Plano de janeiro', effectiveFrom: '2027-01-01' };
      const { page } = await send(visitor, change, ahead, 'review');
      expect(page)
        .to.include('em 01/01/2027, à meia-noite')
        .and.include('Plano de janeiro')
        // What a customer pays today, and why it is another price then.
        .and.match(/<del>R\$.107,38<\/del> R\$.100,00/)
        .and.include('IOF de 7,38 % para 0 %; o produto');
      const atOnce = await send(
        visitor,
        change,
        { ...ahead, effectiveFrom: '2026-11-20' },
        'review',
      );
      expect(atOnce.page).to.include('assim que for guardado').and.not.include('meia-noite');
      await send(visitor, change, fieldsIn(page), 'save');
      const shown = await read(visitor, PRODUCT_PAGE);
      expect(shown)
        .to.include('desde 01/01/2027')
        .and.include('anunciada')
        .and.include('Plano de janeiro');
      expect(await read(visitor, '/console/catalogue')).to.include('outra versão em 01/01/2027');
      const january = await read(visitor, `${PRODUCT_PAGE}?on=2027-01-02&insuredAmount=2.000,00`);
      expect(january)
        .to.match(/R\$.200,00/)
        .and.include('Definição em 02/01/2027');

      const withdraw = `${PRODUCT_PAGE}/withdraw`;
      expect(await read(visitor, `${withdraw}?day=2027-01-01`)).to.include('deixa de existir');
      const asked = fieldsIn(await read(visitor, `${withdraw}?day=2027-01-01`));
      const other = { ...ahead, 'plans.0.name': 'Plano de outra pessoa' };
      const replaced = await send(visitor, change, other, 'review');
      await send(visitor, change, fieldsIn(replaced.page), 'save');
      const late = await visitor.post(withdraw, asked);
      expect([late.status, (await late.text()).includes('Outra pessoa')]).to.deep.equal([
        409,
        true,
      ]);
      const seen = fieldsIn(await read(visitor, `${withdraw}?day=2027-01-01`));
      const done = await visitor.post(withdraw, seen);
      expect(done.headers.get('Location')).to.equal(`${PRODUCT_PAGE}?done=withdrawn`);
      const again = await visitor.post(withdraw, seen);
      expect([again.status, await again.text()]).to.satisfy(
        ([status, text]: [number, string]) =>
          status === 409 && text.includes('Nada está anunciado'),
      );
      for (const day of ['', '2027-02-30', 'x'])
        expect((await visitor.get(`${withdraw}?day=${day}`)).status).to.equal(404);
    });

    it('says every fault beside its field, by its label, and keeps what was typed', async () => {
      const visitor = await enter();
      const change = `${PRODUCT_PAGE}/change`;
      const fields = fieldsIn(await read(visitor, change));
      const faulty = {
        ...fields,
        'plans.0.code': 'com espaço',
        'registration.insurer.cnpj': '123',
        commissionCap: 'muito',
        attributes: '{ "type": ',
        'plans.0.maxInstallments': '0',
        effectiveFrom: 'amanhã',
      };
      const { status, page } = await send(visitor, change, faulty, 'review');
      expect(status).to.equal(422);
      for (const path of Object.keys(faulty).filter(
        (name) => !(name in fields) || faulty[name as keyof typeof faulty] !== fields[name],
      ))
        expect(page, path).to.include(`href="#${path}"`).and.include(`id="${path}-fault"`);
      expect(page)
        .to.include('Planos 1, Código')
        .and.include('Máximo das comissões')
        .and.include('name="commissionCap" value="muito"')
        .and.include('{ &quot;type&quot;:');
    });

    it('adds and removes plans and coverages without script', async () => {
      const visitor = await enter();
      const change = `${PRODUCT_PAGE}/change`;
      const fields = fieldsIn(await read(visitor, change));
      const plans = (page: string): number =>
        new Set([...page.matchAll(/name="plans\.(\d+)\.code"/g)].map(([, at]) => at)).size;
      const before = plans(await read(visitor, change));
      const added = await send(visitor, change, fields, 'add:plans');
      expect(plans(added.page)).to.equal(before + 1);
      const kinds = await send(visitor, change, fieldsIn(added.page), 'add:plans.0.includes');
      expect(kinds.page).to.include('name="plans.0.includes.0.premiumShare"');
      // An empty item is still one: it is faulty, and not forgotten.
      const review = await send(visitor, change, fieldsIn(added.page), 'review');
      expect(review.status).to.equal(422);
      expect(review.page).to.include(`href="#plans.${before}.code"`);
      const removed = await send(visitor, change, fieldsIn(added.page), `remove:plans.${before}`);
      expect(fieldsIn(removed.page)).to.deep.equal(fields);
      const none = await send(visitor, change, fields, 'remove:plans.0');
      expect((await send(visitor, change, fieldsIn(none.page), 'review')).status).to.equal(
        before > 1 ? 409 : 422,
      );
      for (const act of ['length', 'map', '0.includes.length', 'length.x', 'constructor'].flatMap(
        (place) => [`add:plans.${place}`, `remove:plans.${place}`],
      ))
        expect((await send(visitor, change, fields, act)).status, act).to.be.oneOf([200, 422]);
      for (const act of [
        'add:plans.9.includes',
        'add:__proto__',
        'remove:x',
        'add:name',
        'nothing',
      ])
        expect((await send(visitor, change, fields, act)).status, act).to.be.oneOf([200, 422]);
    });

    it('answers strange forms with a page, and soon', async () => {
      const visitor = await enter();
      const change = `${PRODUCT_PAGE}/change`;
      const fields = fieldsIn(await read(visitor, change));
      const levels = (open: string, close: string) => open.repeat(3_000) + close.repeat(3_000);
      for (const strange of [
        { attributes: '{"__proto__":{"type":"object"},"type":"object"}' },
        { attributes: levels('[', ']') },
        { attributes: `${levels('{"properties":', '}')}` },
        { attributes: '[1,2]' },
        { pricingBasis: 'constructor' },
        { 'plans.0.tariff.kind': '__proto__' },
        { 'plans.__proto__.code': 'X', 'plans.99999999999.code': 'X', '....': 'x' },
        Object.fromEntries(
          Array.from({ length: 1_500 }, (_, at) => [`plans.${at}.code`, `P${at}`]),
        ),
        { 'plans.0.code': ['a', 'b'].join('\u0000') },
      ])
        for (const act of ['review', 'save', 'add:plans']) {
          const { status, page } = await send(visitor, change, { ...fields, ...strange }, act);
          expect(status, JSON.stringify(strange).slice(0, 60)).to.be.oneOf([200, 409, 422]);
          expect(page).not.to.include('[object Object]').and.not.include('[native code]');
          expect(page.length).to.be.below(2_000_000);
        }
      for (const path of [PRODUCT_PAGE, CHANNEL_PAGE])
        expect(await read(visitor, `${path}?done=constructor`)).not.to.include('native code');
      expect((await product())?.version).to.equal(1);
    });

    it('copies a product into a new one, with a name that nothing has', async () => {
      const visitor = await enter();
      const path = '/console/catalogue/new-product';
      const fields = fieldsIn(await read(visitor, `${path}?like=INGRESSO`));
      const bad = await send(visitor, path, { ...fields, code: 'sem nome!' }, 'review');
      expect(bad.page)
        .to.include('href="#code"')
        .and.include('O campo Código deve começar com letra ou dígito');
      const taken = await send(visitor, path, { ...fields, code: 'INGRESSO' }, 'review');
      expect(taken.page).to.include('Já existe no catálogo');
      const fresh = { ...fields, code: 'SHOW', id: '4711', line: 'show' };
      for (const name of Object.keys(fields).filter((each) => /^plans\.\d+\.id$/.test(each)))
        Object.assign(fresh, { [name]: String(5_000 + Number(name.split('.')[1])) });
      const { page, status } = await send(visitor, path, fresh, 'review');
      expect(status).to.equal(200);
      expect(page).to.include('Novo no catálogo').and.include('Nenhum canal vende isto');
      const saved = await send(visitor, path, fieldsIn(page), 'save');
      expect(saved.location).to.equal('/console/catalogue/products/SHOW?done=created');
    });

    it('tells two people who change one thing at once, and what else does not fit', async () => {
      const visitor = await enter();
      const change = `${CHANNEL_PAGE}/change`;
      const fields = fieldsIn(await read(visitor, change));
      const reviewed = async (name: string) =>
        fieldsIn((await send(visitor, change, { ...fields, name }, 'review')).page);
      const [one, other] = [await reviewed('Primeiro'), await reviewed('Segundo')];
      expect((await send(visitor, change, one, 'save')).status).to.equal(303);
      const late = await send(visitor, change, other, 'save');
      expect(late.page)
        .to.include('Outra pessoa mudou isto')
        .and.include('Primeiro')
        .and.include('Segundo');
      expect((await send(visitor, change, fieldsIn(late.page), 'save')).status).to.equal(303);

      const base = fieldsIn(await read(visitor, `${PRODUCT_PAGE}/change`));
      const conflict = await send(
        visitor,
        `${PRODUCT_PAGE}/change`,
        { ...base, commissionCap: '0,01' },
        'review',
      );
      expect(conflict.status).to.equal(409);
      expect(conflict.page).to.include('do canal canal-demo').and.include('O restante do catálogo');
      expect((await product())?.version).to.equal(1);
    });

    it('adds a rate of IOF after saying what it does, and refuses one that cannot be', async () => {
      const visitor = await enter();
      const path = '/console/taxes';
      expect(await read(visitor, path))
        .to.include('7,38 %')
        .and.include('em vigor')
        .and.include('com o serviço');
      const row = { iofClass: 'general', from: '2026-12-01', rate: '8,1', legalBasis: 'Decreto 1' };
      const asked = await send(visitor, path, row, 'review');
      expect(asked.page)
        .to.include('8,1 %')
        .and.include('em vez de 7,38 %')
        .and.include('01/12/2026');
      expect((await api().memory.catalogue.load()).addedIofRates).to.be.empty;
      const saved = await send(visitor, path, fieldsIn(asked.page), 'save');
      expect(saved.location).to.equal(`${path}?done=added`);
      expect(await read(visitor, `${path}?done=added`))
        .to.include('anunciada')
        .and.include('8,1 %')
        .and.include('foi acrescentada');
      // Two people have opened the same rate. The second to save is told what the first has stored.
      const second = await send(visitor, path, fieldsIn(asked.page), 'review');
      const third = { ...fieldsIn(second.page), rate: '9', legalBasis: 'Decreto 2' };
      await send(visitor, path, { ...fieldsIn(second.page), rate: '8,2' }, 'save');
      const stale = await send(visitor, path, third, 'save');
      expect(stale.page).to.include('Outra pessoa mudou isto').and.include('em vez de 8,2 %');
      const bad = { iofClass: 'carros', from: '2020-01-01', rate: 'pouca', legalBasis: '' };
      for (const act of ['review', 'save']) {
        const refused = await send(visitor, path, bad, act);
        expect(refused.status).to.equal(422);
        for (const name of ['iofClass', 'rate', 'legalBasis'])
          expect(refused.page, name).to.include(`href="#${name}"`);
      }
      expect(await read(visitor, `${path}/file?form=csv`)).to.include('geral;01/12/2026;8,2 %;');
      const past = await send(visitor, path, { ...row, from: '2026-11-01' }, 'save');
      expect(past.page).to.include('href="#from"');
    });

    it('knows no other names, and asks for days and amounts that can be read', async () => {
      const visitor = await enter();
      for (const path of ['products/NADA', 'channels/nada', 'products/NADA/change'])
        expect((await visitor.get(`/console/catalogue/${path}`)).status, path).to.equal(404);
      const faulty = await visitor.get(`${PRODUCT_PAGE}?on=x&price=y&insuredAmount=-1`);
      expect(faulty.status).to.equal(422);
      expect((await visitor.get(`${PRODUCT_PAGE}?on=9999-12-31`)).status).to.equal(422);
      expect((await visitor.get('/console/catalogue/new-channel')).status).to.equal(200);
    });
  });
});
