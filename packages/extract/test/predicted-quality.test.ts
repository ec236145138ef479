import { describe, expect, test } from 'vitest';
import { extractPage } from '../src/documents/extract-page.ts';
import { qualityOfText } from '../src/quality/quality.ts';
import { SENTENCES } from './support/sentences.ts';

const PARAGRAPHS = SENTENCES.flatMap((one, at) =>
  SENTENCES.map((other) => `${one} In part ${at + 1}, the report adds: ${other}`),
);
const ARTICLE = `# Power from the tides\n\n${PARAGRAPHS.join('\n\n')}`;
const menuOf = (count: number): string =>
  Array.from({ length: count }, (_, at) => `- [Part ${at}](https://a.example/${at})`).join('\n');

async function qualityOfPage(body: string, contentType = 'text/html'): Promise<number | null> {
  const reading = await extractPage(
    {
      url: 'https://coast.example/power-from-the-tides',
      status: 200,
      contentType,
      contentLanguage: null,
      body: new TextEncoder().encode(body),
    },
    { contentFormat: 'markdown', fields: new Set() },
  );
  if (reading.kind !== 'page') throw new Error('no page');
  return reading.quality;
}

describe('the predicted quality of a text', () => {
  test('is lower, the more menus and notices it has', () => {
    const notices = 'We use cookies\n\nSubscribe to our newsletter\n\nShare on Facebook\n\nLog in';
    const texts = [
      ARTICLE,
      `${menuOf(30)}\n\n${ARTICLE}\n\n${notices}\n\n${menuOf(60)}`,
      `${menuOf(80)}\n\n${notices}`,
    ];
    const qualities = texts.map((text) => qualityOfText(text) ?? -1);
    expect(qualities).toEqual(qualities.toSorted((one, other) => other - one));
    expect(qualities[0]).toBeGreaterThan(0.7);
    expect(qualities[2]).toBeLessThan(0.3);
  });

  test.each([
    [
      'Chinese',
      '工程师们在选定地点之前，对桥下的水流进行了三年的测量。每台涡轮机转动得很慢，鱼可以从叶片之间穿过。',
    ],
    [
      'Japanese',
      '技術者たちは場所を選ぶ前に、橋の下の流れを三年間測りました。タービンはゆっくり回るので、魚は羽根の間を通れます。',
    ],
    ['Thai', 'วิศวกรวัดกระแสน้ำใต้สะพานเป็นเวลาสามปีก่อนเลือกสถานที่ กังหันหมุนช้าเพื่อให้ปลาผ่านได้'],
  ])('of an article in %s is higher than that of a menu', (_, sentence) => {
    const paragraphs = Array.from({ length: 12 }, (_, at) => `${sentence}${at}${sentence}`);
    const article = qualityOfText(paragraphs.join('\n\n')) ?? -1;
    expect(article).toBeGreaterThan(0.5);
    expect(article).toBeGreaterThan((qualityOfText(menuOf(60)) ?? 2) + 0.1);
  });

  test('is within 0 and 1 with two places, whatever the text', () => {
    const odd = [
      'x',
      '\u0000',
      '[]()'.repeat(500),
      '| a |\n'.repeat(500),
      '😀 '.repeat(500),
      '```',
    ];
    for (const text of odd) {
      const quality = qualityOfText(text) ?? -1;
      expect(quality).toBeGreaterThanOrEqual(0);
      expect(quality).toBeLessThanOrEqual(1);
      expect(Math.round(quality * 100) / 100).toBe(quality);
    }
  });

  test.each([null, '', ' \n '])('is null without a text: %j', (text) => {
    expect(qualityOfText(text)).toBeNull();
  });
});

describe('the predicted quality of a page that is read', () => {
  const articlePage = `<title>Power from the tides</title><nav><ul><li><a href="/">Home</a></li></ul></nav>
    <article><h1>Power from the tides</h1>${PARAGRAPHS.map((text) => `<p>${text}</p>`).join('')}</article>`;

  test('is high for an article, and lower for a page of which only its menus are there', async () => {
    const menu = ['Pricing', 'Resources', 'Customers', 'Agencies', 'Log in', 'Contact']
      .map((name) => `<li><a href="/${name}">${name}</a></li>`)
      .join('');
    const menus = Array.from({ length: 12 }, (_, at) => `<h3>Group ${at}</h3><ul>${menu}</ul>`);
    const shell = `<title>Letters for many</title><header><nav>${menus.join('')}</nav></header>
      <main><h1>Letters</h1></main><footer>${menus.join('')}</footer><p>All prices include VAT.</p>`;
    expect(await qualityOfPage(articlePage)).toBeGreaterThan(0.85);
    expect(await qualityOfPage(shell)).toBeLessThan(0.5);
  });

  test.each([
    ['JSON', 'application/json', '{"name":"Tides"}'],
    ['plain text', 'text/plain', ARTICLE],
    ['a feed', 'application/rss+xml', '<rss><channel><title>Tides</title></channel></rss>'],
    ['a page of a few words', 'text/html', '<title>Tides</title><h1>Tides</h1><p>OK</p>'],
    ['HTML without text', 'text/html', '<title>Tides</title><div id="root"></div>'],
  ])('is null for %s', async (_, contentType, body) => {
    expect(await qualityOfPage(body, contentType)).toBeNull();
  });
});
