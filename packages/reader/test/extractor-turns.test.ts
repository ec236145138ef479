import { PAGE_FIELDS } from '@trawl/contract';
import { extractProgram } from '@trawl/test-support/threads';
import { expect, onTestFinished, test } from 'vitest';
import { createExtractor, type ExtractorOptions } from '../src/threads/extractor.ts';
import { evidence } from './diagnosis/diagnose-support.ts';

const OPTIONS = { contentFormat: 'markdown', fields: new Set(PAGE_FIELDS) } as const;

/** Extraction threads for one test, on which a text that says `never done` never ends. */
async function pool(given: Partial<ExtractorOptions>) {
  const workerUrl = await extractProgram('hanging-worker');
  const extractor = createExtractor({ workerUrl, threads: 2, pageTimeoutMs: 600_000, ...given });
  onTestFinished(() => extractor.close());
  const done: string[] = [];
  const read = async (callerId: string, text: string, more: Partial<typeof AMPLE> = {}) => {
    const body = new TextEncoder().encode(`<p>${text}</p>`);
    const page = { url: 'https://site.example/', status: 200, contentLanguage: null, body };
    const limits = { ...AMPLE, ...more, callerId };
    const got = await extractor.extract({ ...page, contentType: 'text/html' }, OPTIONS, limits);
    done.push(text);
    return got;
  };
  const check = async (callerId: string, text: string, more: Partial<typeof AMPLE> = {}) => {
    const got = await extractor.diagnose(evidence(text), { ...AMPLE, ...more, callerId });
    done.push(text);
    return got;
  };
  const focus = (content: string, more: Partial<typeof AMPLE> = {}) =>
    extractor.focus(
      content,
      { query: 'done', maxCharacters: 50 },
      { ...AMPLE, ...more, callerId: 'a' },
    );
  return { read, check, focus, done };
}

const AMPLE = { timeoutMs: 600_000, signal: new AbortController().signal };

test('API keys take turns for a thread', async () => {
  const { read, done } = await pool({ threads: 1 });
  const pages = [
    read('key-d', 'd1'),
    ...['a1', 'a2', 'a3'].map((text) => read('key-a', text)),
    ...['b1', 'b2'].map((text) => read('key-b', text)),
    read('key-c', 'c1'),
  ];
  await Promise.all(pages);
  expect(done).toEqual(['d1', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test.each([2, 3])('one key never takes the last of %i free threads', async (threads) => {
  const { read, done } = await pool({ threads });
  const leave = new AbortController();
  const hostile = Array.from({ length: 10 }, () =>
    read('key-a', 'never done', { signal: leave.signal }),
  );
  const ordinary = await Promise.all(['b1', 'b2'].map((text) => read('key-b', text)));
  expect(ordinary).toMatchObject([{ kind: 'page' }, { kind: 'page' }]);
  expect(done).toEqual(['b1', 'b2']);
  leave.abort();
  expect(await Promise.all(hostile)).toEqual(hostile.map(() => ({ kind: 'cancelled' })));
});

test('a single key may use all threads but one', async () => {
  const { read, done } = await pool({ threads: 3 });
  const stuck = new AbortController();
  const first = read('key-a', 'never done', { signal: stuck.signal });
  await Promise.all(['a1', 'a2', 'a3'].map((text) => read('key-a', text)));
  expect(done).toEqual(['a1', 'a2', 'a3']);
  stuck.abort();
  await first;
});

test('the text of a paid page is checked before the pages that its key has waiting', async () => {
  const { read, check, done } = await pool({ threads: 1 });
  await Promise.all([
    ...['a1', 'a2', 'a3'].map((text) => read('key-a', text)),
    check('key-a', 'paid'),
  ]);
  expect(done).toEqual(['a1', 'paid', 'a2', 'a3']);
});

test('a page whose caller has left is dropped from the queue and not read', async () => {
  const { read, done } = await pool({ threads: 1 });
  const leave = new AbortController();
  const pages = [
    read('key-a', 'a1'),
    read('key-a', 'never done', { signal: leave.signal }),
    read('key-a', 'a2'),
  ];
  leave.abort();
  expect(await pages[1]).toEqual({ kind: 'cancelled' });
  await Promise.all(pages);
  expect(done).toEqual(['never done', 'a1', 'a2']);
});

test('a page that takes longer than the limit is given up, and the reason names the limit and its setting', async () => {
  const { read, check } = await pool({ pageTimeoutMs: 100 });
  const reason = 'reading it took longer than 100 ms, the limit PAGE_READ_TIMEOUT_MS';
  const verdict = { code: 'timeout', reason, httpStatus: 200 };
  expect(await read('key-a', 'never done')).toEqual({ kind: 'verdict', verdict });
  const given = { kind: 'diagnosed', verdict, measure: null, quality: null, findings: [] };
  expect(await check('key-a', 'never done')).toEqual(given);
});

test('a page without a free thread is our fault, and not a verdict on the page', async () => {
  const { read, check } = await pool({ threads: 1 });
  const leave = new AbortController();
  const stuck = read('key-a', 'never done', { signal: leave.signal });
  const late = { timeoutMs: 50 };
  expect(await read('key-b', 'b1', late)).toEqual({
    kind: 'fault',
    code: 'timeout',
    happened: 'had no free thread to read the page within the time of the attempt',
  });
  expect(await check('key-b', 'b1', late)).toEqual({
    kind: 'fault',
    code: 'timeout',
    happened: 'sent the page, but no thread was free to check its text in time',
  });
  leave.abort();
  await stuck;
});

test('passages that take too long are missing, and the next text has its own', async () => {
  const { focus } = await pool({ threads: 1, pageTimeoutMs: 1_000 });
  const stuck = focus('never done');
  expect(await stuck).toBeNull();
  expect(await focus('It is done.')).toEqual([{ text: 'It is done.', offset: 0 }]);
  expect(await focus('It is done.', { signal: AbortSignal.abort() })).toBeNull();
});
