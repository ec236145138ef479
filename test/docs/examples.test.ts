import { beforeAll, describe, expect, test } from 'vitest';
import { allBlocks, placeOf } from './blocks.ts';
import { isRequest } from './http.ts';
import { type Complaints, isRun, runPages } from './page-run.ts';
import { isShell } from './shell.ts';

const blocks = allBlocks();
const examples = blocks.filter(isRun);
const pages = [...new Set(examples.map(({ page }) => page))];
/** All commands of all pages, on a slow machine. */
const TIMEOUT_MS = 540_000;

let complaints: Complaints;
beforeAll(async () => {
  complaints = await runPages(blocks);
}, TIMEOUT_MS);

test('the docs have examples of each kind', () => {
  expect(examples.filter(isShell).length).toBeGreaterThan(10);
  expect(examples.filter(isRequest).length).toBeGreaterThan(10);
});

describe.each(pages)('every example of %s does what the page says', (page) => {
  const own = examples.filter((block) => block.page === page);
  test.each(own.map((block) => [placeOf(block), block.language, block] as const))(
    '%s (%s)',
    (place, _language, block) => {
      const complaint = complaints.get(block);
      if (complaint !== undefined) expect.fail(`${place}: ${complaint}`);
    },
  );
});
