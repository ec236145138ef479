import type { Random } from './random.ts';

/** Words that carry a style rather than a topic. */
const FUNCTION_WORDS = new Set(
  (
    'a an the of to in on for is are was were be do does did with by at from and or that this it its i me my we our you ' +
    'your can could would should please what which who when where how why about as has have had will der die das ein ' +
    'eine und oder in im auf für von zu mit bei ist sind war le la les un une des du de et ou à au aux en pour est sont ' +
    'el los las una y o por con es son os um uma e do da dos no na com é são que se'
  ).split(' '),
);

/** Ways to phrase the same question; `X` is the query. They do not change its topic. */
const WRAPPERS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'find X',
    'search for X',
    'look up X',
    'can you tell me X',
    'I need information on X',
    'X please',
    'tell me about X',
    'info on X',
    'help me find X',
    'what about X?',
    'looking for X',
    'hi, X',
    'web search: X',
    'could you look up X for me',
    'get me X',
    'show X',
    'X info',
    'query: X',
    'we need to know X',
    'give me details on X',
    'anything on X',
    'X?',
    'do you know X',
  ],
  de: ['suche X', 'finde X', 'Infos zu X', 'X bitte', 'kannst du X suchen', 'zeig mir X', 'X?'],
  fr: ['cherche X', 'trouve X', 'infos sur X', "X s'il te plaît", 'montre-moi X', 'X ?'],
  es: ['busca X', 'encuentra X', 'necesito X', 'información sobre X', 'X por favor', '¿X?'],
  pt: ['procure X', 'busque X', 'preciso de X', 'informações sobre X', 'X por favor', 'X?'],
};

/**
 * The same query in another style. The model learns that the changed parts do not decide the topic.
 */
export function restyle(query: string, language: string, random: Random): string {
  const chance = (share: number): boolean => random.next() < share;
  let text = query;
  if (chance(0.35)) text = text.toLowerCase();
  if (chance(0.3)) text = text.replace(/[?.!,;:]+(?=\s|$)/g, '').replace(/["“”¿¡]/g, '');
  const words = dropWords(text.split(/\s+/), random);
  if (chance(0.08)) mistype(words, random);
  if (chance(0.05) && words.length > 2 && words.length < 7) {
    words.push(...words.splice(0, 1 + random.below(words.length - 1)));
  }
  text = words.join(' ');
  if (chance(0.18)) text = wrap(text, language, random);
  return chance(0.04) ? text.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()) : text;
}

function dropWords(words: readonly string[], random: Random): string[] {
  const kind = random.next();
  let kept = [...words];
  if (words.length > 3 && kind < 0.2) {
    kept = words.filter((word) => !FUNCTION_WORDS.has(word.toLowerCase()));
  } else if (words.length > 3 && kind < 0.45) {
    const share = 0.1 + 0.15 * random.next();
    kept = words.filter(() => random.next() > share);
  } else if (words.length > 7 && kind < 0.5) {
    const cut = 1 + random.below(Math.floor(words.length / 3));
    kept = random.next() < 0.5 ? words.slice(cut) : words.slice(0, -cut);
  }
  return kept.length >= 2 ? kept : [...words];
}

function mistype(words: string[], random: Random): void {
  const index = random.below(words.length);
  const word = words[index] ?? '';
  if (word.length < 5) return;
  const at = 1 + random.below(word.length - 2);
  const [first = '', second = ''] = [word[at], word[at + 1]];
  const changed = random.next() < 0.5 ? '' : second + first;
  words[index] = word.slice(0, at) + changed + word.slice(at + (changed === '' ? 1 : 2));
}

function wrap(text: string, language: string, random: Random): string {
  const choices = WRAPPERS[language] ?? WRAPPERS.en ?? ['X'];
  return (choices[random.below(choices.length)] ?? 'X').replace('X', () => text);
}
