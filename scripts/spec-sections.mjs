/**
 * `npm run spec:sections`: how many tests name each section of the contract. A test names a section
 * by starting with its number: `2.5 rule 3: …`, `4.4 …`, `8: …` (a number without a dot needs the
 * colon or a rule; `9 rule 3` is also section 9.3), `2.1, 2.2 …`; a `describe` gives its number to
 * the tests in it. Exit code 1 when a section in scope has none, or a test names a number that is
 * not a section, unless `--report`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './source-files.mjs';
import { childNodes, leadingText, parseSource } from './syntax-tree.mjs';

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const START = new RegExp(`^${NUMBER}(?:\\s*[,/&+]\\s*${NUMBER})*(?=[\\s:]|$)`);

/** The section numbers that a test's name starts with. */
export function namedSections(name) {
  const start = START.exec(name)?.[0];
  if (!start) return [];
  const [mark, rule] = /^(?::|\s+rule\s+(\d+))/.exec(name.slice(start.length)) ?? [];
  const numbers = start.split(/[\s,/&+]+/);
  if (rule && !start.includes('.')) return [start, `${start}.${rule}`];
  // "3 providers run at once" does not test section 3.
  return mark ? numbers : numbers.filter((number) => number.includes('.'));
}

/**
 * One entry per `test` or `it` in a source: the sections it names, or those of the `describe`
 * around it.
 */
export function testedSections(path, text) {
  const found = [];
  collect({ path, node: parseSource(path, text) }, [], found);
  return found;
}

function collect({ path, node }, inherited, found) {
  const call = node.type === 'CallExpression' ? readCall(node) : undefined;
  // A skipped test proves nothing; `skipIf` runs on some machines.
  if (call?.modifiers.some((modifier) => modifier === 'skip' || modifier === 'todo')) return;
  const named = call ? namedSections(call.name) : [];
  const sections = named.length > 0 ? named : inherited;
  if (call && call.callee !== 'describe') found.push({ path, name: call.name, sections });
  for (const child of childNodes(node)) collect({ path, node: child }, sections, found);
}

/** `test('…')`, `it.only('…')`, `test.each(cases)('…')`, `` describe.each`…`('…') ``. */
function readCall({ callee, arguments: args }) {
  const name = leadingText(args[0]);
  const modifiers = [];
  let part = callee;
  while (part.type !== 'Identifier') {
    if (part.type === 'MemberExpression') modifiers.push(part.property.name);
    part = part.object ?? part.callee ?? part.tag;
    if (!part) return undefined;
  }
  const isTest = ['test', 'it', 'describe'].includes(part.name);
  return isTest && name !== undefined ? { callee: part.name, modifiers, name } : undefined;
}

/** How many tests name each section, and the tests that name only numbers that are not sections. */
export function countTests(sections, tests) {
  const counts = new Map(sections.map(({ number }) => [number, 0]));
  const unknown = [];
  for (const test of tests) {
    const known = new Set(test.sections.filter((number) => counts.has(number)));
    for (const number of known) counts.set(number, counts.get(number) + 1);
    if (known.size === 0 && test.sections.length > 0) unknown.push(test);
  }
  return { counts, unknown };
}

/**
 * The lines of the report; not ok when a section in scope has no test, or a test names an unknown
 * section.
 */
export function report(sections, { counts, unknown }) {
  const untested = sections.filter(
    ({ number, scope }) => scope === 'search' && counts.get(number) === 0,
  );
  const lines = sections.map(({ number, title, scope }) => {
    const later = scope === 'later' ? ' (later)' : '';
    return `${number.padEnd(5)}${String(counts.get(number)).padStart(5)}  ${title}${later}`;
  });
  if (unknown.length > 0) lines.push('', 'Named, but no section:', ...unknown.map(unknownLine));
  lines.push('');
  if (untested.length === 0) lines.push('Every section in scope is named by a test.');
  else lines.push('No test names:', ...untested.map(({ number, title }) => `  ${number} ${title}`));
  return { lines, ok: untested.length === 0 && unknown.length === 0 };
}

const unknownLine = ({ path, name, sections }) => `  ${sections.join(', ')}  ${path} > ${name}`;

function testFiles(root) {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/test`);
  return [...packages, 'test']
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true })
        .filter((path) => /\.tsx?$/.test(path))
        .map((path) => join(folder, path)),
    );
}

function main(args) {
  const sections = JSON.parse(readFileSync(join(ROOT, 'test/spec-sections.json'), 'utf8'));
  const tests = testFiles(ROOT).flatMap((path) =>
    testedSections(relative(ROOT, path), readFileSync(path, 'utf8')),
  );
  const { lines, ok } = report(sections, countTests(sections, tests));
  console.log(lines.join('\n'));
  process.exitCode = ok || args.includes('--report') ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
