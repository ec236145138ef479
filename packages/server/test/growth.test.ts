import { readPage } from '@trawl/extract/testing';
import { titleText } from '@trawl/providers';
import { diagnosePage } from '@trawl/reader/testing';
import { growthOf } from '@trawl/test-support/cpu-growth';
import { byForm } from '@trawl/test-support/form';
import { describe, expect, test } from 'vitest';
import { GROWTH_CASES } from './support/growth-cases.ts';

/** A fifth of them, with all readers, and half as long; the chaos suite has all, and longer. */
const CASES = byForm({
  small: GROWTH_CASES.filter((_, at) => at % 5 === 3),
  full: GROWTH_CASES,
});
const PART = byForm({ small: 2, full: 1 });

describe('text from outside is read in linear time', () => {
  test.each(CASES)('$name', async ({ text, read, parts }) => {
    const { fault } = await growthOf({ given: text, work: read, most: parts / PART });
    expect(fault).toBeUndefined();
  });
});

describe('text from outside is read correctly', () => {
  const words = 'Words of a sentence, and more. '.repeat(20).trim();

  test('a heading keeps its words and loses its link sign', async () => {
    const { content } = await readPage(
      `<h2>One [two] ( <a href="https://x.example/a">¶</a></h2><p>${words}</p><h2>Two #</h2><p>Other ${words}</p>`,
    );
    expect(content).toBe(`## One [two] (\n\n${words}\n\n## Two\n\nOther ${words}`);
  });

  test('empty lines end a paragraph, single breaks do not', async () => {
    const { content } = await readPage(`<p>${words}<br>one<br> <br>  <br> two</p>`);
    expect(content).toBe(`${words}  \none\n\ntwo`);
  });

  test('late parts are put into their places, in order', async () => {
    const { content } = await readPage(
      `<p>${words}</p><template id="B:0"></template><p>Between.</p><template id="B:1"></template>
      <div hidden id="S:1"><p>Second.</p></div><div hidden id="S:0"><p>First.</p><p>And more.</p></div>`,
    );
    expect(content).toBe(`${words}\n\nFirst.\n\nAnd more.\n\nBetween.\n\nSecond.`);
  });

  test('headings at the end are removed, the one before the last text stays', async () => {
    // of a small page they stay
    const long = `${words} `.repeat(5).trim();
    const { content } = await readPage(
      `<h2>Kept</h2><p>${long}</p><h3>Gone</h3><div><i> </i></div><h2>Gone too</h2>`,
    );
    expect(content).toBe(`## Kept\n\n${long}`);
  });

  test('the first heading of a markdown document is its title', async () => {
    const titleOf = async (body: string) =>
      (await readPage({ body, contentType: 'text/markdown' })).title;
    expect(await titleOf('---\n# no\n---\n\n# The mill ##\n\ntext')).toBe('The mill');
    expect(await titleOf(`# ${'long '.repeat(100)}\n# Short`)).toBe('Short');
    expect(await titleOf('## Second\n\ntext')).toBeNull();
  });

  test('a block of base64 among words is not a page', () => {
    const block = `${'QUJDwxyz0189'.repeat(6)}\n`.repeat(20);
    const content = `Attachment:\n\n${block}QUI=\n`;
    const evidence = { content, title: null, html: null, url: '', finalUrl: null };
    const verdict = diagnosePage({
      ...{ ...evidence, contentFormat: 'text', httpStatus: 200, contentType: null },
    });
    expect(verdict?.reason).toBe('base64_as_text');
  });

  test('a title keeps its words and loses markup and blanks', () => {
    expect(titleText('  The <b>mill</b>\n\n &amp; the  river ')).toBe('The mill & the river');
  });
});
