import { createHash } from 'node:crypto';
import { findQuotes, type QuotedText } from '@trawl/extract';
import { growthOf } from '@trawl/test-support/cpu-growth';
import { describe, expect, test } from 'vitest';

const textOf = (text: string, more: Partial<QuotedText> = {}): QuotedText => ({
  text,
  addresses: [],
  weight: 0,
  ...more,
});

const find = (texts: readonly QuotedText[], text: string, address: string | null = null) =>
  findQuotes(texts, [{ text, address, best: null }])[0];

const statusOf = (page: string, quote: string) => find([textOf(page)], quote)?.status ?? null;

test.each([
  ['as it is written', 'The mill ran until May 1987.', 'ran until May 1987', 'exact'],
  ['with another line break', 'ran until\n  May 1987', 'ran until May 1987', 'normalized'],
  [
    'with other quotation marks',
    'called “the old mill” here',
    `called 'the old mill'`,
    'normalized',
  ],
  ['with another dash', 'the mill — the old one', 'the mill - the old one', 'normalized'],
  [
    'with a word that a line divides',
    'the turbines of the har-\nbour',
    'of the harbour',
    'normalized',
  ],
  ['with soft hyphens', 'the tur\u00adbines turn', 'the turbines turn', 'normalized'],
  ['with a ligature', 'the \ufb01rst o\ufb03ce', 'the first office', 'normalized'],
  ['with composed letters', 'cafe\u0301 au lait', 'café au lait', 'normalized'],
  [
    'without the markup of markdown',
    'a **very [old](https://a.example/x_(y)) mill**',
    'a very old mill',
    'normalized',
  ],
  [
    'with an ellipsis',
    'The mill, built in 1850, ran until 1987',
    'The mill … ran until 1987',
    'normalized',
  ],
  [
    'with an ellipsis in brackets',
    'The mill, built in 1850, ran',
    'The mill [...] ran',
    'normalized',
  ],
  [
    'with the full stop of its sentence',
    'ran until 1987, and then',
    'ran until 1987.',
    'normalized',
  ],
  [
    'with a few letters changed',
    'The mill ran until the spring of 1987',
    'The mill run until the spring of 1987',
    'near',
  ],
  ['in another case', 'The mill ran until then', 'the mill ran until then', 'near'],
  ['with parts in another order', 'ran until 1987, the mill', 'the mill … ran until', null],
  ['with a power as a number', 'It is 10² metres', 'It is 102 metres', 'near'],
  ['invented', 'The mill ran until May 1987', 'Nobody ever saw a turbine here', null],
  ['without a letter', 'The mill', '…', null],
])('a quote is found %s', (_, page, quote, status) => {
  expect(statusOf(page, quote)).toBe(status);
});

const CANCER = 'likely to cause cancer';

test.each([
  ['inside a word', `It is un${CANCER}.`, CANCER, 'near'],
  ['at the end inside a word', 'They found the causes of it', 'found the cause', 'near'],
  ['inside a short word', 'It is unlikely', 'likely', null],
  ['in a word that a line divides', `It is un-\n${CANCER}.`, CANCER, 'near'],
  ['in a word with a soft hyphen', `It is un\u00ad${CANCER}.`, CANCER, 'near'],
  ['behind another place inside a word', `un${CANCER}, then ${CANCER}`, CANCER, 'exact'],
  ['behind a hyphen', 'a well-known author of books', 'known author of books', 'exact'],
  ['behind markup', `It is **${CANCER}**.`, CANCER, 'exact'],
  ['before a note', 'The mill ran until 1987[1] or so', 'The mill ran until 1987', 'exact'],
  ['inside a number', 'Of 110 million', '10 million', null],
  ['inside a number, in a long quote', 'take 15 mg of it daily', '5 mg of it daily', 'near'],
  ['behind a sign', 'It was -5 mg', '5 mg', null],
  ['behind a sign and a blank before', 'a loss (−5 % of sales)', '5 % of sales', 'near'],
  ['behind a decimal point', 'It was 1.5 mg', '5 mg', null],
  ['behind a decimal point alone', 'It was .5 mg', '5 mg', null],
  ['before a decimal point', 'It costs 1.5', 'costs 1', null],
  ['before a separator of thousands', 'It costs 1,500', 'costs 1', null],
  ['at the end of a range', 'Take 3-5 mg', '5 mg', 'exact'],
  ['behind a dash', 'The dose – 5 mg – is high', '5 mg', 'exact'],
  ['at the end of a sentence', 'It was 1987. 15 mills ran', '15 mills', 'exact'],
  ['without blanks between words', '発電所は1987年に運転を開始した', '運転を開始', 'exact'],
  ['whose first part is inside a word', 'unlikely it is, to cause it', 'likely … cause it', null],
])('a quote %s', (_, page, quote, status) => {
  expect(statusOf(page, quote)).toBe(status);
});

