import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './children.ts';
import {
  type Instruction,
  readDockerfile,
  readExecForm,
  readIgnoreFile,
  readPairs,
  type Stage,
} from './dockerfile.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const isRoot = process.getuid?.() === 0;

/** Variables of this process that npm may need to reach its registry. */
const FOR_NPM =
  /^(HOME|npm_config_(registry|cache|userconfig|globalconfig)|NODE_EXTRA_CA_CERTS|\w*_proxy)$/i;

/** What a stage of a Dockerfile leaves behind. */
export interface Image {
  /** Holds the image's files: `/app` of the image is `app` in it. */
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

/**
 * Follows a Dockerfile without a container engine: the same COPY and RUN lines in the same order,
 * in folders instead of images. Absolute paths are taken as paths below the folder.
 */
class Build {
  readonly #folder = temporaryFolder();
  readonly #isInContext: (path: string) => boolean;
  readonly #images = new Map<string, Image>();
  readonly #programs = join(this.#folder, 'programs');

  constructor(ignoreFile: string) {
    this.#isInContext = readIgnoreFile(ignoreFile);
    // The image's user must reach its files.
    chmodSync(this.#folder, 0o755);
    // The Node that runs the tests, at a place that every user may read.
    mkdirSync(this.#programs);
    const node = join(this.#programs, 'node');
    try {
      linkSync(process.execPath, node);
    } catch {
      copyFileSync(process.execPath, node);
    }
  }

  async run(stages: readonly Stage[]): Promise<Image> {
    let image: Image | undefined;
    for (const [index, { from, name, instructions }] of stages.entries()) {
      image = this.#startFrom(from, join(this.#folder, String(index)));
      for (const instruction of instructions) image = await this.#follow(image, instruction);
      this.#images.set(name ?? String(index), image);
    }
    if (image === undefined) throw new Error('the Dockerfile has no stage');
    return image;
  }

  #startFrom(from: string, root: string): Image {
    const earlier = this.#images.get(from);
    if (earlier !== undefined) {
      cpSync(earlier.root, root, { recursive: true, verbatimSymlinks: true });
      return { ...earlier, root };
    }
    mkdirSync(root);
    const env = { PATH: this.#programs };
    return { root, workdir: '/', env, user: '', command: [], healthcheck: [] };
  }

  async #follow(image: Image, instruction: Instruction): Promise<Image> {
    const { keyword, text } = instruction;
    switch (keyword) {
      case 'WORKDIR':
        mkdirSync(join(image.root, text), { recursive: true });
        return { ...image, workdir: text };
      case 'ENV':
        return { ...image, env: { ...image.env, ...readPairs(text) } };
      case 'USER':
        return { ...image, user: text };
      case 'CMD':
        return { ...image, command: readExecForm(text) };
      case 'HEALTHCHECK':
        return { ...image, healthcheck: readExecForm(text.replace(/^CMD\s+/, '')) };
      case 'COPY':
        this.#copy(image, instruction);
        return image;
      case 'RUN':
        await runIn(image, text);
        return image;
      case 'ARG':
      case 'EXPOSE':
      case 'LABEL':
      case 'STOPSIGNAL':
        return image;
      default:
        throw new Error(`this test cannot follow ${keyword}: teach it`);
    }
  }

  #copy(image: Image, { flags, text }: Instruction): void {
    const names = text.split(/\s+/);
    const target = names.pop() ?? '';
    const stage = flags['from'];
    const from = stage === undefined ? ROOT : this.#images.get(stage)?.root;
    if (from === undefined) throw new Error(`there is no stage ${stage}`);
    const destination = join(image.root, resolve(image.workdir, target));
    for (const name of names) {
      const source = join(from, name);
      const isFolder = statSync(source).isDirectory();
      const isInto = !isFolder && (target.endsWith('/') || names.length > 1);
      cpSync(source, isInto ? join(destination, basename(name)) : destination, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => stage !== undefined || this.#belongs(path),
      });
    }
  }

  /** Folders of dependencies are large: they are left out before they are walked. */
  #belongs(path: string): boolean {
    if (statSync(path).isDirectory()) return basename(path) !== 'node_modules';
    return this.#isInContext(relative(ROOT, path));
  }
}

const runIn = async ({ root, workdir, env }: Image, text: string): Promise<void> => {
  const kept = Object.entries(process.env).filter(([name]) => FOR_NPM.test(name));
  // Only root can give files to another user.
  const command = (isRoot ? text : text.replace(/ --(owner|group)=\S+/g, '')).replace(
    / \/(?=\w)/g,
    ` ${root}/`,
  );
  await promisify(execFile)('sh', ['-ec', command], {
    cwd: join(root, workdir),
    env: {
      ...Object.fromEntries(kept),
      ...env,
      // Where `npm` itself lies.
      PATH: `${env['PATH']}:${process.env['PATH']}`,
      npm_config_prefer_offline: 'true',
      npm_config_update_notifier: 'false',
    },
  });
};

/** Builds the image of a Dockerfile in a folder. It needs npm's registry, as `npm ci` does. */
export const buildImage = (dockerfile: string): Promise<Image> => {
  const text = readFileSync(join(ROOT, dockerfile), 'utf8');
  const ignoreFile = readFileSync(join(ROOT, `${dockerfile}.dockerignore`), 'utf8');
  return new Build(ignoreFile).run(readDockerfile(text));
};
