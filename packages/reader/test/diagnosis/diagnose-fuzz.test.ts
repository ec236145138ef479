import { describe, expect, test } from 'vitest';
import { diagnosePage } from '../../src/diagnosis/diagnose.ts';
import { builtInFamilies } from '../../src/diagnosis/page-families.ts';
import { evidence } from './diagnose-support.ts';

const VOCABULARIES: Readonly<Record<string, readonly string[]>> = {
  English:
    'the mill stands on river bank and grinds rye for bakers who come early with carts while children watch wheels turn under grey skies of march'.split(
      ' ',
    ),
  German:
    'die mühle steht am fluss und mahlt roggen für bäcker welche früh mit wagen kommen während kinder zusehen bis es über den wiesen dunkel wird'.split(
      ' ',
    ),
  French:
    'le moulin se dresse près du fleuve où les boulangers arrivent tôt avec leurs charrettes tandis que des élèves étonnés écoutent la roue'.split(
      ' ',
    ),
  Russian:
    'мельница стоит у реки и мелет рожь для пекарей которые приезжают рано на телегах пока дети смотрят как крутится колесо'.split(
      ' ',
    ),
  Vietnamese:
    'cối xay đứng bên bờ sông xay lúa mạch cho những người thợ làm bánh đến sớm với xe kéo khi trẻ con nhìn bánh xe quay'.split(
      ' ',
    ),
  Chinese: '磨坊 立在 河边 为 面包师 磨 黑麦 孩子们 看着 轮子 在 灰色 的 天空 下 转动'.split(' '),
};

/** The same numbers on every run (a linear congruential generator). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Ordinary sentences and paragraphs, with lists, links and headings among them. */
function article(words: readonly string[], length: number, random: () => number): string {
  const separators = ['. ', ', ', ' ', ' ', ' ', ' ', '.\n\n', '\n- ', ' (', ') ', '\n\n## ', ' “'];
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(random() * items.length)];
  return Array.from({ length }, () => {
    const word = pick(words) ?? '';
    return `${random() < 0.05 ? `[${word}](https://a.example/${word})` : word}${pick(separators)}`;
  }).join('');
}

describe.each(Object.entries(VOCABULARIES))('ordinary texts, %s', (_language, words) => {
  test('more than 120 words without a phrase of a wall are a page', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = numbers(seed);
      const text = article(words, 130 + Math.floor(random() * 500), random);
      expect(diagnosePage(evidence(text)), text).toBeNull();
    }
  });

  test('any phrase or title of a wall before an article of 2,000 words leaves it a page', () => {
    const text = article(words, words === VOCABULARIES.Chinese ? 4_000 : 2_000, numbers(7));
    for (const rule of builtInFamilies()) {
      const all = [...rule.phrases, ...rule.titles];
      for (const phrase of words === VOCABULARIES.English ? all : all.slice(0, 5)) {
        const page = evidence(`${phrase}\n\n${text}`, { title: phrase });
        expect(diagnosePage(page), phrase).toBeNull();
      }
    }
  });
});

test('no text makes it slow or fail', () => {
  const parts = [
    '[',
    '](',
    '![',
    '<',
    '<div id="root">',
    '```\n',
    '> ',
    '\\',
    '.',
    '。',
    '%PDF-1.7\n',
    'é',
    'Ã©',
    '\ufffd',
    '\u0000',
    '\ud83d',
    'A1z',
    '=',
    ' ',
    '\n',
  ];
  for (const part of parts) {
    const text = part.repeat(Math.ceil(2_000_000 / part.length));
    expect(() =>
      diagnosePage(evidence(text, { title: text.slice(0, 500), html: text })),
    ).not.toThrow();
    const short = part.repeat(Math.ceil(60_000 / part.length));
    expect(() => diagnosePage(evidence(short, { html: short }))).not.toThrow();
  }
});
