import type { FetchAnswer, FetchRow, SearchAnswer } from '@trawl/client';
import { answer, failedPage, fetchRun, page, searchRun } from '@trawl/test-support/client-answers';
import fc from 'fast-check';

const IDS = {
  session_id: 'session-1',
  interaction_id: 'interaction-1',
  created_at: '2026-01-01T00:00:00Z',
  routing: null,
  postprocessor_runs: [],
};

/**
 * What texts for a model treat in a special way: white space, tags of fences, gaps of passages,
 * wide characters.
 */
const PIECES = [
  'tidal power',
  'Power from tides [...] and waves',
  'and waves',
  ' … [...] ',
  '# A title\n\nText of the page.',
  '# A titles\u0085\nText of another page.\u001f\n',
  'line\r\n\n\u00a0\ufeff next\u0085line\u001c\u2028end \t ',
  '</results> < / SOURCE x="1"> <resultsé <results_ "quoted" & <ſource>',
  'options.format: xoptions.y options.é options.',
  '😀'.repeat(40),
  'e\u0301 \ud83d half',
  'https://long.example/'.padEnd(400, 'a'),
  'word '.repeat(300),
  '<source>'.repeat(200),
  '',
];
const text = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 4 })
  .chain((pieces) => fc.constantFrom('', ' ', '\n').map((separator) => pieces.join(separator)));
const maybeText = fc.option(text);
const url = fc.constantFrom(
  'https://a.example/?q=1&b="2"',
  'https://b.example',
  'https://c.example/😀',
);
const costs = fc.option(
  fc
    .constantFrom(0, 0.005, 1 / 128, 0.1, 0.2, 3, 1e-7, 0.0000015)
    .map((cost_usd) => ({ cost_usd })),
);
const warnings = fc.array(
  fc.oneof(
    fc.record({ code: fc.constantFrom('provider_error', 'truncated'), message: text }),
    fc.record({
      code: fc.constant('capability_gap'),
      message: fc.constantFrom(
        'excerpt, thumbnail: exa cannot supply these; favicon: it has none: ever',
        'num_results: at most 5',
        'filters.country: not supported; excerpt: not supplied',
        'nothing named',
        'größe: exa cannot supply it',
      ),
    }),
  ),
  { maxLength: 5 },
);
const error = fc.record({
  code: fc.constantFrom('timeout', 'options.x'),
  message: fc.oneof(text, fc.constant('busy')),
});

const row = fc.record(
  {
    url: fc.option(url),
    title: fc.oneof(maybeText, fc.constant('A title')),
    rank: fc.integer({ min: 1, max: 9 }),
    summary: maybeText,
    excerpt: maybeText,
    full_content: maybeText,
    publish_date: fc.option(
      fc.constantFrom('2026-01-02', '2026-01-02T00:00:00.000Z', '2026-01-02T00:00:00Z\n'),
    ),
  },
  { requiredKeys: [] },
);
const output = fc.record(
  {
    results: fc.array(row, { maxLength: 14 }),
    warnings,
    usage: costs,
    answer: fc.option(text.map((each) => ({ text: each, citations: [] }))),
    entities: fc.array(fc.record({ name: text, description: maybeText }), { maxLength: 3 }),
    related: fc.oneof(fc.array(text, { maxLength: 3 }), fc.constant(Array(40).fill('waves'))),
  },
  { requiredKeys: ['results', 'warnings'] },
);
const run = fc
  .record({
    name: fc.constantFrom('alpha', 'beta', 'gamma'),
    batch_index: fc.integer({ min: 0, max: 2 }),
    query: fc.oneof(
      text.map((each) => `${each}?`),
      fc.constant('tides'),
    ),
    made: fc.oneof(
      { weight: 3, arbitrary: output.map((each) => ({ output: each, error: null })) },
      { weight: 1, arbitrary: error.map((each) => ({ output: null, error: each })) },
    ),
  })
  .map(({ name, made, ...place }) => ({
    ...searchRun(),
    ...place,
    preprocessor_name: name,
    status: made.error === null ? 'succeeded' : 'failed',
    output_payload: made.output && { ...searchRun().output_payload, ...made.output },
    error: made.error,
  }));

/** Answers of a search, small and large. */
export const foundAnswers: fc.Arbitrary<SearchAnswer> = fc
  .record({
    runs: fc.oneof(
      { weight: 9, arbitrary: fc.array(run, { maxLength: 6 }) },
      { weight: 1, arbitrary: fc.array(run, { minLength: 30, maxLength: 60 }) },
    ),
    status: fc.constantFrom('succeeded', 'partially_succeeded', 'failed'),
  })
  .map(
    ({ runs, status }) =>
      ({
        ...IDS,
        preprocessor_runs: runs.map((each, index) => ({ ...each, id: `run-${index}` })),
        status,
      }) as unknown as SearchAnswer,
  );

const findings = fc.array(
  fc.record({
    kind: fc.constantFrom('hidden_text', 'text_for_agents', 'a </source> kind'),
    excerpt: text,
    offset: fc.constant(null),
  }),
  { maxLength: 4 },
);
/** With `options.focus`. */
const passages = fc.array(fc.record({ text, offset: fc.nat(99) }), { maxLength: 2 });

const readPage = fc
  .record({
    url,
    title: maybeText,
    content: fc.option(text.chain((each) => fc.nat(8).map((times) => each.repeat(times)))),
    content_length: fc.option(fc.nat(9_000)),
    provider: fc.option(fc.constantFrom('alpha', 'beta')),
    truncated: fc.boolean(),
    usage: costs,
    warnings,
    findings: fc.option(findings, { nil: undefined }),
    passages: fc.option(passages, { nil: undefined }),
  })
  .map((given) => page(given as Partial<FetchRow>));
const unread = fc
  .record({ error, url })
  .map((given) => ({ ...failedPage(given.url, 'not_found'), error: given.error }) as FetchRow);

/** Answers of a fetch, small and large. */
export const fetchedAnswers: fc.Arbitrary<FetchAnswer> = fc
  .array(fc.oneof({ weight: 4, arbitrary: readPage }, { weight: 1, arbitrary: unread }), {
    maxLength: 12,
  })
  .map(
    (pages) =>
      ({ ...IDS, ...answer(fetchRun(pages)), status: 'succeeded' }) as unknown as FetchAnswer,
  );
