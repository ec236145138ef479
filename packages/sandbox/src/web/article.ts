import { imageOf, linksOf, type Page, sectionsOf } from '../content.ts';
import { diceFor } from '../seed.ts';
import type { Block } from './blocks.ts';

/** A whole article: sections with an image, a list, a table, a code block and links among them. */
export function articleOf(page: Page): readonly Block[] {
  return sectionsOf(page).flatMap(({ heading, paragraphs }, index) => [
    { kind: 'heading', text: heading } as const,
    ...paragraphs.map((text) => ({ kind: 'paragraph', text }) as const),
    ...extrasOf(page, index),
  ]);
}

/** Over 60,000 characters: the article many times, each time under headings of its own. */
export function longArticleOf(page: Page): readonly Block[] {
  const blocks = articleOf(page);
  const parts = Array.from({ length: 20 }, (_, index) => index + 1);
  return parts.flatMap((part) =>
    blocks.map((block) =>
      block.kind === 'heading' ? { ...block, text: `Part ${part}: ${block.text}` } : block,
    ),
  );
}

function extrasOf(page: Page, section: number): readonly Block[] {
  switch (section) {
    case 0:
      return [{ kind: 'image', alt: `Cover: ${page.topic}`, url: imageOf(page, 'cover') }];
    case 1:
      return [{ kind: 'list', items: ['Collect', 'Compare', 'Decide'] }];
    case 2:
      return [tableOf(page)];
    case 3:
      return [{ kind: 'image', alt: 'Costs by year', url: imageOf(page, 'costs') }];
    case 5:
      return [codeOf(page)];
    case 6:
      return [{ kind: 'links', links: furtherReading(page) }];
    default:
      return [];
  }
}

function tableOf(page: Page): Block {
  const dice = diceFor('table', page.topic, page.id);
  const row = (year: number) => [String(year), String(dice.below(900)), `${dice.below(100)} %`];
  return { kind: 'table', rows: [['Year', 'Cases', 'Share'], row(2023), row(2024), row(2025)] };
}

function codeOf(page: Page): Block {
  const topic = JSON.stringify(page.topic);
  const code = `const topic = ${topic};\nif (topic.length > 0) {\n  console.log(topic);\n}`;
  return { kind: 'code', language: 'js', code };
}

function furtherReading(page: Page) {
  return linksOf(page, 3).map((url, index) => ({ text: `Further reading ${index + 1}`, url }));
}
