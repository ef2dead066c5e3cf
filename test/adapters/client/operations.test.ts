import { expect } from 'chai';
import { createInsuranceClient, detailsOf } from '../../../adapters/client/src/index.ts';
import { withApi } from '../../support/api.ts';

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string }>>>
  >;
}

const OPTIONS = { baseUrl: 'https://sales.example/api', clientId: 'id', clientSecret: 'secret' };

/** What the client does by itself. */
const OWN_WORK = ['createToken', 'refreshToken', 'introspectToken'];

describe("the client's methods", () => {
  withApi((api) => {
    it('are the operations of the document for partners', async () => {
      const { paths }: Document = (await api().call('/openapi.json')).body;
      const operations = Object.values(paths)
        .flatMap((methods) => Object.values(methods))
        .map(({ operationId }) => operationId);
      const methods = [...Object.keys(createInsuranceClient(OPTIONS)), ...OWN_WORK];
      expect(
        methods.filter((name) => name !== 'followEvents' && name !== 'getStatementFile'),
      ).to.have.members(operations);
    });
  });

  it('are not made of options that cannot be used', () => {
    for (const wrong of [
      { baseUrl: 'sales.example' },
      { baseUrl: 'ftp://sales.example' },
      { baseUrl: 'https://sales.example/api?x=1' },
      { clientId: '' },
      { clientSecret: '' },
      { timeoutMs: 0 },
      { retry: { attempts: Number.NaN } },
    ])
      expect(() => createInsuranceClient({ ...OPTIONS, ...wrong })).to.throw(TypeError);
    expect(() => detailsOf({})).to.throw(TypeError);
  });
});
