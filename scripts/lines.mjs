/**
 * `npm run lines`: counts the lines of code of all tracked files but tests, generated files and
 * data, without blank lines and comments, and fails if there are more than LIMIT. The number may
 * only fall: a change that needs more raises it in a commit of its own, which says why and what was
 * deleted for it. One number for the whole repository, so that no code moves to fit a number.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.mjs';

const LIMIT = 136_367;
/** What a deletion saves must not be spent unseen: further below LIMIT than this fails too. */
const SLACK = 100;

const CODE = /\.(?:[cm]?[jt]s|tsx|css|html|py|sh|ya?ml|toml)$|(?:^|\/)Dockerfile$|^\.ci\//;
const TESTS = /(?:^|\/)(?:tests?|test-support)\/|\.test\.|^vitest\./;
const GENERATED = /^.*Made from .* not to be edited/;

/** Delimiters of comments by the end of a file's name: of a whole line, and of a block. */
const HASH = { line: '#', open: '"""', close: '"""' };
const SLASHES = { line: '//', open: '/*', close: '*/' };
const MARKUP = { line: '<!--', open: '<!--', close: '-->' };

function syntaxOf(path) {
  if (path.endsWith('.html')) return MARKUP;
  return /\.(?:[cm]?[jt]s|tsx|css)$/.test(path) ? SLASHES : HASH;
}

/** Counts lines by how they begin: a comment behind code, or in a text, is not looked for. */
function countLines(text, { line, open, close }) {
  let count = 0;
  let isInComment = false;
  for (const part of text.split('\n').map((each) => each.trim())) {
    const begins = !isInComment && part.startsWith(open);
    const rest = begins ? part.slice(open.length) : part;
    if (isInComment || begins) isInComment = !rest.includes(close);
    else if (part !== '' && !part.startsWith(line)) count += 1;
  }
  return count;
}

const folderOf = (path) =>
  /^(?:packages\/[^/]+|clients\/[^/]+|[^/]+)(?=\/)/.exec(path)?.[0] ?? '(root)';

const counts = new Map();
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
for (const path of tracked.split('\0').filter((name) => CODE.test(name) && !TESTS.test(name))) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  if (GENERATED.test(text.split('\n', 1)[0])) continue;
  const { files, lines } = counts.get(folderOf(path)) ?? { files: 0, lines: 0 };
  const more = countLines(text, syntaxOf(path));
  counts.set(folderOf(path), { files: files + 1, lines: lines + more });
}
const rows = [...counts].toSorted(([, a], [, b]) => b.lines - a.lines);
const sum = (key) => rows.reduce((total, [, row]) => total + row[key], 0);
const row = (name, files, lines) =>
  `${name.padEnd(24)} ${String(files).padStart(6)} ${String(lines).padStart(7)}`;
console.log(row('folder', 'files', 'lines'));
for (const [name, { files, lines }] of rows) console.log(row(name, files, lines));
const total = sum('lines');
console.log(row('all', sum('files'), total));
if (total > LIMIT) {
  console.log(
    `${total - LIMIT} lines above LIMIT in scripts/lines.mjs: delete what is not needed.`,
  );
}
if (total < LIMIT - SLACK) console.log(`Set LIMIT in scripts/lines.mjs to ${total}.`);
process.exitCode = total > LIMIT || total < LIMIT - SLACK ? 1 : 0;
