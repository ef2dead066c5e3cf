import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { expect } from 'chai';
import { withApi } from '../../../../support/api.ts';
import { oddRequest, type Sent } from '../../../../support/odd-requests.ts';

/** `RECORD=1` writes the digests. `ANSWERS=file` writes each answer on a line of a file, to compare. */
const { FUZZ, RECORD, ANSWERS } = process.env;

/** `FUZZ=20000`: as many odd requests; at most those that were recorded. */
const REQUESTS = Number(FUZZ ?? (RECORD === '1' ? 20_000 : 1_500));

/** The answers of so many requests have one digest. */
const GROUP = 500;

const RECORDED = new URL('../../../../golden/odd-answers.json', import.meta.url);

/** What differs with every run: tokens, links, and the port. */
const OWN = /"(access|refresh)_token":"[^"]+"|127\.0\.0\.1:\d+|\/documents\/[^"]+/g;

const CHANGING_HEADERS = ['date', 'ratelimit-remaining', 'ratelimit-reset', 'content-length'];

const agent = new Agent({ keepAlive: true });

/** The answer as one text: status, headers in the order of their names, body. */
const ask = (url: string, { method, path, headers, body }: Sent): Promise<string> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const kept = Object.entries(response.headers)
          .filter(([name]) => !CHANGING_HEADERS.includes(name))
          .sort(([one], [other]) => (one < other ? -1 : 1));
        const text = Buffer.concat(chunks).toString('latin1').replaceAll(OWN, '');
        resolve(JSON.stringify([response.statusCode, kept, text]).replaceAll(OWN, ''));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

describe('odd requests to the routes that sell', function () {
  this.timeout(1_200_000);

  withApi(
    (api) => {
      it(`are answered as recorded: ${REQUESTS} of them`, async () => {
        const { Authorization = '' } = await api().bearer();
        const digests: string[] = [];
        const statuses = new Set<string>();
        let hash = createHash('sha256');
        for (let index = 0; index < REQUESTS; index += 1) {
          const sent = oddRequest(index, Authorization);
          const answers = [await ask(api().url, sent)];
          // A new sale answers otherwise than its repetition.
          if (sent.method === 'POST') answers.push(await ask(api().url, sent));
          for (const answer of answers) {
            hash.update(answer);
            statuses.add(answer.slice(1, 4));
            if (ANSWERS)
              appendFileSync(ANSWERS, `${index} ${sent.method} ${sent.path} ${answer}\n`);
          }
          if ((index + 1) % GROUP !== 0) continue;
          digests.push(hash.digest('base64url'));
          hash = createHash('sha256');
        }
        if (RECORD === '1') writeFileSync(RECORDED, `${JSON.stringify(digests, null, 2)}\n`);
        const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as readonly string[];
        expect(digests).to.deep.equal(recorded.slice(0, digests.length));
        expect(statuses).to.include.keys('200', '400', '401', '404', '405', '409', '415', '421');
        expect([...statuses].every((status) => status < '500')).to.equal(true);
      });
    },
    { rateLimit: 1_000_000 },
  );
});
