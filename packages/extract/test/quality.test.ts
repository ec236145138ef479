import { beforeAll, describe, expect, test } from 'vitest';
import { meansBy, type Score, scoreAll } from './score.ts';

/**
 * `EXTRACTION_REPORT=1 npx vitest run packages/extract/test/quality` prints the figures next to
 * those of plain Readability.
 */
const isReport = Boolean(process.env.EXTRACTION_REPORT);

let scores: readonly Score[] = [];
beforeAll(async () => {
  scores = await scoreAll();
  if (isReport) console.log(report(scores));
});

describe('the text of pages', () => {
  test('of articles is nearly complete, with hardly anything else', () => {
    const articles = scores.filter(({ page }) => page.category === 'article');
    const [mean] = meansBy(articles, () => 'articles');
    expect(articles.length).toBeGreaterThan(10);
    expect(mean?.ours).toBeGreaterThanOrEqual(0.97);
  });

  test('of every kind is better than that of the usual reader view', () => {
    for (const { name, ours, plain } of meansBy(scores, ({ category }) => category)) {
      expect.soft(ours, name).toBeGreaterThanOrEqual(Math.max(plain, 0.9));
    }
  });

  test('is as good on pages that the extractor was not written for', () => {
    for (const { name, ours } of meansBy(scores, ({ half }) => half)) {
      expect.soft(ours, name).toBeGreaterThanOrEqual(0.96);
    }
  });

  test('has every code block and every row of every table in full', () => {
    const broken = scores.filter((score) => score.broken.length > 0);
    expect(broken.map(({ page, broken: parts }) => [page.name, parts])).toEqual([]);
  });
});

function report(all: readonly Score[]): string {
  const line = (name: string, ours: number, plain: number) =>
    `${name.padEnd(24)} ours ${ours.toFixed(4)}  plain ${plain.toFixed(4)}`;
  const means = [
    ...meansBy(all, ({ half }) => half),
    ...meansBy(all, ({ half, category }) => `${half} ${category}`),
    ...meansBy(all, () => 'all'),
  ].map(({ name, pages, ours, plain }) => line(`${name} (${pages})`, ours, plain));
  const worst = [...all].sort((a, b) => a.ours - b.ours).slice(0, 12);
  return [...means, ...worst.map(({ page, ours, plain }) => line(page.name, ours, plain))].join(
    '\n',
  );
}
