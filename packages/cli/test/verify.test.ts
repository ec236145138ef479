import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@trawl/database';
import { byForm } from '@trawl/test-support/form';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import type { Settings } from '@trawl/test-support/program';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from './support/command.ts';

const PAGE = 'https://www.example.com/guides/rope-walks';

let server: TestServer;
let session: string;
/** Twelve words of the page. */
let said: string;
beforeAll(async () => {
  server = await startTestServer();
  const { json } = await server.search({ user_input: { query: 'rope walks' } });
  session = json.session_id;
  const fetched = await server.fetch({ session_id: session, urls: [PAGE] });
  const [{ content }] = fetched.json.preprocessor_runs[0].output_payload.fetched_results;
  said = /(?:[a-z]+ ){11}[a-z]+/.exec(content)?.[0] ?? '';
  server.sandbox.clearCalls();
});
afterAll(() => server.stop());

const pathOf = (name: string) => join(server.database.location.dataDir ?? '', name);

const trawl = (args: readonly string[], env: Settings = {}) =>
  runCommand({
    args,
    settings: { SERVICE_BASE_URL: server.url, SERVICE_API_KEY: server.key, ...env },
    folder: pathOf('.'),
  });

async function file(name: string, text: string): Promise<string> {
  await writeFile(pathOf(name), text);
  return name;
}

test('verify shows each quotation with its line, status and source', async () => {
  const words = said.split(' ');
  const report = await file(
    'report.md',
    `# Report

They say “${said}” ([source](${PAGE})).
A "short term" is no quotation.

> ${words.slice(0, 6).join(' ')}
> ${words.slice(6).join(' ')}
>
> — the guide [1]

\`\`\`
"this is code and not a quotation"
\`\`\`

One more: "nobody ever wrote this down about ropes". Then "${said}" [2].

[1]: ${PAGE}
[2]: https://elsewhere.example/
`,
  );
  const { code, stdout, stderr } = await trawl(['verify', session, report]);
  expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 3))).toEqual([
    ['3', 'exact', PAGE],
    ['6', 'normalized', PAGE],
    ['15', 'not_found', '–'],
    ['15', 'not_found', 'https://elsewhere.example/'],
    [''],
  ]);
  expect([code, stderr]).toEqual([1, '']);
  const right = await file('right.md', `They say "${said}".`);
  const json = await trawl(['verify', session, right, '--json']);
  expect(json.code).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({
    session_id: session,
    quotes: [{ line: 1, status: 'exact', url: PAGE, text: said }],
    links: [],
  });
  expect(server.sandbox.calls).toEqual([]);
});

test('verify has a row for a quotation that is too long, and takes thousands', async () => {
  const count = byForm({ small: 2_000, full: 10_000 });
  const quotes = Array.from({ length: count }, (_, at) => `"this was never said ${at}"`);
  const report = await file('long.md', `> ${'word '.repeat(200_000)}\n\n${quotes.join('\n')}`);
  const { code, stdout, stderr } = await trawl(['verify', session, report, '--json'], {});
  expect([code, stderr]).toEqual([1, '']);
  const { quotes: checked } = JSON.parse(stdout);
  expect(checked).toHaveLength(count + 1);
  expect(checked[0]).toMatchObject({ line: 1, status: 'too_long' });
  expect(checked[count]).toMatchObject({ line: count + 2, status: 'not_found' });
});

test('verify --links fetches cited pages after their price was accepted', async () => {
  const dead = 'https://www.example.com/missing/page-404';
  const report = await file(
    'links.md',
    `"${said}" (${PAGE}). "This was never said there" (${dead}).`,
  );
  const refused = await trawl(['verify', session, report, '--links']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/2 links to fetch, for about .*\n.*--yes fetches them/);
  expect(server.sandbox.calls).toEqual([]);
  const { stdout } = await trawl(['verify', session, report, '--links', '--yes', '--json']);
  const { links } = JSON.parse(stdout);
  expect(links[0]).toMatchObject({ url: PAGE, status: 'same' });
  const { json } = await server.call('GET', `/v1/sessions/${session}/history`);
  expect(json.interactions).toHaveLength(2);
});

test('verify --links calls dead only what does not exist', async () => {
  const at = (path: string) => `https://www.example.com/${path}/rope-walks`;
  const cited = async (...urls: readonly string[]) => {
    const report = await file('cited.md', urls.map((url) => `"${said}" (${url}).`).join('\n\n'));
    return trawl(['verify', session, report, '--links', '--yes']);
  };
  const rows = (text: string) =>
    text.split('\n').filter((line) => /^(?:dead|unknown)\t/.test(line));
  const gone = await cited(at('missing'));
  expect(rows(gone.stdout)).toEqual([expect.stringMatching(/^dead\t.*missing.*\tnot_found/)]);
  expect(gone.code).toBe(1);
  const unread = await cited(at('paywall'));
  expect(rows(unread.stdout)).toEqual([expect.stringMatching(/^unknown\t.*paywall/)]);
});

