import type { InteractionDetails, VerifiedQuote } from '@trawl/contract';
import { expect, test } from 'vitest';
import { quotedText } from '../../src/pages/session/quote-place.tsx';

const record = (output: object) =>
  ({ preprocessor_runs: [{ id: 'run', output_payload: output }] }) as unknown as InteractionDetails;
const found = (given: Partial<VerifiedQuote>) =>
  ({ run_id: 'run', row: 1, ...given }) as unknown as VerifiedQuote;

const fetched = record({
  fetched_results: [
    {
      content: 'a 🦢 here and a 🦢 there',
      passages: [
        { text: 'one passage', offset: 0 },
        { text: 'another 🦢 passage', offset: 500 },
      ],
      chunks: ['first chunk', 'second chunk'],
    },
  ],
});

test.each([
  ['content', 15, '🦢 there', 'a 🦢 here and a 🦢 there', 16],
  ['passages', 510, 'passage', 'another 🦢 passage', 11],
  ['chunks', 7, 'chunk', 'second chunk', 7],
] as const)('%s is marked where the quote is', (field, offset, passage, text, start) => {
  expect(quotedText(fetched, found({ field, offset, passage }))).toEqual({
    text,
    start,
    end: start + passage.length,
  });
});

test('rows and answers of a search are marked too', () => {
  const searched = record({
    results: [{ title: 'A title', summary: 'what it says' }],
    answer: { text: 'in words', citations: [] },
  });
  const place = quotedText(searched, found({ field: 'summary', offset: 5, passage: 'it says' }));
  expect(place).toEqual({ text: 'what it says', start: 5, end: 12 });
  const answer = found({ field: 'answer', row: null, offset: 3, passage: 'words' });
  expect(quotedText(searched, answer)).toMatchObject({ text: 'in words', start: 3 });
});

test('a place that the record does not have is none', () => {
  for (const wrong of [
    { field: 'content', offset: 3, passage: 'gone' },
    { field: 'content', offset: 900, passage: 'here' },
    { field: 'content', row: 7, offset: 0, passage: 'a' },
    { field: 'summary', offset: 0, passage: 'a' },
    { field: 'content', run_id: 'other', offset: 0, passage: 'a' },
  ] as const) {
    expect(quotedText(fetched, found(wrong))).toBeUndefined();
  }
});
