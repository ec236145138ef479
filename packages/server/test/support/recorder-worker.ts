import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** Below `node_modules`, so packages outside the bundle are found. */
const CACHE = new URL('../../../../node_modules/.cache/trawl-test/', import.meta.url);
const RECORDER_WORKER = new URL('../../../store/src/recorder/recorder-worker.ts', import.meta.url);

let recorderWorker: Promise<URL> | undefined;

/** The recorder's thread, built once for each test process: Node can't run TypeScript in a worker. */
export function recorderWorkerUrl(): Promise<URL> {
  recorderWorker ??= bundleForNode(RECORDER_WORKER);
  return recorderWorker;
}

/** A TypeScript file as one JavaScript file that a worker or a child process can run. Installed packages are not bundled, ours are. */
export async function bundleForNode(entry: URL): Promise<URL> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    loader: { '.tsv': 'text' },
    write: false,
    plugins: [installedPackagesOutside],
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  // Named by content: test processes that build the same file at once don't disturb each other.
  const name = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const target = new URL(`${name}.mjs`, CACHE);
  const unfinished = new URL(`${name}.${randomUUID()}.tmp`, CACHE);
  await mkdir(CACHE, { recursive: true });
  await writeFile(unfinished, code);
  await rename(unfinished, target);
  return target;
}

const installedPackagesOutside: Plugin = {
  name: 'installed-packages-outside',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^[a-z@]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@trawl/') ? undefined : { path, external: true },
    );
  },
};
