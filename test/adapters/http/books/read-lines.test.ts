import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { type LineLimits, readLines } from '../../../../adapters/http/books/read-lines.ts';
import { AnswerError } from '../../../../adapters/kit/contract/answer-error.ts';
import type { ReadLine } from '../../../../adapters/kit/sheets/read-line.ts';
import { processorTimeOf } from '../../../support/timing.ts';

type Body = string | Buffer | Iterable<Buffer> | AsyncIterable<Buffer>;

/** A request with this body. A text comes in chunks of `chunkBytes`. */
const requestOf = (body: Body, type: string, chunkBytes = 7): IncomingMessage => {
  const whole = typeof body === 'string' ? Buffer.from(body) : body;
  const chunks = Buffer.isBuffer(whole) ? chunksOf(whole, chunkBytes) : whole;
  const request = Readable.from(chunks, { objectMode: false, highWaterMark: 1 });
  return Object.assign(request, { headers: { 'content-type': type } }) as never;
};

function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';

const readAll = (
  body: Body,
  type: string,
  limits: Partial<LineLimits> = {},
  chunkBytes?: number,
): Promise<ReadLine[]> =>
  Array.fromAsync(readLines(requestOf(body, type, chunkBytes), { maxLines: 1_000, ...limits }));

/** Numbers of lines, each with its record or the code of its fault. */
const outline = (lines: readonly ReadLine[]): readonly (readonly [number, unknown])[] =>
  lines.map(({ line, record, fault }) => [line, record ?? fault?.code]);

