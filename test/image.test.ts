import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '@trawl/test-support/loopback';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../scripts/source-files.mjs';
import { contextFiles, text } from './support/deploy-files.ts';

/**
 * The steps of the Dockerfile without a container engine: each in a root of its own, which is this
 * machine's with a layer on top. What it cannot show is the base image, its own layers, another
 * processor, and what an engine adds, such as `--init` and seccomp.
 */
const steps = text('Dockerfile')
  .replace(/^\s*#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line.trim()))
  .filter((found) => found !== null)
  .map(([, name = '', rest = '']) => ({ name, rest }));
const second = steps.findLastIndex(({ name }) => name === 'FROM');
const valuesOf = (name: string, from = second): readonly string[] =>
  steps.slice(from).flatMap((step) => (step.name === name ? [step.rest] : []));

/** As the base image has it. */
const BASE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A root with a layer of its own. */
interface Layer {
  readonly root: string;
  /** What is in the layer. */
  readonly upper: string;
  /** A command of a shell that makes the root, for a mount namespace. */
  readonly mount: string;
}

function newLayer(folder: string, name: string): Layer {
  const [upper, work, root] = ['upper', 'work', 'root'].map((part) => join(folder, name, part));
  for (const path of [upper, work, root]) mkdirSync(path ?? '', { recursive: true });
  const mounts = [
    `mount -t overlay overlay -o lowerdir=/,upperdir=${upper},workdir=${work} ${root}`,
    `mount --rbind /proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
  ];
  return { root: root ?? '', upper: upper ?? '', mount: mounts.join(' && ') };
}

/** What is mounted in a namespace of these must not reach this machine's. */
const UNSHARE = ['--mount', '--propagation', 'private', 'sh', '-c'];

/** Removes a folder of layers. Below one that is still mounted are the files of this machine. */
function removeLayers(folder: string): void {
  if (readFileSync('/proc/self/mountinfo', 'utf8').includes(folder)) {
    throw new Error(`${folder} is still mounted: unmount it, then remove it`);
  }
  rmSync(folder, { recursive: true, force: true });
}

describe('the image', { timeout: 120_000 }, () => {
  let folder: string;
  let image: Layer;
  let canMount = false;
  beforeEach(({ skip }) => skip(!canMount, 'needs root, and overlay mounts of Linux'));
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'trawl-image-'));
    canMount = spawnSync('unshare', [...UNSHARE, newLayer(folder, 'probe').mount]).status === 0;
    if (!canMount) return;
    const build = newLayer(folder, 'build');
    const context = join(build.upper, 'build');
    for (const path of contextFiles()) {
      mkdirSync(dirname(join(context, path)), { recursive: true });
      copyFileSync(join(ROOT, path), join(context, path));
    }
    for (const run of valuesOf('RUN', 0)) {
      const script = `set -e; cd /build; ${run.replace(/--mount=\S+/g, '')}`;
      const env = {
        PATH: process.env.PATH,
        HOME: '/root',
        TARGETARCH: process.arch === 'x64' ? 'amd64' : process.arch,
      };
      const args = [...UNSHARE, `${build.mount} && exec chroot ${build.root} sh -c "$0"`, script];
      execFileSync('unshare', args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    }
    image = newLayer(folder, 'image');
    for (const copy of valuesOf('COPY')) {
      const [from = '', to = ''] = copy.split(' ').slice(-2);
      renameSync(join(build.upper, from), join(image.upper, to));
    }
    // where the base has it; the folder of this one may be below /tmp
    mkdirSync(join(image.upper, 'usr/local/bin'), { recursive: true });
    copyFileSync(process.execPath, join(image.upper, 'usr/local/bin/node'));
  }, 600_000);
  afterAll(() => removeLayers(folder), 600_000);

  const ENV = Object.fromEntries(
    valuesOf('ENV').flatMap((rest) =>
      rest.split(/\s+/).map((pair) => pair.replace('$PATH', BASE_PATH).split('=')),
    ),
  );

  const jsonOf = (name: string): string[] =>
    valuesOf(name).flatMap((rest) => JSON.parse(/\[.*\]/.exec(rest)?.[0] ?? '[]'));

  /** Starts the image: read-only but for /tmp and /data, without any capability. */
  function start({
    user,
    owner = user,
    PORT,
  }: Readonly<Record<'user' | 'PORT', string>> & { owner?: string }) {
    const [uid = 0, gid = 0] = user.split(':').map(Number);
    const [ownerUid = 0, ownerGid = 0] = owner.split(':').map(Number);
    const data = join(image.upper, 'data');
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data);
    chownSync(data, ownerUid, ownerGid);
    chmodSync(data, 0o755);
    const { root, mount } = image;
    const mounts = [
      mount,
      `mount --bind ${data} ${root}/data`,
      `mount -t tmpfs tmpfs ${root}/tmp`,
      `mount -o remount,ro,bind ${root}`,
    ];
    const privileges = `--reuid ${uid} --regid ${gid} --clear-groups --no-new-privs --bounding-set -all`;
    const script = `${mounts.join(' && ')} && exec chroot ${root} setpriv ${privileges} "$@"`;
    const words = [...jsonOf('ENTRYPOINT'), ...jsonOf('CMD')];
    const child = spawn('unshare', [...UNSHARE, script, 'sh', ...words], {
      env: { ...ENV, HOME: '/', PORT },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    const closed = once(child, 'close');
    return { child, output: () => output, closed };
  }

  test.each([
    ['its own user', valuesOf('USER')[0] ?? ''],
    ['any other user', '54321:0'],
  ])('serves as %s, is healthy, makes a key, and stops at once', async (_name, user) => {
    const PORT = String(await freePort());
    const { child, output, closed } = start({ user, PORT });
    const [program = '', ...args] = jsonOf('HEALTHCHECK');
    const isHealthy = () =>
      spawnSync(program, args, { env: { ...process.env, PORT } }).status === 0;
    await expect.poll(isHealthy, { timeout: 60_000 }).toBe(true);
    for (const path of ['/console', '/docs'])
      expect((await fetch(`http://127.0.0.1:${PORT}${path}`)).status).toBe(200);

    const [uid, gid] = user.split(':');
    // as an engine executes a command in a running container
    const inside = ['--target', String(child.pid), '--mount', 'chroot', image.root];
    const as = ['setpriv', '--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups'];
    const keys = spawnSync(
      'nsenter',
      [...inside, ...as, 'trawl', 'keys', 'create', '--name', 'x'],
      {
        env: { ...ENV, HOME: '/' },
        encoding: 'utf8',
      },
    );
    expect(keys).toMatchObject({ status: 0, stdout: expect.stringMatching(/^tk_/) });
    const write = spawnSync('nsenter', [...inside, 'touch', '/app/x'], { encoding: 'utf8' });
    expect(write.stderr).toContain('Read-only file system');

    child.kill('SIGTERM');
    expect(await closed, output()).toEqual([0, null]);
  });

  test('says which folder it cannot write to', async () => {
    const { closed, output } = start({ user: '10001:10001', owner: '54321:0', PORT: '0' });
    expect(await closed).toEqual([1, null]);
    expect(output()).toMatch(/DATA_DIR.*\/data|\/data.*DATA_DIR/);
  });
});