test('verify shows what an ellipsis left out, and --strict refuses what is only near', async () => {
  const words = said.split(' ');
  const left = `${words.slice(0, 4).join(' ')} … ${words.slice(-4).join(' ')}`;
  const report = await file('left.md', `They say "${left}".`);
  const shown = await trawl(['verify', session, report, '--strict']);
  expect([shown.code, shown.stdout]).toEqual([
    0,
    `1\tnormalized\t${PAGE}\t${left}\n  the record has: ${said}\n`,
  ]);
  const other = await file('other.md', `They say "${said.replace(/[aeiou]/, 'x')}".`);
  expect((await trawl(['verify', session, other])).code).toBe(0);
  const strict = await trawl(['verify', session, other, '--strict']);
  expect([strict.code, strict.stdout]).toEqual([1, expect.stringContaining('near (1)')]);
});

test('verify says where only a title has a quotation', async () => {
  const { json } = await server.search({ user_input: { query: 'rope walks of the old harbour' } });
  const [{ title }] = json.preprocessor_runs[0].output_payload.results;
  const report = await file('fields.md', `> ${title}`);
  const { stdout } = await trawl(['verify', json.session_id, report]);
  expect(stdout.split('\t')[1]).toBe('exact in title');
});

test('verify leaves out code, and only that, whatever is in a fence', async () => {
  const report = await file(
    'fences.md',
    `~~~
\`\`\`
"one that is code in tildes"
~~~

\`\`\`\`md
\`\`\`
"two that is code in four"
\`\`\`
\`\`\`\` more
"three that is code too"
\`\`\`\`\`

\`\`\`a line\`\`\` that is no fence

"four that is a quotation"
`,
  );
  const { stdout } = await trawl(['verify', session, report]);
  expect(stdout.split('\n').map((line) => line.split('\t').at(-1))).toEqual([
    'four that is a quotation',
    '',
  ]);
});

test('verify names a session or file that is not there', async () => {
  const { key } = await server.makeKey('other');
  const report = await file('one.md', `"${said}"`);
  const other = await trawl(['verify', session, report], { SERVICE_API_KEY: key });
  expect([other.code, other.stderr]).toMatchObject([
    1,
    expect.stringContaining('Session not found'),
  ]);
  const missing = await trawl(['verify', session, 'missing.md']);
  expect([missing.code, missing.stderr]).toEqual([
    2,
    'trawl: missing.md cannot be read (ENOENT)\n',
  ]);
});

test('evidence can be checked without a server, and each change is named', async () => {
  const exported = await trawl(['evidence', 'export', session]);
  expect(exported.code).toBe(0);
  const lines = exported.stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  const hash = JSON.parse(lines[3] ?? '').sha256;
  const { json } = await server.call('GET', `/v1/sessions/${session}/history`);
  for (const [at, { id }] of json.interactions.entries()) {
    const query = `session_id=${session}&interaction_id=${id}`;
    const read = await server.call('GET', `/v1/interactions?${query}`);
    expect(JSON.parse(lines[at + 1] ?? '').record.interaction).toEqual(read.json);
  }
  const check = async (text: string, ...flags: string[]) => {
    await file('evidence', text);
    const offline = { SERVICE_BASE_URL: 'http://127.0.0.1:9', SERVICE_API_KEY: '' };
    const { code, stdout } = await trawl(['evidence', 'check', 'evidence', ...flags], offline);
    return [code, stdout.trimEnd()];
  };
  const whole = `whole: 2 interactions of session ${session}, final hash ${hash}`;
  expect(await check(exported.stdout)).toEqual([0, whole]);
  expect(await check(exported.stdout, '--hash', hash)).toEqual([0, whole]);
  expect(await check(exported.stdout, '--hash', '0'.repeat(64))).toEqual([
    1,
    expect.stringMatching(/^line 4: its hash/),
  ]);
  const changed = exported.stdout.replace('rope walks', 'rope talks');
  expect(await check(changed)).toEqual([1, 'line 2: its text or the line before was changed']);
  const without = [...lines.slice(0, 1), ...lines.slice(2)].join('\n');
  expect(await check(without)).toEqual([1, 'line 2: its text or the line before was changed']);
  expect(await check(lines.slice(0, 3).join('\n'))).toEqual([
    1,
    expect.stringMatching(/^line 4: the end is missing/),
  ]);
  expect(await check(`${exported.stdout}{}\n`)).toEqual([1, 'line 5: it is behind the last line']);
  expect(await check('hello')).toEqual([1, 'line 1: it is not a line of evidence']);
  const page = await trawl(['evidence', 'export', session, '--html']);
  expect(page.stdout).toMatch(/^<!doctype html>/);
  expect(page.stdout).not.toMatch(/<script/i);
  expect(page.stdout).toContain(said);
  expect(await check(page.stdout)).toEqual([0, expect.stringMatching(/^whole: 2 interactions/)]);
  const falsePage = page.stdout.replaceAll('rope walks', 'rope talks');
  expect(await check(falsePage)).toEqual([1, 'line 2: its text or the line before was changed']);
});

