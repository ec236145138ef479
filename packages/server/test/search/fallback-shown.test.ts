import { readFileSync } from 'node:fs';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { DEFAULT_SEARCH_PROVIDERS: 'exa,brave' } });
});
afterAll(() => server.stop());

interface Run {
  readonly preprocessor_name: string;
  readonly error: { readonly code: string } | null;
  readonly output_payload: {
    readonly results: readonly unknown[];
    readonly warnings: readonly { readonly code: string }[];
  } | null;
}

/** What each provider of an answer did, and the status of the answer. */
function outcomes(answer: { status: string; preprocessor_runs: readonly Run[] }) {
  const runs = answer.preprocessor_runs.map(
    ({ preprocessor_name: name, error, output_payload }) => {
      const codes = (output_payload?.warnings ?? []).flatMap(({ code }) =>
        code === 'fallback_used' ? [`\`${code}\``] : [],
      );
      const did = error
        ? `failed: \`${error.code}\``
        : [`${output_payload?.results.length} rows`, ...codes].join(', ');
      return [name, did] as const;
    },
  );
  return new Map([...runs, ['status', `\`${answer.status}\``] as const]);
}

test('the page shows what a search does whose default providers fail, without and with fallback', async () => {
  const page = readFileSync(new URL('../../../../docs/concepts.md', import.meta.url), 'utf8');
  const [, query = ''] = /"query": "([^"]*\[\[exa:[^"]*)"/.exec(page) ?? [];
  const ask = async (fallback: 'off' | 'auto') =>
    outcomes((await server.search({ user_input: { query }, search: { fallback } })).json);
  const [off, auto] = [await ask('off'), await ask('auto')];
  const rows = [...auto.keys()].map(
    (name) => `| \`${name}\` | ${off.get(name) ?? 'not asked'} | ${auto.get(name)} |`,
  );
  expect(page).toContain(['| | `"off"` | `"auto"` |', '| --- | --- | --- |', ...rows].join('\n'));
});
