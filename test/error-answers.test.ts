import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { CREATE, withApi } from './support/api.ts';
import { errorAnswersSeen, findCodeFaults, takeFaults } from './support/error-answers.ts';

const answer = (headers: Record<string, string>, body?: Record<string, unknown>) => ({
  status: 422,
  headers: new Map(Object.entries(headers)),
  body,
});

const CODE = { 'x-error-code': 'validation_failed' };
const FIELDS = { ...CODE, 'x-error-fields': 'a=required, b.0.c=unknown' };
const HOUSE = { success: false, status_code: '422', code: 'validation_failed' };

describe('the check of all error answers', () => {
  it('finds nothing in answers with right codes', () => {
    const errors = { errors: { a: ['x', 'y'] }, error_codes: { a: ['required', 'unknown'] } };
    for (const right of [
      answer(CODE),
      answer(FIELDS, { a: ['…'] }),
      answer(FIELDS, { ...HOUSE, ...errors }),
      answer(FIELDS, { status_code: '422', error: 'invalid_request', errors: { a: ['x'] } }),
    ])
      expect(findCodeFaults(right)).to.deep.equal([]);
  });

  it('finds a missing or unknown code, and one of another status', () => {
    const house = { ...HOUSE, errors: { a: ['x', 'y'] } };
    for (const wrong of [
      answer({}),
      answer({ 'x-error-code': 'other' }),
      answer({ 'x-error-code': 'not_found' }),
      answer(CODE, { a: ['…'] }),
      answer({ ...CODE, 'x-error-fields': 'a=other' }),
      answer({ ...CODE, 'x-error-fields': 'a b=required' }),
      answer(FIELDS, { ...HOUSE, code: undefined }),
      answer(FIELDS, house),
      answer(FIELDS, { ...house, error_codes: { a: ['required'] } }),
      answer(FIELDS, { ...house, error_codes: { a: ['required', 'other'] } }),
      answer(FIELDS, { ...house, error_codes: { b: ['required', 'required'] } }),
    ])
      expect(findCodeFaults(wrong), JSON.stringify([...wrong.headers])).to.have.length.above(0);
  });

  it('sees an answer without a code of any server in this process', async () => {
    const server = createServer((_, response) => {
      response.writeHead(404, { 'X-Request-Id': 'x' }).end('{"status_code":"404"}');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/without-code`);
    server.close();
    expect(takeFaults('/without-code')).to.deep.equal([
      'GET /without-code: 404: X-Error-Code is none',
      'GET /without-code: 404: the body has the code undefined',
    ]);
  });

  withApi((api) => {
    it('sees the answers of the API, with and without a token', async () => {
      const before = errorAnswersSeen();
      await api().post(CREATE, {});
      await api().post(CREATE, {}, await api().bearer());
      expect(errorAnswersSeen() - before).to.equal(2);
    });
  });
});
