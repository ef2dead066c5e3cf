import { expect } from 'chai';
import { type Answer, CREATE, mainBody, quickStartBody, withApi } from '../../../support/api.ts';

const REQUIRED = Object.keys(mainBody());

describe('POST /seguros/ingresso-protegido/create', () => {
  withApi((api) => {
    let authorization: { Authorization: string };
    before(async () => {
      authorization = await api().bearer();
    });
    const create = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
      api().post(CREATE, body, { ...authorization, ...headers });

    it('registers a sale already paid, and returns its period and IOF', async () => {
      const { status, body } = await create(mainBody());
      expect(status).to.equal(200);
      expect(body.message).to.be.a('string').that.is.not.empty;
      expect(body.data.transaction_id).to.be.a('number');
      expect(body.data.ticket).to.be.a('string').that.is.not.empty;
      expect(body.data).to.deep.include({
        status: 'paid',
        pagamento_externo: true,
        vigencia: { inicio: '2026-11-20', fim: '2026-12-31' },
        calculo_iof: {
          valor_premio: 188.6,
          percentual_iof: 7.38,
          valor_iof: 13.92,
          valor_total: 202.52,
        },
      });
    });

    it('stores every field that was sent', async () => {
      const { body } = await create(
        mainBody({ nomeSocial: 'Mari', tipoIngresso: 'camarote', formaPagamento: 'debito' }),
      );
      const sale = await api().memory.sales.find('canal-demo', body.data.transaction_id);
      expect(sale?.terms.insured).to.deep.equal({
        name: 'Maria da Silva',
        socialName: 'Mari',
        taxId: '52998224725',
        birthDate: '1990-05-17',
        email: 'maria@example.com',
        phone: '+55 (11) 98765-4321',
        address: {
          street: 'Rua das Flores, 100',
          district: 'Centro',
          city: 'São Paulo',
          state: 'SP',
          postcode: '01001000',
        },
      });
      expect(sale?.terms).to.deep.include({
        insuredObject: { ticketType: 'camarote', ticketNumber: 'ABC-123', eventDate: '2026-12-31' },
        insuredAmount: 188_600,
        payment: { collectedBy: 'channel', method: 'debit', paidOn: '2026-11-20' },
      });
    });

    it('accepts a plan id as product id, because the product table lists both', async () => {
      expect((await create(mainBody({ productId: 11 }))).status).to.equal(200);
    });

    it('is neither changed nor misled by a field named `__proto__`', async () => {
      for (const [sent, code] of [
        ['"x"', 200],
        ['{"polluted":true}', 422],
      ] as const) {
        const text = JSON.stringify(mainBody()).replace('{', `{"__proto__":${sent},`);
        expect((await create(text)).status).to.equal(code);
        expect({}).not.to.have.property('polluted');
      }
    });

    for (const field of REQUIRED) {
      it(`requires ${field}, also if it is null`, async () => {
        for (const missing of [undefined, null]) {
          const { status, body } = await create(mainBody({ [field]: missing }));
          expect(status).to.equal(422);
          expect(body).to.deep.equal({ [field]: [`O campo ${field} é obrigatório.`] });
        }
      });
    }

    it('does not require a social name, and treats null as absent', async () => {
      expect((await create(mainBody({ nomeSocial: null }))).status).to.equal(200);
    });

    const FAULTS: readonly [string, unknown, RegExp][] = [
      ['nomeCompleto', 'ab', /no mínimo 3 caracteres/],
      ['nomeCompleto', 'a'.repeat(201), /no máximo 200 caracteres/],
      ['nomeCompleto', '   ', /no mínimo 3 caracteres/],
      ['nomeCompleto', ' Jo ', /no mínimo 3 caracteres/],
      ['nomeCompleto', 'Maria\u0000 da Silva', /caracteres de controle/],
      ['nomeCompleto', 'Maria\r\nBcc: x@example.com', /caracteres de controle/],
      ['nomeCompleto', 'Maria \ud800', /caracteres de controle/],
      ['nomeCompleto', '\u200b\u200b\u200b', /não pode ser vazio/],
      ['nomeCompleto', 'Maria \u202e', /caracteres de controle/],
      ['nomeCompleto', 'Maria \uffff da Silva', /caracteres de controle/],
      ['nomeCompleto', `Maria${'\u0301'.repeat(32)} da Silva`, /caracteres de controle/],
      ['nomeCompleto', 12, /deve ser um texto/],
      ['nomeCompleto', ['Maria da Silva'], /deve ser um texto/],
      ['productId', '1', /número inteiro/],
      ['productId', 1.5, /número inteiro/],
      ['productId', 0, /no mínimo 1/],
      ['productId', 99, /não encontrado/],
      ['productId', 3, /não encontrado/],
      ['cpfCnpj', '52998224726', /CPF ou CNPJ válido/],
      ['cpfCnpj', '529.982.247-25', /sem pontuação/],
      ['cpfCnpj', '12.ABC.345/01DE-35', /sem pontuação/],
      ['cpfCnpj', '12ABC34501DE36', /CPF ou CNPJ válido/],
      ['cpfCnpj', 52_998_224_725, /deve ser um texto/],
      ['dataNascimento', '17/05/1990', /AAAA-MM-DD/],
      ['dataNascimento', '2026-11-20', /passado/],
      ['email', 'maria', /e-mail válido/],
      ['email', 'maria@exa\nmple.com', /e-mail válido/],
      ['telefone', '\r\n1198765\n4321', /8 a 15 dígitos/],
      ['telefone', '1234567', /8 a 15 dígitos/],
      ['telefone', '12345678901234567', /8 a 15 dígitos/],
      ['uf', 'XX', /27 unidades federativas/],
      ['uf', 'sp', /27 unidades federativas/],
      ['cep', '01001-000', /8 dígitos/],
      ['cep', 1_001_000, /deve ser um texto/],
      ['dataPagamento', '2026-11-21', /não pode ser futura/],
      ['dataPagamento', '2026-02-30', /data válida/],
      ['dataPagamento', '0000-01-01', /data válida/],
      ['dataEvento', '2026-11-19', /não pode ser anterior/],
      ['formaPagamento', 'cheque', /credito, debito, pix, boleto/],
      ['tipoIngresso', 'Inteira', /inteira, meia, vip/],
      ['numeroIngresso', '', /no mínimo 1 caractere/],
      ['valorIngresso', -1, /maior que 0/],
      ['valorSeguro', 0, /maior que 0/],
      ['valorSeguro', -0.01, /maior que 0/],
      ['valorSeguro', 188.601, /duas casas decimais/],
      ['valorSeguro', 1e-7, /maior que 0/],
      ['valorSeguro', 1e300, /duas casas decimais/],
      ['valorSeguro', 100_000_000_001, /duas casas decimais/],
      ['valorSeguro', '188.60', /deve ser um número/],
    ];
    for (const [field, value, complaint] of FAULTS) {
      it(`refuses ${field} ${JSON.stringify(value).slice(0, 40)}, naming that field alone`, async () => {
        const { status, body } = await create(mainBody({ [field]: value }));
        expect(status).to.equal(422);
        expect(Object.keys(body)).to.deep.equal([field]);
        expect(body[field][0]).to.match(complaint);
      });
    }

    it('names every fault at once, also those between fields', async () => {
      const wrong = {
        nomeCompleto: undefined,
        productId: 99,
        dataPagamento: '2026-11-22',
        dataEvento: '2026-11-21',
        valorSeguro: 0,
        uf: 'XX',
      };
      const { status, body } = await create(mainBody({ ...wrong, dataNascimento: '2026-11-20' }));
      expect(status).to.equal(422);
      expect(body).to.have.all.keys(
        'nomeCompleto',
        'productId',
        'dataPagamento',
        'dataEvento',
        'valorSeguro',
        'uf',
        'dataNascimento',
      );
    });

    it('refuses a payment before the first known IOF rate at its date', async () => {
      const { status, body } = await create(mainBody({ dataPagamento: '2008-01-02' }));
      expect(status).to.equal(422);
      expect(body).to.have.all.keys('dataPagamento');
    });

    describe('with the quick-start body', () => {
      it('prices by the tariff on valorTotal, paid today', async () => {
        const { status, body } = await create(quickStartBody());
        expect(status).to.equal(200);
        expect(body.data).to.deep.include({
          status: 'paid',
          vigencia: { inicio: '2026-11-20', fim: '2026-12-31' },
          calculo_iof: {
            valor_premio: 124.46,
            percentual_iof: 7.38,
            valor_iof: 9.19,
            valor_total: 133.65,
          },
        });
        const sale = await api().memory.sales.find('canal-demo', body.data.transaction_id);
        expect(sale?.terms.insuredObject).to.deep.equal({
          eventName: 'Show',
          eventDate: '2026-12-31',
          eventTime: '21:30',
          eventAddress: 'Av. Paulista, 1000',
          musicalGenre: 'MPB',
          ticketType: 'vip',
          ticketNumber: 'ABC-123',
        });
      });

      it('charges the minimum for a cheap ticket, and finds the only product without a type', async () => {
        const cheap = {
          type: undefined,
          valorIngresso: '20,00',
          taxaConveniencia: undefined,
          valorTotal: '20',
        };
        const { body } = await create(quickStartBody(cheap));
        expect(body.data.calculo_iof.valor_premio).to.equal(5);
      });

      const QUICK_FAULTS: readonly [Record<string, unknown>, string, RegExp][] = [
        [{ type: 'CELULAR' }, 'type', /não encontrado/],
        [{ type: 'NADA' }, 'type', /não encontrado/],
        [{ eventDate: '2026-11-19' }, 'eventDate', /não pode estar no passado/],
        [{ eventTime: '24:00' }, 'eventTime', /HH:MM/],
        [{ birthDate: '2026-11-20' }, 'birthDate', /passado/],
        [{ cpfOrCnpj: '1' }, 'cpfOrCnpj', /CPF ou CNPJ/],
        [{ valorTotal: '1244.57' }, 'valorTotal', /soma de valorIngresso e taxaConveniencia/],
        [{ taxaConveniencia: undefined }, 'valorTotal', /soma/],
        [{ taxaConveniencia: '10.0.0' }, 'taxaConveniencia', /valor em reais/],
        [{ valorTotal: '1.244' }, 'valorTotal', /valor em reais/],
        [{ valorTotal: 1244.56 }, 'valorTotal', /deve ser um texto/],
        [
          { valorIngresso: '0', taxaConveniencia: '1', valorTotal: '1' },
          'valorIngresso',
          /maior que 0/,
        ],
        [{ eventName: undefined }, 'eventName', /obrigatório/],
      ];
      for (const [over, field, complaint] of QUICK_FAULTS) {
        it(`refuses ${JSON.stringify(over)} at ${field}`, async () => {
          const { status, body } = await create(quickStartBody(over));
          expect(status).to.equal(422);
          expect(Object.keys(body)).to.deep.equal([field]);
          expect(body[field][0]).to.match(complaint);
        });
      }

      it('is chosen only if nomeCompleto is absent', async () => {
        const { status, body } = await create({
          ...quickStartBody(),
          nomeCompleto: 'Maria da Silva',
        });
        expect(status).to.equal(422);
        expect(body)
          .to.include.keys('productId', 'valorSeguro')
          .and.not.have.any.keys('type', 'eventDate');
      });
    });
  });
});
