import { findPassages } from '@trawl/extract';
import { describe, expect, test } from 'vitest';

const find = (content: string, query: string, maxCharacters = 4_000) =>
  findPassages(content, { query, maxCharacters });

const textsFor = (content: string, query: string, maxCharacters?: number) =>
  find(content, query, maxCharacters).map(({ text }) => text);

const filler = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `Paragraph ${at} tells of harbours, gulls and boats that wait for the wind.`,
  ).join('\n\n');

const PAGE = `# Tidal power

${filler(3)}

## History

The first pump ran in May 1987, below the old bridge.

${filler(3)}

## Costs

| Part | Price |
| --- | --- |
| Turbine | 40,000 |

\`\`\`sh
price --of turbine

# a comment with a blank line above
\`\`\`

${filler(3)}`;

describe('passages', () => {
  test('a small room holds the match of a long block', () => {
    const content = `${'words and more '.repeat(10)}pump ${'others too '.repeat(20)}`;
    const [passage] = findPassages(content, { query: 'pump', maxCharacters: 60 });
    expect(passage?.text).toContain('pump');
    expect([...(passage?.text ?? '')].length).toBeLessThanOrEqual(60);
  });

  test('are whole blocks with the heading directly above them', () => {
    expect(textsFor(PAGE, 'When did the first pump run?', 120)).toEqual([
      '## History\n\nThe first pump ran in May 1987, below the old bridge.',
    ]);
  });

  test('a heading counts for all below it, and neighbors are one passage', () => {
    expect(textsFor(PAGE, 'costs of a turbine', 170)).toEqual([
      '## Costs\n\n| Part | Price |\n| --- | --- |\n| Turbine | 40,000 |\n\n```sh\nprice --of turbine\n\n# a comment with a blank line above\n```',
    ]);
  });

  test('a heading does not count for what is below a later one of its level, or of a higher one', () => {
    const content = [
      '# Mill',
      '## Wheels',
      '### Spokes',
      'The first text of wood.',
      '## Bridges',
      'The second text of wood.',
      '# River',
      'The third text of wood.',
      '## Fish',
      'The fourth text of wood.',
    ].join('\n\n');
    const numbers = (query: string) =>
      textsFor(content, query)
        .join(' ')
        .match(/first|second|third|fourth/g);
    expect(numbers('mill')).toEqual(['first', 'second']);
    expect(numbers('wheels')).toEqual(['first']);
    expect(numbers('spokes')).toEqual(['first']);
    expect(numbers('river')).toEqual(['third', 'fourth']);
    expect(numbers('bridges')).toEqual(['second']);
  });

  test('each part comes with its own heading, where both fit', () => {
    const content = '# One\n\nThe mill of one.\n\nText.\n\n# Two\n\nThe mill of two.\n\nMore text.';
    expect(textsFor(content, 'mill')).toEqual([
      '# One\n\nThe mill of one.',
      '# Two\n\nThe mill of two.',
    ]);
    // the second heading does not fit any more
    expect(textsFor(content, 'mill', 45)).toEqual([
      '# One\n\nThe mill of one.',
      'The mill of two.',
    ]);
  });

  test('the part with the rarer word, and with more of them in less text, comes first', () => {
    const content = [
      'A mill near a river.',
      'A mill near a lake.',
      'A mill near a turbine.',
      `A turbine. ${'Other words without end. '.repeat(8)}`,
    ].join('\n\n');
    expect(textsFor(content, 'mill turbine', 25)).toEqual(['A mill near a turbine.']);
    expect(textsFor(content, 'turbine', 30)).toEqual(['A mill near a turbine.']);
  });

  test('are in the order of the page, with offsets in code points', () => {
    const content = `😀 Intro of the page.\n\nThe mill is old.\n\n${filler(2)}\n\n𠮷 The river and the mill, the mill.`;
    const passages = find(content, 'mill', 60);
    expect(passages.map(({ text }) => text)).toEqual([
      'The mill is old.',
      '𠮷 The river and the mill, the mill.',
    ]);
    for (const { text, offset } of passages) {
      expect([...content].slice(offset, offset + [...text].length).join('')).toBe(text);
    }
  });

  test.each([1, 7, 100, 999, 4_000, 20_000])('have at most %s characters together', (most) => {
    const content = `${PAGE}\n\n${'The turbine 😀 turns and turns. '.repeat(400)}\n\n${'turbine'.repeat(900)}`;
    const passages = find(content, 'turbine price', most);
    const joined = passages.map(({ text }) => text).join('\n\n');
    expect([...joined].length).toBeLessThanOrEqual(most);
    expect(passages.length).toBeGreaterThan(0);
    for (const { text, offset } of passages) {
      expect([...content].slice(offset, offset + [...text].length).join('')).toBe(text);
    }
  });

  test('a long block is cut at the ends of sentences', () => {
    const long = Array.from({ length: 90 }, (_, at) => `Sentence ${at} is about gulls.`);
    long[60] = 'The lighthouse was lit in 1901.';
    const [text = ''] = textsFor(long.join(' '), 'lighthouse', 600);
    expect(text).toContain('The lighthouse was lit in 1901.');
    expect(text).toMatch(/^Sentence .*\.$/);
  });

  test.each([
    ['case, accents and endings', 'CAFÉS opening', 'The café opened in spring.'],
    ['Chinese', '首次发电是什么时候', '该电站于一九八七年首次发电。'],
    ['Japanese', '水車はいつ作られましたか', 'この水車は江戸時代に作られました。'],
    ['Thai', 'โรงไฟฟ้าแห่งแรก', 'โรงไฟฟ้าแห่งแรกเปิดในปี 2530'],
    ['Korean', '풍차 건설', '풍차의 건설은 1987년에 끝났다.'],
    ['Arabic without vowel signs', 'المحطة الأولى', 'بُنيت المَحطّة الأولى قرب النهر.'],
    ['Russian', 'первая станция', 'Первая станция работает с мая.'],
    ['a single sign', '車', '車輪は木で作られた。'],
    ['a word next to another script', 'iphone15', '新しいiPhone15を買う。'],
  ])('%s', (_, query, wanted) => {
    const others = [
      filler(4),
      '今日は天気がいいです。',
      '这里没有别的东西。',
      'วันนี้อากาศดี',
      '오늘은 날씨가 좋다.',
      'طقس اليوم جميل',
    ];
    expect(textsFor([...others, wanted, filler(3)].join('\n\n'), query, 80)).toEqual([wanted]);
  });

  test('a text without a term of the query has none', () => {
    expect(find(PAGE, 'zebra')).toEqual([]);
    expect(find('', 'mill')).toEqual([]);
  });

  test('the same text has the same passages', () => {
    expect(find(PAGE, 'turbine bridge wind')).toEqual(find(PAGE, 'turbine bridge wind'));
  });
});