const errorOf = async (read: () => Promise<unknown>): Promise<AnswerError> => {
  try {
    await read();
  } catch (error) {
    if (error instanceof AnswerError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('a list as NDJSON', () => {
  it('is read line by line, whatever ends the lines and however it is cut into chunks', async () => {
    const body = '\uFEFF{"a":1}\r\n\n  \r\n{"a":"é"}\n{"a":[2]}';
    for (const size of [1, 2, 5, 1_000])
      expect(outline(await readAll(body, NDJSON, {}, size))).to.deep.equal([
        [1, { a: 1 }],
        [4, { a: 'é' }],
        [5, { a: [2] }],
      ]);
  });

  it('may name its separator first, as Excel does', async () => {
    for (const [first, separator] of [
      ['sep=;', ';'],
      ['"sep=,"', ','],
      ['\uFEFFSEP=\t', '\t'],
    ] as const) {
      const body = `${first}\r\na${separator}b\r\n1,5${separator}2`;
      if (separator === ',') continue;
      expect(outline(await readAll(body, CSV)), first).to.deep.equal([[3, { a: '1,5', b: '2' }]]);
    }
    const { status, response } = (await errorOf(() => readAll('sep=|\na|b\n', CSV))) as never;
    expect([status, response]).to.not.include(200);
  });

  it('is in UTF-8 or, as Excel writes it, in windows-1252', async () => {
    const text = 'name,city\nJosé ’O’,São Luís\nMaria,Brasília\n';
    const windows = Buffer.from(text.replaceAll('’', '\u0092'), 'latin1');
    const expected = outline(await readAll(text, CSV));
    expect(expected[0]).to.deep.equal([2, { name: 'José ’O’', city: 'São Luís' }]);
    for (const type of [CSV, 'text/csv; charset=windows-1252', 'text/csv; charset="iso-8859-1"'])
      expect(outline(await readAll(windows, type)), type).to.deep.equal(expected);
    const told = outline(await readAll(windows, 'text/csv; charset=utf-8'));
    expect(told[0]).to.deep.equal([2, 'invalid_encoding']);
  });

  it('has faulty lines, which harm no other', async () => {
    const body = Buffer.concat([
      Buffer.from('{"a":\n[1]\n"x"\nnull\n{"a":"'),
      Buffer.from([0xe9]),
      Buffer.from(`"}\n{"long":"${'x'.repeat(100)}"}\n{"a":1}\n`),
    ]);
    expect(outline(await readAll(body, NDJSON, { maxLineBytes: 50 }))).to.deep.equal([
      [1, 'invalid_json'],
      [2, 'invalid_json'],
      [3, 'invalid_json'],
      [4, 'invalid_json'],
      [5, 'invalid_encoding'],
      [6, 'body_too_large'],
      [7, { a: 1 }],
    ]);
  });

  it('takes a line of exactly the largest size, and none that is longer', async () => {
    const line = '{"a":"12345"}';
    const limits = { maxLineBytes: line.length };
    const body = `${line}\n${line.replace('1', '11')}\n${line}`;
    expect(outline(await readAll(body, NDJSON, limits))).to.deep.equal([
      [1, { a: '12345' }],
      [2, 'body_too_large'],
      [3, { a: '12345' }],
    ]);
  });
});

describe('a list as CSV', () => {
  it('has its columns named by the header, with commas or semicolons', async () => {
    for (const separator of [',', ';'] as const) {
      const body = '\uFEFFid; name \r\n1;"José ""Zé""; 2\nlinhas"\r\n\r\n;;\r\n2;\r\n3;x;\r\n';
      const lines = await readAll(body.replaceAll(';', separator), CSV);
      expect(outline(lines)).to.deep.equal([
        [2, { id: '1', name: `José "Zé"${separator} 2\nlinhas` }],
        [6, { id: '2' }],
        [7, { id: '3', name: 'x' }],
      ]);
      expect(new Set(lines.map((each) => 'separator' in each && each.separator))).to.deep.equal(
        new Set([separator]),
      );
    }
  });

  it('has faulty lines, which harm no other', async () => {
    const lines = ['a,b', '1,é', '3', '4,5,6', 'x"y,7', '"z"w,8', '9,10', '"never,ends', '11,12'];
    const body = Buffer.concat([
      Buffer.from(`${lines.join('\n')}\n`),
      Buffer.from([0xe9, 0x2c, 0x31, 0x0a]),
      Buffer.from('13,"14"'),
    ]);
    for (const size of [1, 3, 1_000])
      expect(outline(await readAll(body, CSV, {}, size))).to.deep.equal([
        [2, { a: '1', b: 'é' }],
        [3, 'invalid_csv'],
        [4, 'invalid_csv'],
        [5, 'invalid_csv'],
        [6, 'invalid_csv'],
        [7, { a: '9', b: '10' }],
        [8, 'invalid_csv'],
        [9, { a: '11', b: '12' }],
        [10, 'invalid_encoding'],
        [11, { a: '13', b: '14' }],
      ]);
  });

  it('goes on after a quoted cell that does not end within the size of a line', async () => {
    const body = `a,b\n"1,2\n${'3,4\n'.repeat(20)}5,"6\n7"\n${'x'.repeat(60)}\n8,9\n`;
    const read = outline(await readAll(body, CSV, { maxLineBytes: 50 }));
    expect(read).to.deep.equal([
      [2, 'invalid_csv'],
      ...Array.from({ length: 20 }, (_, index) => [3 + index, { a: '3', b: '4' }]),
      [23, { a: '5', b: '6\n7' }],
      [25, 'body_too_large'],
      [26, { a: '8', b: '9' }],
    ]);
  });

  it('is read as csv-stringify writes it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(',', ';'),
        fc.boolean(),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.tuple(...['x', 'y'].map(() => fc.string({ unit: CELL_UNIT, maxLength: 8 })))),
        async (delimiter, quoted, chunkBytes, rows) => {
          const body = stringify(rows, {
            delimiter,
            quoted,
            header: true,
            columns: ['x', 'y'],
            record_delimiter: 'windows',
            quoted_match: '\n',
          });
          const read = await readAll(body, CSV, {}, chunkBytes);
          const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
          expect(read.map(({ record }) => record)).to.deep.equal(
            filled.map((cells) => {
              const [x, y] = cells.map((cell) => cell.replaceAll('\r\n', '\n'));
              return { ...(x && { x }), ...(y && { y }) };
            }),
          );
        },
      ),
    ));

  const HEADERS: readonly [string, string | Buffer][] = [
    ['with a column twice', 'a,b,a\n1,2,3'],
    [
      'with more than 500 columns',
      `${'x'
        .repeat(501)
        .split('')
        .map((x, at) => x + at)}\n`,
    ],
    ['with an open quote', '"a,b\n1,2'],
    ['that is no text', 'a,b\0'],
    ['that is longer than a line may be', `${'x'.repeat(300)}\n1`],
  ];
  for (const [what, body] of HEADERS)
    it(`is refused with a header ${what}`, async () => {
      const { status, code } = await errorOf(() => readAll(body, CSV, { maxLineBytes: 256 }));
      expect([status, code]).to.deep.equal([400, 'invalid_csv']);
    });

  const OTHER_FILES: readonly [what: string, start: string][] = [
    ['é uma planilha', 'PK\u0003\u0004 and more\n1'],
    ['é uma planilha antiga (.xls)', `\u00D0\u00CF\u0011\u00E0${'\0'.repeat(300)}`],
    ['está comprimido (gzip)', '\u001F\u008B\u0008\0\0\n'],
    ['está em HTML ou XML', '<html>'],
    ['está em UTF-16', '\u00FF\u00FEa\0\n\0'],
    ['está em UTF-16', 'a\0\n\0'],
    ['está em UTF-16', '\0a\0\n'],
  ];
  for (const [what, start] of OTHER_FILES)
    it(`is refused, in words, if the file ${what}`, async () => {
      for (const size of [1, 2, 1_000]) {
        const read = () => readAll(Buffer.from(start, 'latin1'), CSV, { maxLineBytes: 256 }, size);
        const { status, code, body } = await errorOf(read);
        expect([status, code]).to.deep.equal([400, 'invalid_csv']);
        expect((body as { response: string }).response).to.include(`O arquivo ${what}:`);
      }
    });

  it('is refused if a column stands twice, is inside another, or there are too many', async () => {
    const tooMany = Array.from({ length: 20_000 }, (_, index) => `c${index}`).join();
    for (const header of ['a,a', 'product,product.code', 'product.code,product', tooMany]) {
      const { result, ms } = await processorTimeOf(1_000, () =>
        errorOf(() => readAll(`${header}\n1,2\n`, CSV, {}, 65_536)),
      );
      const { status, code } = result;
      expect([status, code], header.slice(0, 40)).to.deep.equal([400, 'invalid_csv']);
      expect(ms, 'ms of processor time').to.be.below(1_000);
    }
  });

  it('without any line has no records', async () => {
    for (const body of ['', '\n\n', 'a,b', 'a,b\r\n'])
      expect(await readAll(body, CSV)).to.deep.equal([]);
  });
});

