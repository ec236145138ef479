import { type FetchAnswer, pagesAsPrompt, type SearchAnswer } from '@trawl/client';
import { estimateTokens } from '@trawl/router/testing';
import { byForm } from '@trawl/test-support/form';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ComposedWeb, composedWeb } from './support/composed-web.ts';
import { type Question, questionOf } from './support/questions.ts';

const QUESTIONS = byForm({ small: 12, full: 240 });
const SIZES = [2_000, 4_000, 8_000];

let web: ComposedWeb;
let server: TestServer;
beforeAll(async () => {
  web = await composedWeb();
  server = await startTestServer({ env: { ...web.env, PAGE_READ_TIMEOUT_MS: '60000' } });
});
afterAll(async () => {
  await server.stop();
  await web.stop();
});

/** The summaries of the best rows, up to a size. */
function summariesOf({ merged }: SearchAnswer, tokens: number): string {
  let text = '';
  for (const { rank, title, url, summary } of merged?.[0]?.rows ?? []) {
    const more = `${text}${rank}. ${title}\n${url}\n${summary}\n\n`;
    if (estimateTokens(more) > tokens) break;
    text = more;
  }
  return text;
}

/** Pages from their start, each with a share of the size. */
function startsOf(pages: FetchAnswer, tokens: number): string {
  for (let maxCharacters = tokens * 6; ; maxCharacters = Math.floor(maxCharacters * 0.97)) {
    const { text } = pagesAsPrompt(pages, { maxCharacters });
    if (estimateTokens(text) <= tokens) return text;
  }
}

const SEARCH = { providers: { include: ['exa', 'brave'] }, num_results: 10 };

async function ask({ query, pages, found, answer }: Question) {
  web.pages = { ...pages };
  web.found = { ...found };
  const search = await server.search({ user_input: { query }, search: { ...SEARCH, merge: true } });
  const urls = search.json.merged[0].rows.slice(0, 3).map(({ url }: { url: string }) => url);
  const read = await server.fetch({ urls, options: { inline_max_chars: 200_000 } });
  const rows = [];
  for (const max_tokens of SIZES) {
    const body = { query, max_tokens, search: SEARCH };
    const { json } = await server.call('POST', '/v1/context', { body });
    rows.push({
      context: json.context.text.includes(answer),
      summaries: summariesOf(search.json, max_tokens).includes(answer),
      starts: startsOf(read.json, max_tokens).includes(answer),
      filled: json.context.tokens / max_tokens,
    });
  }
  return rows;
}

/** The mean of paired differences, and its 95 % interval. */
function interval(differences: readonly number[]): readonly [number, number, number] {
  const count = differences.length;
  const mean = differences.reduce((sum, each) => sum + each, 0) / count;
  const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (count - 1);
  const half = 1.96 * Math.sqrt(variance / count);
  return [mean, mean - half, mean + half];
}

test(`contexts hold the answers of ${QUESTIONS} questions more often than what people do`, async () => {
  const asked = [];
  for (let seed = 1; seed <= QUESTIONS; seed += 1) asked.push(await ask(questionOf(seed)));
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  for (const [at, size] of SIZES.entries()) {
    const rows = asked.map(
      (sizes) => sizes[at] ?? { context: false, summaries: false, starts: false, filled: 0 },
    );
    const share = (name: 'context' | 'summaries' | 'starts') =>
      rows.filter((row) => row[name]).length / rows.length;
    const against = (name: 'summaries' | 'starts') =>
      interval(rows.map((row) => Number(row.context) - Number(row[name])));
    const cells = (['summaries', 'starts'] as const).map((name) => {
      const [mean, low, high] = against(name);
      return `${percent(share(name))} | +${percent(mean)} (${percent(low)} to ${percent(high)})`;
    });
    const filled = rows.reduce((sum, row) => sum + row.filled, 0) / rows.length;
    console.log(
      `| ${size} | ${percent(share('context'))} | ${cells.join(' | ')} | ${percent(filled)} |`,
    );
    expect(filled).toBeGreaterThan(0.85);
    for (const name of ['summaries', 'starts'] as const)
      expect(against(name)[1]).toBeGreaterThan(0);
  }
}, 600_000);
