import { describe, expect, test } from 'vitest';
import { type Block, readBlocks } from './blocks.ts';
import { runPages } from './page-run.ts';

const fence = (language: string, text: string, after = '') =>
  `\`\`\`${language}\n${text}\n\`\`\`\n\n${after}\n\n`;

const search = (body: string, after: string) => fence('http', `POST /v1/search\n${body}`, after);

const curl = (path: string, after = '') =>
  fence('sh', `curl -s http://127.0.0.1:8080${path} -H "Authorization: Bearer $KEY"`, after);

/** The finding for each block of a page, in order; undefined where it does what the page says. */
async function complaintsOf(text: string): Promise<readonly (string | undefined)[]> {
  const blocks: readonly Block[] = readBlocks('page.md', text);
  const complaints = await runPages(blocks);
  return blocks.map((block) => complaints.get(block));
}

describe('an example that does not do what its page says is reported', () => {
  test('requests', { timeout: 120_000 }, async () => {
    const good = '{"user_input": {"query": "tides"}}';
    const seen = await complaintsOf(
      [
        search(good, 'Answers 200.'),
        search(good, 'Answers 400.'),
        search('{"user_input": {"query": 1}}', 'Answers 200.'),
        search(good, 'It answers.'),
        fence('http', 'GET /v1/sessions\nAuthorization: Bearer unknown', 'Answers 401.'),
        fence('http', 'DELETE /v1/sessions/SESSION_ID', 'Answers 204.'),
        fence('http', 'v1/search', 'Answers 200.'),
      ].join(''),
    );
    expect(seen).toEqual([
      undefined,
      expect.stringMatching(/^was answered 200 instead of 400\n\{/),
      expect.stringMatching(/^was answered 422 instead of 200\n\{/),
      'the line after the block must begin with "Answers NNN"',
      undefined,
      undefined,
      'does not begin with METHOD /path',
    ]);
  });

  test('commands', { timeout: 120_000 }, async () => {
    const seen = await complaintsOf(
      [
        fence('sh', 'export WHO=me'),
        `<!-- file: notes.txt -->\n${fence('text', 'one\ntwo')}`,
        `<!-- not run: for another machine -->\n${fence('sh', 'false')}`,
        fence('sh', 'grep two notes.txt; [ "$WHO" = me ] # … is you'),
        curl('/v1/sessions'),
        curl('/v1/nothing', 'Answers 404.'),
        curl('/v1/sessions', 'Answers 404.'),
        fence('sh', 'cat notes', 'Ends with 1.'),
        fence('sh', 'cat notes', 'Ends with 2.'),
        fence('sh', 'echo "error: it is late" >&2'),
        fence('sh', 'npx something', 'Ends with 64.'),
        fence('sh', 'echo ready; trawl search --nonsense; echo done'),
        fence('sh', 'echo later'),
        fence('sh', 'SECRET=… trawl config'),
      ].join(''),
    );
    expect(seen).toEqual([
      ...[undefined, undefined, undefined, undefined, undefined, undefined],
      expect.stringMatching(/^ended with 0 instead of 22\n/),
      undefined,
      expect.stringMatching(/^ended with 1 instead of 2\nstandard error:\ncat: notes: /),
      expect.stringMatching(/^complains on standard error\n.*\nerror: it is late/),
      undefined,
      expect.stringMatching(
        /^ended with 2 instead of 0 at: trawl search --nonsense\n[\s\S]*nonsense[\s\S]*standard output:\nready\n$/,
      ),
      'not reached, a block before it failed',
      'the tests know no value for SECRET=…',
    ]);
  });
});
