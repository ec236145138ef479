/**
 * `npm run generate -w @trawl/client`: makes types and table of routes of the TypeScript and the
 * Python client again from the contract, the plain methods of the former, and the definitions of
 * the latter's tools. With `--check` it writes nothing, and fails where one is out of date. Runs in
 * the repository's root.
 */
import { execFileSync } from 'node:child_process';
import { writeOrCheck } from '../../../scripts/write-or-check.ts';
import { generated } from './client-types.ts';
import { plainCalls } from './plain-calls.ts';
import { pythonTools } from './python-tools.ts';
import { generatedPython } from './python-types.ts';

const BIOME = 'node_modules/@biomejs/biome/bin/biome';

const formatted = (path: string, text: string): string =>
  execFileSync(process.execPath, [BIOME, 'format', `--stdin-file-path=${path}`], {
    input: text,
    encoding: 'utf8',
  });

const { types, routes } = generated();
const typeScript = Object.entries({
  'contract/types': types,
  'contract/routes': routes,
  'client/plain-calls': plainCalls(),
}).map(([name, text]) => {
  const path = `packages/client/src/${name}.ts`;
  return [path, formatted(path, text)] as const;
});
const python = Object.entries({ ...generatedPython(), _tool_definitions: pythonTools() }).map(
  ([name, text]) => [`clients/python/src/trawl/${name}.py`, text] as const,
);
writeOrCheck(new Map([...typeScript, ...python]), 'npm run generate -w @trawl/client');
