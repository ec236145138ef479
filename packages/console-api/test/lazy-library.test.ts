import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';

const INDEX = fileURLToPath(new URL('../src/index.ts', import.meta.url));

/**
 * The files that a program reads when it imports the output with this entry, before anything runs.
 */
function readAtStart({ outputs }: Metafile, entry: string): string[] {
  const inputs: string[] = [];
  const open = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint?.endsWith(entry));
  const seen = new Set<string>();
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const output = outputs[path];
    if (!output || seen.has(path)) continue;
    seen.add(path);
    inputs.push(...Object.keys(output.inputs));
    open.push(
      ...output.imports
        .filter(({ kind, external }) => kind === 'import-statement' && !external)
        .map((edge) => edge.path),
    );
  }
  return inputs;
}

let metafile: Metafile;
beforeAll(async () => {
  const built = await build({
    entryPoints: [INDEX],
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: [
      'kysely',
      'pg',
      '@photostructure/sqlite',
      'pino',
      'swagger-ui-dist',
      '@opentelemetry/api',
    ],
    loader: { '.tsv': 'text' },
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  metafile = built.metafile;
});

test('the library that signs people in is loaded with the first request, not with the program', () => {
  const isLibrary = (path: string) => path.includes('node_modules/better-auth/');
  expect(Object.keys(metafile.inputs).some(isLibrary)).toBe(true);
  const atStart = readAtStart(metafile, 'console-api/src/index.ts');
  expect(atStart.some((path) => path.endsWith('branch/branch.ts'))).toBe(true);
  expect(atStart.filter(isLibrary)).toEqual([]);
});

test('the report on routing is loaded when a route asks it, not with the program or the console', () => {
  const isReport = (path: string) => path.includes('console-api/src/routing-report/');
  expect(Object.keys(metafile.inputs).some(isReport)).toBe(true);
  const atOnce = ['console-api/src/index.ts', 'branch/console.ts'].flatMap((entry) =>
    readAtStart(metafile, entry),
  );
  expect(atOnce.some((path) => path.endsWith('console-api/src/routing/routes.ts'))).toBe(true);
  expect(atOnce.filter(isReport)).toEqual([]);
});
