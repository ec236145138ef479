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
  /** The compiler's errors in these examples, by name. */
  typeCheck(examples: readonly TypeScriptExample[]): Promise<string>;
  /** The output of an example. Fails when the example ends with a code other than 0. */
  run(
    example: TypeScriptExample,
    server: PageServer,
  ): Promise<{ readonly stdout: string; readonly stderr: string }>;
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
      return run(process.execPath, [TSC, '-p', folder], { timeout: TIMEOUT_MS }).then(
        ({ stdout }) => stdout,
        (error: { stdout: string }) => error.stdout,
      );
    },
    run: async ({ name, code }, { environment, fill }) => {
      write(`${name}.ts`, code);
      await esbuild.build({
        entryPoints: [join(folder, `${name}.ts`)],
        outfile: join(folder, `${name}.mjs`),
        bundle: true,
        format: 'esm',
        platform: 'node',
        target: 'node20',
        logLevel: 'silent',
        plugins: [bundled(fill)],
        // packages that are CommonJS
        banner: { js: REQUIRE },
      });
      const env = { PATH: process.env.PATH, HOME: folder, ...environment };
      const options = { cwd: folder, env, timeout: TIMEOUT_MS };
      return run(process.execPath, [`${name}.mjs`], options);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

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