test('a near match has whole words and numbers, and counts what it adds', () => {
  expect(find([textOf(`It is un${CANCER}.`)], CANCER)).toMatchObject({
    status: 'near',
    distance: 2,
    passage: `un${CANCER}`,
  });
});

test('long quotes take hardly any time in texts that are too short for them', () => {
  const texts = Array.from({ length: 3_000 }, (_, at) => textOf(`row ${at} of the table`));
  const secondsOf = (length: number): number => {
    const quotes = Array.from({ length: 100 }, (_, at) => ({
      text: `${at} ${'word '.repeat(length / 5)}`,
      address: null,
      best: null,
    }));
    const before = process.cpuUsage();
    findQuotes(texts, quotes);
    return process.cpuUsage(before).user / 1e6;
  };
  const short = secondsOf(50);
  expect(secondsOf(2_000)).toBeLessThan(4 * short + 0.2);
});

test('a match has its place in code points, the passage, its distance and the hash', () => {
  const page = '🌊🌊 They said “ten\nturbines” turn there.';
  expect(find([textOf(page)], `"ten turbines" turn`)).toMatchObject({
    status: 'normalized',
    distance: 0,
    offset: 13,
    passage: '“ten\nturbines” turn',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const near = find([textOf(page)], 'They said ten turbine turned there');
  expect(near).toMatchObject({ status: 'near', offset: 3 });
  expect(near?.passage).toMatch(/^They said .* there$/s);
});

test('an exact match is chosen before the weight of its text, and that before the order', () => {
  const texts = [
    textOf('the  old mill', { weight: 0 }),
    textOf('the old mill', { weight: 2 }),
    textOf('so the old mill', { weight: 1 }),
    textOf('the old mill', { weight: 1 }),
  ];
  expect(find(texts, 'the old mill')).toMatchObject({ status: 'exact', index: 2, offset: 3 });
});

test('only texts of the address are searched, and only a better match is returned', () => {
  const texts = [textOf('the old mill', { addresses: ['a'] }), textOf('the old mill')];
  expect(find(texts, 'the old mill', 'b')).toBeNull();
  expect(find(texts, 'the old mill', 'a')).toMatchObject({ index: 0 });
  const best = { status: 'exact', distance: 0, weight: 0 } as const;
  expect(findQuotes(texts, [{ text: 'the old mill', address: null, best }])).toEqual([null]);
});

/** A generator of the same numbers each time, from 0 to 1. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return ((state >>> 8) % 65_536) / 65_536;
  };
}

describe('time grows with the text', () => {
  const long = (make: (at: number) => string) => Array.from({ length: 4 }, (_, at) => make(at));
  test.each([
    ['one letter', (size: number) => 'a'.repeat(size), long((at) => `b${'a'.repeat(1_900 + at)}`)],
    [
      'one letter, with others in the quote',
      (size: number) => 'a'.repeat(size),
      long((at) => `${'a'.repeat(900 + at)}${'b'.repeat(240)}${'a'.repeat(800)}`),
    ],
    ['ellipses', (size: number) => 'a b '.repeat(size / 4), long(() => 'a… '.repeat(600))],
    ['dashes', (size: number) => '- '.repeat(size / 2), ['- x']],
    ['soft hyphens', (size: number) => '\u00ad '.repeat(size / 2), ['- x']],
    ['links', (size: number) => ']('.repeat(size / 2), ['- x']],
    ['links with brackets', (size: number) => ']((x) '.repeat(size / 6), ['- x']],
    ['marks', (size: number) => `a${'\u0301\u0323'.repeat(size / 2)}`, ['- x']],
    [
      'marks that are no match at their end',
      (size: number) => `${'“'.repeat(1_990)}"`.repeat(size / 1_991),
      long(() => `${'“'.repeat(1_500)}${'"'.repeat(500)}`),
    ],
  ])('%s', async (_, given, quotes) => {
    const wanted = quotes.map((text) => ({ text, address: null, best: null }));
    const { fault } = await growthOf({
      given: (size) => [textOf(given(size))],
      work: (texts) => findQuotes(texts, wanted),
      most: 80_000,
    });
    expect(fault).toBeUndefined();
  });
});

test('of 300 planted quotes true ones are found, altered ones are near, invented ones are not', () => {
  const next = numbersFrom(20_261);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const syllables = 'ta ri mo lan der ves ki po sur ne gal ith or ben quo'.split(' ');
  const words = Array.from({ length: 1_500 }, () =>
    Array.from({ length: 1 + Math.floor(next() * 3) }, () => pick(syllables)).join(''),
  );
  const prose = (count: number) => Array.from({ length: count }, () => pick(words)).join(' ');
  const pages = Array.from({ length: 30 }, () => textOf(prose(1_500)));
  const taken = () => {
    const all = pick(pages).text.split(' ');
    const length = 8 + Math.floor(next() * 30);
    const start = Math.floor(next() * (all.length - length));
    return all.slice(start, start + length);
  };
  const planted = Array.from({ length: 100 }, (_, at) => taken().join(at % 2 ? '\n' : ' '));
  const altered = Array.from({ length: 100 }, () => {
    const all = taken();
    all[Math.floor(all.length / 2)] = pick(words);
    return all.join(' ');
  });
  const invented = Array.from({ length: 100 }, () => prose(20));
  const statuses = (quotes: readonly string[]) =>
    findQuotes(
      pages,
      quotes.map((text) => ({ text, address: null, best: null })),
    ).map((match) => match?.status);
  expect(statuses(planted)).toEqual(planted.map((_, at) => (at % 2 ? 'normalized' : 'exact')));
  const near = statuses(altered).filter((status) => status === 'near');
  expect(near.length).toBeGreaterThanOrEqual(90);
  expect(statuses(invented).filter(Boolean)).toEqual([]);
});

describe('of several texts that have a quote', () => {
  const QUOTE = 'the wheel of the old mill ran until May 1987';
  const NEAR = 'the wheel of the old mill ran until May 1978';
  const NEARER = 'the wheel of the old mill ran until Mai 1987';
  const FARTHER = 'the wheels of an old mill ran until Mai 1987';
  const wanted = (best: Parameters<typeof findQuotes>[1][number]['best']) => ({
    ...{ text: QUOTE, address: null, best },
  });
  const indexOf = (...texts: QuotedText[]) => find(texts, QUOTE)?.index ?? null;

  test('the one with the smaller distance, then the smaller weight, then the earlier is named', () => {
    expect(indexOf(textOf(NEAR), textOf(NEARER))).toBe(1);
    expect(indexOf(textOf(NEARER), textOf(NEAR))).toBe(0);
    expect(
      indexOf(
        textOf(NEAR, { weight: 3 }),
        textOf(NEAR, { weight: 1 }),
        textOf(NEAR, { weight: 2 }),
      ),
    ).toBe(1);
    expect(indexOf(textOf(NEAR, { weight: 1 }), textOf(NEAR, { weight: 1 }))).toBe(0);
    expect(indexOf(textOf(QUOTE, { weight: 5 }), textOf(QUOTE, { weight: 4 }))).toBe(1);
    expect(
      indexOf(
        textOf(FARTHER),
        textOf(`(${QUOTE.replaceAll(' ', '\n')})`, { weight: 9 }),
        textOf(NEARER),
      ),
    ).toBe(1);
    expect(indexOf(textOf(QUOTE.replaceAll(' ', '\n')), textOf(QUOTE, { weight: 9 }))).toBe(1);
  });

  test('only one that is better than what is known is returned', () => {
    const near = (distance: number, weight: number) =>
      ({ status: 'near', distance, weight }) as const;
    const found = (text: QuotedText, best: Parameters<typeof wanted>[0]) =>
      findQuotes([text], [wanted(best)])[0]?.distance ?? null;
    const own = find([textOf(NEAR)], QUOTE)?.distance ?? 0;
    expect(own).toBeGreaterThan(0);
    expect(found(textOf(NEAR, { weight: 1 }), near(own, 1))).toBeNull();
    expect(found(textOf(NEAR, { weight: 1 }), near(own, 2))).toBe(own);
    expect(found(textOf(NEAR, { weight: 1 }), near(own + 1, 0))).toBe(own);
    expect(found(textOf(NEAR), { status: 'normalized', distance: 0, weight: 9 })).toBeNull();
    expect(
      found(textOf(QUOTE, { weight: 1 }), { status: 'exact', distance: 0, weight: 1 }),
    ).toBeNull();
    expect(found(textOf(QUOTE), near(1, 0))).toBe(0);
  });

  test('a place is counted in code points, and has the hash of its whole text', () => {
    const text = `😀😀 intro. ${QUOTE}, and 𠮷 more.`;
    const match = find([textOf('nothing of it'), textOf(text)], QUOTE);
    expect(match).toMatchObject({ index: 1, offset: 10, passage: QUOTE, status: 'exact' });
    expect(match?.sha256).toBe(createHash('sha256').update(text).digest('hex'));
  });
});
