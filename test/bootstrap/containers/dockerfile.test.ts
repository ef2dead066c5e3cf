import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ValidationSeverity, validate } from 'dockerfile-utils';
import {
  type Instruction,
  readDockerfile,
  readExecForm,
  readIgnoreFile,
  readPairs,
} from '../../support/dockerfile.ts';
import { startCommand } from '../../support/start-command.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const DOCKERFILE = read('.docker/Dockerfile');

const all = (keyword: string): readonly Instruction[] =>
  readDockerfile(DOCKERFILE).flatMap(({ instructions }) =>
    instructions.filter((each) => each.keyword === keyword),
  );

const textsOf = (keyword: string): readonly string[] => all(keyword).map(({ text }) => text);

describe('the Dockerfile', () => {
  it('has no fault that a linter finds', () => {
    const { ERROR } = ValidationSeverity;
    const faults = validate(DOCKERFILE, {
      deprecatedMaintainer: ERROR,
      directiveCasing: ERROR,
      emptyContinuationLine: ERROR,
      instructionCasing: ERROR,
      instructionCmdMultiple: ERROR,
      instructionEntrypointMultiple: ERROR,
      instructionHealthcheckMultiple: ERROR,
      instructionJSONInSingleQuotes: ERROR,
      instructionWorkdirRelative: ERROR,
    });
    expect(faults).to.deep.equal([]);
  });

  it('begins with one image, pinned by digest: the Node with which the tests run', () => {
    const stages = readDockerfile(DOCKERFILE);
    const names = stages.map(({ name }) => name);
    const images = stages.map(({ from }) => from).filter((from) => !names.includes(from));
    expect(images).to.have.length(1);
    expect(images[0]).to.match(/^node:\d+\.\d+\.\d+-slim@sha256:[0-9a-f]{64}$/);
    const { version } = JSON.parse(read('node_modules/node/package.json')) as { version: string };
    expect(images[0]).to.include(`:${version}-slim@`);
    const [labels = ''] = textsOf('LABEL');
    expect(readPairs(labels)['org.opencontainers.image.base.name']).to.include(`:${version}-slim`);
  });

  it('installs exactly what the lock file names, without running scripts of packages', () => {
    const installs = textsOf('RUN').filter((text) => /\bnpm\b/.test(text));
    expect(installs).to.have.length(1);
    expect(installs[0]).to.match(/^npm ci\b.* --omit=dev\b.* --ignore-scripts\b/);
  });

  it('runs as a user that is no root, given by number, as Kubernetes needs it', () => {
    expect(textsOf('USER')).to.have.length(1);
    expect(textsOf('USER')[0]).to.match(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
    const last = readDockerfile(DOCKERFILE).at(-1)?.instructions ?? [];
    const afterUser = last.slice(last.findIndex(({ keyword }) => keyword === 'USER'));
    expect(afterUser.filter(({ keyword }) => ['RUN', 'COPY'].includes(keyword))).to.deep.equal([]);
  });

  it('starts Node itself, as npm start does, so that the signals of the engine reach it', () => {
    const { flags, file } = startCommand();
    expect(textsOf('ENTRYPOINT')).to.deep.equal([]);
    expect(textsOf('CMD').map(readExecForm)).to.deep.equal([['node', ...flags, file]]);
    expect(textsOf('STOPSIGNAL')).to.deep.equal(['SIGTERM']);
    const [check = ''] = textsOf('HEALTHCHECK');
    expect(readExecForm(check.replace('CMD ', ''))[0]).to.equal('node');
  });

  it('holds no secret, and fetches nothing but packages', () => {
    expect(textsOf('ADD')).to.deep.equal([]);
    expect(DOCKERFILE).not.to.match(/curl|wget|apt-get/);
    const names = [...textsOf('ARG'), ...textsOf('ENV')].join(' ');
    expect(names).not.to.match(/KEY|TOKEN|SECRET|PASSWORD|DATABASE_URL|SMTP_URL/);
  });
});

describe('the files that reach the image', () => {
  const isInContext = readIgnoreFile(read('.docker/Dockerfile.dockerignore'));

  it('are those of the service', () => {
    for (const path of [
      'package.json',
      'package-lock.json',
      'domain/package.json',
      'domain/src/index.ts',
      'bootstrap/ports.ts',
      'adapters/http/http-app.ts',
      'adapters/site/guide/pt-BR/cancel.md',
      'adapters/site/words/pt-BR.json',
      'bootstrap/guide/install.md',
      'bootstrap/guide/runbook.json',
      'CHANGELOG.md',
      'adapters/site/assets/guide.js',
      'adapters/http/reference/examples/createSale.json',
      'adapters/client/package.json',
      'bootstrap/main.ts',
      'bootstrap/admin.ts',
      'bootstrap/node-24.cjs',
    ])
      expect(isInContext(path), path).to.equal(true);
  });

  it('are no secret, data, history, test or tool of the repository', () => {
    for (const path of [
      '.env',
      '.data/signing-key.pem',
      '.git/config',
      '.npmrc',
      'bootstrap/.env',
      'adapters/payment/key.pem',
      'application/notes.txt',
      'node_modules/koa/index.ts',
      'adapters/client/node_modules/typescript/lib/typescript.d.ts',
      'adapters/client/src/index.ts',
      'adapters/memory/clock.ts',
      'adapters/partner/program.ts',
      'test/support/service.ts',
      '.docker/compose.yaml',
    ])
      expect(isInContext(path), path).to.equal(false);
  });
});
