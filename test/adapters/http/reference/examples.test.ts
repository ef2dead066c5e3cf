import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { nameWebhook } from '../../../../adapters/http/events/describe-webhooks.ts';
import { EVENT_TYPES } from '../../../../application/events/partner-events.ts';
import type { Api } from '../../../support/api.ts';
import { ExampleRunner, type Played } from '../../../support/example-runner.ts';
import {
  type ExampleAnswer,
  type Examples,
  readExamples,
  writeExamples,
} from '../../../support/examples.ts';
import { comparable } from '../../../support/readme-answers.ts';
import { exampleApi, playScenario } from './scenario.ts';

/** RECORD=1 writes the answers into the examples, instead of comparing them. */
const IS_RECORDING = process.env['RECORD'] === '1';

const JSON_TYPE = 'application/json';

const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const ULID = /[0-9A-HJKMNP-TV-Z]{26}/g;

/** A value without the moments and the tickets in its texts, also in those of tables. */
const withoutRun = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(INSTANT, 'INSTANT').replaceAll(ULID, 'ULID'));

/** What an example shows and what the service answered, without what differs at each run. */
const sidesOf = ({ example, status, headers, body }: Played) => {
  const { headers: shownHeaders = {}, body: shownBody = null } = example.answer;
  const shown = { status: example.status, headers: shownHeaders, body: shownBody };
  const given = JSON.stringify(withoutRun({ status, headers, body: body ?? null }));
  const sides = comparable([withoutRun(shown)], given, 0);
  return { ...sides, agree: isDeepStrictEqual(sides.printed, sides.shown) };
};

const answerToShow = (played: Played): ExampleAnswer => {
  const { example, headers, body } = played;
  if (sidesOf(played).agree) return example.answer;
  const { headers: _, body: __, ...kept } = example.answer;
  return {
    ...kept,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
  };
};

/** The examples of an operation, with the answers that the service gave. */
const withAnswers = (examples: Examples, played: readonly Played[]): Examples => {
  const answers: Record<string, Record<string, ExampleAnswer>> = {};
  for (const each of played) {
    const { status, example } = each;
    answers[status] = { ...answers[status], [example.name]: answerToShow(each) };
  }
  return { ...examples, answers };
};

describe('the examples of the OpenAPI documents', () => {
  let api: Api;
  let runner: ExampleRunner;

  before(async () => {
    api = await exampleApi();
    runner = await ExampleRunner.start(api, IS_RECORDING);
    await playScenario(runner);
    if (!IS_RECORDING) return;
    for (const [operation, examples] of runner.files)
      writeExamples(operation, withAnswers(examples, playedOf(operation)));
  });
  after(() => api.stop());

  const playedOf = (operation: string): readonly Played[] =>
    runner.played.filter((each) => each.operation === operation);

  it('exist for every operation, and for no other', () => {
    const files = [...readExamples().keys()];
    expect(files).to.have.members([...runner.operations.keys(), ...EVENT_TYPES.map(nameWebhook)]);
  });

  it('belong to operations with a description', () => {
    const bare = [...runner.operations].filter(([, { shape }]) => !shape.description);
    expect(bare.map(([name]) => name)).to.deep.equal([]);
  });

  it('show every answer of success, and a refusal where the operation has one of its own', () => {
    const missing = [...runner.operations].flatMap(([name, { shape }]) => {
      const described = Object.keys(shape.responses);
      const shown = Object.keys(runner.files.get(name)?.answers ?? {});
      const hasRefusal = shown.some((status) => Number(status) >= 400);
      return [
        ...described.filter((status) => status.startsWith('2') && !shown.includes(status)),
        ...(described.some((status) => OWN_REFUSALS.has(status)) && !hasRefusal ? ['4xx'] : []),
      ].map((status) => `${name} ${status}`);
    });
    expect(missing).to.deep.equal([]);
  });

  it('are each sent once, and each request has an answer of its name', () => {
    for (const [name, { request, answers = {} }] of runner.files) {
      const shown = Object.entries(answers).flatMap(([status, named]) => {
        return Object.keys(named).map((each) => `${status} ${each}`);
      });
      const played = playedOf(name).map(({ example }) => `${example.status} ${example.name}`);
      expect(played, name).to.have.members(shown);
      const answered = Object.values(answers).flatMap((named) => Object.keys(named));
      expect(answered, name).to.include.members(Object.keys(request));
    }
  });

  it('are answered as shown', function compare() {
    if (IS_RECORDING) this.skip();
    const wrong = runner.played.flatMap((played) => {
      const { agree, ...sides } = sidesOf(played);
      return agree ? [] : [{ operation: played.operation, example: played.example.name, ...sides }];
    });
    expect(wrong).to.deep.equal([]);
  });

  it('match the schemas of their operations', () => {
    const faults = runner.played.flatMap(({ operation: name, example }) => {
      const { request, status, answer } = example;
      const operation = runner.operations.get(name);
      if (operation === undefined) return [`${name} is no operation`];
      const sentType = request.headers?.['Content-Type'] ?? JSON_TYPE;
      const isShown = answer.request === undefined && request.body !== undefined;
      return [
        ...(isShown ? operation.faultsOfRequest(sentType, request.body) : []),
        ...(answer.body === undefined
          ? []
          : operation.faultsOfAnswer(
              status,
              answer.headers?.['Content-Type'] ?? JSON_TYPE,
              answer.body,
            )),
      ].map((fault) => `${name} ${example.name}: ${fault}`);
    });
    expect(faults).to.deep.equal([]);
  });
});

/** Statuses of refusals that only some operations have. */
const OWN_REFUSALS: ReadonlySet<string> = new Set(['404', '409', '422']);
