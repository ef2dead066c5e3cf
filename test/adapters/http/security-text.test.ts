import { expect } from 'chai';
import { withApi } from '../../support/api.ts';

const PATH = '/.well-known/security.txt';

describe('security.txt', () => {
  withApi(
    (api) => {
      it('names the contact, and ends within a year (RFC 9116)', async () => {
        const answer = await fetch(`${api().url}${PATH}`);
        expect(answer.headers.get('Content-Type')).to.equal('text/plain; charset=utf-8');
        expect((await answer.text()).split('\n')).to.deep.equal([
          'Contact: mailto:security@example.com',
          'Expires: 2027-05-20T00:00:00Z',
          'Preferred-Languages: pt, en',
          `Canonical: ${api().url}${PATH}`,
          '',
        ]);
      });
    },
    { fakes: { securityContact: 'mailto:security@example.com' } },
  );

  withApi((api) => {
    it('is not there without a contact', async () => {
      expect((await fetch(`${api().url}${PATH}`)).status).to.equal(404);
    });
  });
});