test('a page of evidence is checked with all that it shows', async () => {
  const page = await trawl(['evidence', 'export', session, '--html']);
  const check = async (text: string) => {
    await file('page.html', text);
    const { code, stdout } = await trawl(['evidence', 'check', 'page.html']);
    return [code, stdout.trimEnd()];
  };
  const article = [1, 'line 3: article 2 of the page shows something else than its record'];
  expect(await check(page.stdout.replace(said, 'ropes were never made here'))).toEqual(article);
  const note = '<p>The guide was withdrawn.</p>';
  const second = page.stdout.lastIndexOf('<article>') + '<article>'.length;
  expect(await check(page.stdout.slice(0, second) + note + page.stdout.slice(second))).toEqual(
    article,
  );
  expect(await check(page.stdout.replace('<h1>', `${note}<h1>`))).toEqual([
    1,
    'line 1: the head of the page shows something else than its record',
  ]);
  expect(await check(page.stdout + note)).toEqual([1, 'line 4: the page goes on behind its end']);
});

test('evidence keeps all digits of a number', async () => {
  const rawBody =
    '{"user_input":{"query":"rope walks"},"metadata":{"ticket":9007199254740993,"half":"\\ud800"}}';
  const { json } = await server.search(undefined, { rawBody });
  const lines = await trawl(['evidence', 'export', json.session_id]);
  expect(lines.stdout).toContain('"ticket":9007199254740993');
  const page = await trawl(['evidence', 'export', json.session_id, '--html']);
  await file('digits.html', page.stdout);
  const { stdout } = await trawl(['evidence', 'check', 'digits.html']);
  expect(stdout).toMatch(/^whole: 1 interaction /);
});

test('evidence says how much of the session was deleted before', async () => {
  const { json } = await server.search({ user_input: { query: 'rope walks' } });
  const { session_id: id } = json;
  const { db } = openDatabase(server.database.location, { connections: 1 });
  await db.updateTable('sessions').set({ deleted_count: 3 }).where('id', '=', id).execute();
  await db.destroy();
  const lines = await trawl(['evidence', 'export', id]);
  expect(lines.stderr).toContain('3 interactions of the session had been deleted');
  const [head = ''] = lines.stdout.split('\n');
  expect(JSON.parse(head).record.deleted_interactions).toBe(3);
  const page = await trawl(['evidence', 'export', id, '--html']);
  expect(page.stdout).toContain('Of this session, 3 interactions had been deleted before.');
  await file('partial.html', page.stdout);
  expect((await trawl(['evidence', 'check', 'partial.html'])).code).toBe(0);
  const hidden = page.stdout.replace(
    '3 interactions had been deleted',
    'no interaction is missing',
  );
  await file('partial.html', hidden);
  expect((await trawl(['evidence', 'check', 'partial.html'])).stdout).toContain('line 1: the head');
});

test('evidence of another project is not found', async () => {
  const { key } = await server.makeKey('other');
  const { code, stderr } = await trawl(['evidence', 'export', session], { SERVICE_API_KEY: key });
  expect([code, stderr]).toMatchObject([1, expect.stringContaining('Session not found')]);
});

test('a session that is not there is said in words of the command, and the beginning of an id is enough', async () => {
  const report = await file('wrong.md', 'They say "nobody ever wrote this down".');
  const { code, stderr } = await trawl(['verify', 'zzz', report]);
  const said = /^trawl: no session is called "zzz"\n {2}"npx trawl sessions" lists them/;
  expect([code, stderr]).toEqual([2, expect.stringMatching(said)]);
  const begun = await trawl(['verify', session.slice(0, 18), report]);
  expect(begun.stdout).toContain('not_found');
});