/** What ends a line in some program: on Windows, Python's `csv` writes CR CR LF. */
const LINE_END = fc.constantFrom('\n', '\r', '\r\n', '\r\r\n', '\n\r', '\n\n');

/** Lines of a CSV of two columns: good, blank, and faulty in their cells, quotes or bytes. */
const CSV_LINE = fc.constantFrom(
  ...['1,é', '2,"a ""b"""', '', ' ', ',', '"",', '"3\n4",5', '"6\r\r\n\r7","\n8"'],
  ...[
    '9',
    '1,2,3',
    'x"y,4',
    '"z"w,5',
    '"opens,6',
    '7,"opens',
    '8,"\r\n',
    '\u00ff,9"',
    '"\n\u00ff",1',
  ],
);

const NDJSON_LINE = fc.constantFrom('{"a":"1"}', '{"a":"é"}', '', ' ', '{', '[1]', '"\u00ff"');

/** Splits lines as editors do, each with its number from 1. */
const numbered = (text: string): readonly (readonly [number, string])[] =>
  text.split(/\r\n|\r|\n/).map((line, index) => [index + 1, line]);

const isFilled = (line: string): boolean => /[^\s",\uFEFF]/.test(line);

describe('every line of a list that is not blank', () => {
  const anyFile = (start: string, line: fc.Arbitrary<string>) =>
    fc.record({
      start: fc.constantFrom('', '\uFEFF').map((mark) => `${mark}${start}`),
      lines: fc.array(fc.tuple(line, LINE_END), { maxLength: 150 }),
      last: line,
      chunkBytes: fc.integer({ min: 1, max: 200 }),
    });
  /** `\u00ff` stands for a byte that is not UTF-8. */
  const bytesOf = (text: string): Buffer =>
    Buffer.concat(
      text.split('\u00ff').flatMap((part) => [Buffer.from([0xff]), Buffer.from(part)]),
    ).subarray(1);

  it('has an answer with its own number, once, or is inside a quoted cell', () =>
    fc.assert(
      fc.asyncProperty(LINE_END, anyFile('a,b', CSV_LINE), async (end, file) => {
        const { start, lines, last, chunkBytes } = file;
        const text = `${start}${end}${lines.flat().join('')}${last}`;
        const read = await readAll(bytesOf(text), 'text/csv; charset=utf-8', {}, chunkBytes);
        const answered = read.flatMap(({ line, record }) =>
          Object.values(record ?? {})
            .join('')
            .split('\n')
            .map((_, at) => line + at),
        );
        expect(answered).to.deep.equal([...new Set(answered)].sort((a, b) => a - b));
        const missing = numbered(text)
          .slice(1)
          .filter(([number, line]) => isFilled(line) && !answered.includes(number));
        expect(missing).to.deep.equal([]);
      }),
    ));

  it('is answered in NDJSON, too', () =>
    fc.assert(
      fc.asyncProperty(anyFile('', NDJSON_LINE), async ({ start, lines, last, chunkBytes }) => {
        const text = `${start}${lines.flat().join('')}${last}`;
        const read = await readAll(bytesOf(text), NDJSON, {}, chunkBytes);
        expect(read.map(({ line }) => line)).to.deep.equal(
          numbered(text)
            .filter(([, line]) => isFilled(line))
            .map(([number]) => number),
        );
      }),
    ));
});

/** Characters that matter to CSV, and some that do not. */
const CELL_UNIT = fc.constantFrom('a', 'é', '💡', ' ', '"', ',', ';', '\n', '\r\n', '=', "'");

describe('a list', () => {
  it('of another media type, charset or encoding is refused', async () => {
    const cases: readonly [Record<string, string>, string][] = [
      [{}, 'unsupported_media_type'],
      [{ 'content-type': 'application/json' }, 'unsupported_media_type'],
      [{ 'content-type': 'text/csv; charset=utf-16' }, 'invalid_encoding'],
      [{ 'content-type': 'application/x-ndjson; charset=latin1' }, 'invalid_encoding'],
      [{ 'content-type': 'text/csv', 'content-encoding': 'gzip' }, 'invalid_encoding'],
    ];
    for (const [headers, expected] of cases) {
      const request = Object.assign(Readable.from([]), { headers }) as never;
      const { status, code } = await errorOf(async () => readLines(request, { maxLines: 1 }));
      expect([status, code]).to.deep.equal([415, expected]);
    }
    for (const type of ['Text/CSV; header=present; charset="UTF-8"', 'application/jsonl'])
      expect(await readAll('', type)).to.deep.equal([]);
  });

  it('ends with 413 after its largest number of lines, which are handed over', async () => {
    const taken: ReadLine[] = [];
    const { status, code } = await errorOf(async () => {
      const request = requestOf('{}\n{\n{}\n', NDJSON);
      for await (const each of readLines(request, { maxLines: 2 })) taken.push(each);
    });
    expect([status, code, taken.length]).to.deep.equal([413, 'body_too_large', 2]);
  });

  it('lets others have their turn, and ends with 413, if it has nothing but blank lines', async () => {
    for (const type of [CSV, NDJSON]) {
      let worst = 0;
      let before = process.cpuUsage();
      const timer = setInterval(() => {
        const { user, system } = process.cpuUsage(before);
        worst = Math.max(worst, (user + system) / 1_000);
        before = process.cpuUsage();
      }, 1);
      const blanks = Buffer.from('\n'.repeat(200_000));
      const { status, code } = await errorOf(() => readAll(blanks, type, {}, 65_536));
      clearInterval(timer);
      expect([status, code], type).to.deep.equal([413, 'body_too_large']);
      expect(worst, `${type}, ms of processor time in a turn`).to.be.below(500);
    }
  });

  it('ends with 408 when the client sends less than 16 KiB in its time', async () => {
    async function* trickling(): AsyncGenerator<Buffer> {
      for (;;) {
        yield Buffer.from('{}\n');
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    const late = await errorOf(() => readAll(trickling(), NDJSON, { idleMs: 50 }));
    expect([late.status, late.code]).to.deep.equal([408, 'request_timeout']);
  });

  it('ends with 408 when the client stops sending, and with 400 when it disconnects', async () => {
    async function* stalled(): AsyncGenerator<Buffer> {
      yield Buffer.from('{}\n');
      await new Promise(() => {});
    }
    const late = await errorOf(() => readAll(stalled(), NDJSON, { idleMs: 20 }));
    expect([late.status, late.code]).to.deep.equal([408, 'request_timeout']);

    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('{}\n');
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    }
    const early = await errorOf(() => readAll(broken(), NDJSON));
    expect([early.status, early.code]).to.deep.equal([400, 'invalid_request']);
  });

  it('is taken from the client only as fast as it is read', async () => {
    let sent = 0;
    function* endless(): Generator<Buffer> {
      for (;;) {
        sent += 1;
        yield Buffer.from(`{"n":${sent}}\n`);
      }
    }
    const lines = readLines(requestOf(endless(), NDJSON), { maxLines: 1e9 });
    for (let line = 1; line <= 1_000; line += 1)
      expect((await lines.next()).value).to.deep.include({ line, record: { n: line } });
    expect(sent).to.be.lessThan(1_010);
    await lines.return(undefined);
  });

  for (const [what, start] of [
    ['a line without an end', '{"a":"'],
    ['a quoted cell without an end', 'a,b\n"'],
  ] as const)
    it(`needs little memory for ${what}`, async () => {
      const filler = Buffer.from('x'.repeat(65_536));
      function* large(): Generator<Buffer> {
        yield Buffer.from(start);
        for (let count = 0; count < 4_096; count += 1) yield filler;
      }
      let peak = 0;
      const watch = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().rss);
      }, 5);
      const before = process.memoryUsage().rss;
      const type = start.startsWith('{') ? NDJSON : CSV;
      for await (const each of readLines(requestOf(large(), type), { maxLines: 1e9 }))
        expect(each.fault).to.not.equal(undefined);
      clearInterval(watch);
      // The file has 256 MiB. A part of it waits for the garbage collector.
      expect((peak - before) / 2 ** 20).to.be.lessThan(160);
    });
});
