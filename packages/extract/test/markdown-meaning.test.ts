import { byForm } from '@trawl/test-support/form';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHtml } from '../src/dom/parse-html.ts';
import { writeContent } from '../src/markdown/blocks.ts';
import { createWriting } from '../src/markdown/writing.ts';
import { generatedBlocks } from './support/generated-content.ts';
import { renderedOutline, SIGNS, withoutSigns } from './support/rendered.ts';

const RUNS = byForm({ small: 150, full: 500 });

const write = (html: string): string =>
  writeContent(
    parseHtml(`<body>${html}</body>`).body,
    createWriting('markdown', 'https://site.example/'),
  );

describe('markdown that is rendered again shows what the page shows', () => {
  test('the same blocks and marks', () => {
    const blocks = generatedBlocks({
      marks: { b: SIGNS.bold, em: SIGNS.emphasis, s: SIGNS.deleted },
      between: ' ',
      hasAddresses: true,
    });
    fc.assert(
      fc.property(blocks, ({ html, outline }) => {
        const markdown = write(html);
        expect(renderedOutline(markdown), markdown).toEqual(outline);
      }),
      { numRuns: RUNS },
    );
  });

  // where letters touch on both sides of two marks, CommonMark has no way to write both
  test('the same blocks and text where marks are within words', () => {
    const blocks = generatedBlocks({
      marks: { b: '', em: '', s: '' },
      between: '',
      hasAddresses: false,
    });
    fc.assert(
      fc.property(blocks, ({ html, outline }) => {
        const markdown = write(html);
        const shown = renderedOutline(markdown).map(withoutSigns);
        expect(shown, markdown).toEqual(outline);
      }),
      { numRuns: RUNS },
    );
  });
});
