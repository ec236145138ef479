import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { expect, test } from 'vitest';

const INDEX = fileURLToPath(new URL('../src/index.ts', import.meta.url));

/** The files that a program reads when it imports the output with this entry, before anything runs. */
function readAtStart({ outputs }: Metafile): string[] {
  const inputs: string[] = [];
  const open = Object.keys(outputs).filter((path) =>
    outputs[path]?.entryPoint?.endsWith('src/index.ts'),
  );
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

test('the library that signs people in is loaded with the first request, not with the program', async () => {
  const { metafile } = await build({
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
  const isLibrary = (path: string) => path.includes('node_modules/better-auth/');
  expect(Object.keys(metafile.inputs).some(isLibrary)).toBe(true);
  const atStart = readAtStart(metafile);
  expect(atStart.some((path) => path.endsWith('branch/branch.ts'))).toBe(true);
  expect(atStart.filter(isLibrary)).toEqual([]);
});
