import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { byForm } from '@trawl/test-support/form';
import { Tiktoken } from 'js-tiktoken/lite';
import o200kBase from 'js-tiktoken/ranks/o200k_base';
import { expect, test } from 'vitest';
import { ROOT } from '../../../../scripts/source-files.mjs';
import { estimateTokens } from '../../src/context/tokens.ts';

const encoder = new Tiktoken(o200kBase);
const countOf = (text: string): number => encoder.encode(text, [], []).length;

/** As long as a passage. */
const LENGTH = 1_200;
const TEXTS = 100;
/** Counting takes long where no blanks are. */
const TEXTS_WITHOUT_BLANKS = byForm({ small: 30, full: 100 });

/** Messages of the compiler that a development package brings, in the language of a folder. */
function messages(language: string): readonly string[] {
  const require = createRequire(join(ROOT, 'node_modules/@arethetypeswrong/core/package.json'));
  const path = require.resolve(`typescript/lib/${language}/diagnosticMessages.generated.json`);
  return Object.values<string>(JSON.parse(readFileSync(path, 'utf8')));
}

const prose = (language: string): readonly string[] =>
  readFileSync(new URL('support/prose.tsv', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith(`${language}\t`) ? line.slice(language.length + 1) : []));

/** Sentences in other orders, always the same ones. */
const shuffled = (sentences: readonly string[]): readonly string[] =>
  Array.from({ length: 60 }, (_, turn) =>
    sentences.map(
      (_text, index) => sentences[(index * 7 + turn * 3 + index * turn) % sentences.length] ?? '',
    ),
  ).flat();

const files = (folder: string, end: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .sort()
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'));

/** Texts of the length of a passage, spread over all that there is. */
function textsOf(parts: readonly string[], joint: string): readonly string[] {
  const whole = parts.join(joint);
  const length = joint === '' ? TEXTS_WITHOUT_BLANKS : TEXTS;
  const step = Math.max(1, Math.floor((whole.length - LENGTH) / length));
  return Array.from({ length }, (_, index) =>
    whole.slice(index * step, index * step + LENGTH).toWellFormed(),
  );
}

const KINDS: Readonly<Record<string, () => readonly string[]>> = {
  English: () => textsOf(files('docs', '.md'), '\n'),
  German: () => textsOf(messages('de'), ' '),
  French: () => textsOf(messages('fr'), ' '),
  Spanish: () => textsOf(messages('es'), ' '),
  Russian: () => textsOf(messages('ru'), ' '),
  Arabic: () => textsOf(shuffled(prose('arabic')), ' '),
  Chinese: () => [...textsOf(messages('zh-cn'), ''), ...textsOf(shuffled(prose('chinese')), '')],
  Japanese: () => [...textsOf(messages('ja'), ''), ...textsOf(shuffled(prose('japanese')), '')],
  code: () =>
    textsOf([...files('packages/router/src', '.ts'), ...files('clients/python/src', '.py')], '\n'),
};

test.each(Object.entries(KINDS))('the estimate is at least the count: %s', (kind, textsOfKind) => {
  const shares = textsOfKind()
    .map((text) => estimateTokens(text) / countOf(text))
    .sort((a, b) => a - b);
  expect(shares.length).toBeGreaterThanOrEqual(60);
  const below = shares.filter((share) => share < 1).length;
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const cells = [
    shares.length,
    below,
    shares[0]?.toFixed(2),
    mean.toFixed(2),
    shares.at(-1)?.toFixed(2),
  ];
  console.log(`| ${[kind, ...cells].join(' | ')} |`);
  expect(below).toBeLessThanOrEqual(shares.length / 100);
  // an estimate that is far too high would waste the budget
  expect(mean).toBeLessThan(1.35);
});

test('the estimates of parts add up to at least that of the whole', () => {
  const [text = ''] = KINDS.English?.() ?? [];
  const cut = Math.floor(text.length / 2);
  const parts = estimateTokens(text.slice(0, cut)) + estimateTokens(text.slice(cut));
  expect(parts).toBeGreaterThanOrEqual(estimateTokens(text) - 5);
});
