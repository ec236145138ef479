/**
 * `npm run docs`: makes the tables in the pages of `docs/` anew from the code. A table is between
 * `<!-- generated: NAME -->` and `<!-- end -->`. With `--check` it writes nothing, and fails where one is out of date.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { regenerated } from './docs-tables/all-tables.ts';
import { writeOrCheck } from './write-or-check.ts';

const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

writeOrCheck(
  new Map(pages.map((path) => [path, regenerated(readFileSync(path, 'utf8'))])),
  'npm run docs',
);
