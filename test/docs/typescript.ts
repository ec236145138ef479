import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { ROOT } from './blocks.ts';
import type { PageServer } from './page-server.ts';

const run = promisify(execFile);
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
/** The compiler reads our sources and those of the frameworks too. */
const TIMEOUT_MS = 120_000;

/** A project in which our packages, as sources, and their dependencies are installed. */
export interface ExampleProject {
  /** Bundles these examples, together: each alone would read our sources again. */
  build(examples: readonly TypeScriptExample[], server: PageServer): Promise<void>;
  /** The compiler's errors in these examples, by name. */
  typeCheck(examples: readonly TypeScriptExample[]): Promise<string>;
  /**
   * Runs built examples one after the other, in one process, up to one that fails. Returns by name
   * what each wrote to standard error.
   */
  run(names: readonly string[], server: PageServer): Promise<ReadonlyMap<string, string>>;
  remove(): void;
}

export interface TypeScriptExample {
  /** Name of a file, without its extension. */
  readonly name: string;
  readonly code: string;
}

/** Our own rules that a reader's project may not have, and that some packages break. */
const PLAINLY_STRICT = {
  noUnusedLocals: false,
  noUncheckedIndexedAccess: false,
  exactOptionalPropertyTypes: false,
};

export function createExampleProject(): ExampleProject {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-docs-ts-'));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  write('package.json', '{ "private": true, "type": "module" }');
  return {
    typeCheck: async (examples) => {
      // `export {}` makes each example a module
      for (const { name, code } of examples) write(`${name}.ts`, `${code}\nexport {};\n`);
      const settings = {
        extends: join(ROOT, 'tsconfig.json'),
        compilerOptions: PLAINLY_STRICT,
        include: [],
        files: examples.map(({ name }) => `${name}.ts`),
      };
      write('tsconfig.json', JSON.stringify(settings));
      // with more threads it takes twice the processor time
      return run(process.execPath, [TSC, '--singleThreaded', '-p', folder], {
        timeout: TIMEOUT_MS,
      }).then(
        ({ stdout }) => stdout,
        (error: { stdout: string }) => error.stdout,
      );
    },
    build: async (examples, { fill }) => {
      for (const { name, code } of examples) write(`${name}.ts`, code);
      await esbuild.build({
        entryPoints: examples.map(({ name }) => join(folder, `${name}.ts`)),
        outdir: folder,
        outExtension: { '.js': '.mjs' },
        bundle: true,
        format: 'esm',
        platform: 'node',
        target: 'node20',
        logLevel: 'silent',
        plugins: [bundled(fill)],
        // packages that are CommonJS
        banner: { js: REQUIRE },
      });
    },
    run: async (names, { environment }) => {
      write('all.mjs', ALL);
      const env = { PATH: process.env.PATH, HOME: folder, ...environment };
      const options = { cwd: folder, env, timeout: TIMEOUT_MS };
      const stderr = await run(process.execPath, ['all.mjs', ...names], options).then(
        (ended) => ended.stderr,
        (error: { message: string; stderr: string }) => `${error.stderr}${error.message}`,
      );
      const parts = stderr.split(BEGIN).slice(1);
      return new Map(
        parts.map((part) => [part.split('\n', 1)[0] ?? '', part.replace(/^.*\n/, '')]),
      );
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Before the name of an example, on standard error. */
const BEGIN = '--- example ';

const ALL = `for (const name of process.argv.slice(2)) {
  process.stderr.write('${BEGIN}' + name + '\\n');
  await import('./' + name + '.mjs');
}`;

const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** SDKs of vendors, which have the vendor's address in their code. */
const VENDOR_SDKS = ['exa-js', '@tavily/core'];
const VENDOR_SDK_FILE = new RegExp(`node_modules/(${VENDOR_SDKS.join('|')})/.*\\.m?js$`);

/**
 * Our packages are bundled because Node.js 20 does not run their sources; SDKs of vendors, so they
 * call the sandbox. All others stay packages.
 */
const bundled = (fill: PageServer['fill']): esbuild.Plugin => ({
  name: 'bundled',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[^./#]/ }, ({ path }) =>
      path.startsWith('@trawl/') || VENDOR_SDKS.includes(path)
        ? undefined
        : { path, external: true },
    );
    onLoad({ filter: VENDOR_SDK_FILE }, async ({ path }) => ({
      contents: await fill(await readFile(path, 'utf8')),
    }));
  },
});
