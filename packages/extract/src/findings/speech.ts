import {
  ANSWER,
  BEFORE,
  BEGINNING,
  BETWEEN,
  CALLED,
  CLAUSE_START,
  CONCEAL,
  DESCRIBED,
  DESCRIBES,
  EARLIER,
  FIRST_LEAD,
  IDENTITY,
  LEAD,
  LETTER,
  NAME,
  NAMED_ALONE,
  ORDER,
  ORDERS,
  PRAISE,
  READING,
  ROLE_LABEL,
  ROLE_MARK,
  RULES,
  SECRET,
  SEND,
  SET_ASIDE,
  SUBJECT,
  TRIGGER,
  USER,
} from './phrases.ts';

/**
 * Where a text is. `veiled`: shown in a way that cannot be read, such as white on white.
 * `hidden`: not shown, as menus are that wait. `beside`: next to the text of the page, such as its
 * description. `shown`: in the text, where people write about such texts too. The less likely it
 * is that people are meant, the less is enough.
 */
export type Exposure = 'veiled' | 'hidden' | 'beside' | 'shown';

/** A sentence that may speak to a program, in UTF-16 code units of its text. */
export interface Suspect {
  readonly start: number;
  readonly end: number;
  /** The word that makes it one. */
  readonly hit: number;
}

/** A longer sentence is read in parts. */
const SENTENCE_MAX = 300;

/** The part of a text that is read. */
interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The places that need a closer look, each sentence once, in order. */
export function* suspects(text: string, { from, to }: TextRange): Generator<Suspect> {
  let done = from;
  TRIGGER.lastIndex = from;
  for (let hit = TRIGGER.exec(text); hit && hit.index < to; hit = TRIGGER.exec(text)) {
    const start = startOf(text, hit.index, done);
    const end = endOf(text, hit.index + hit[0].length, to);
    yield { start, end, hit: hit.index };
    done = end;
    // the caller may read other texts in between
    TRIGGER.lastIndex = end;
  }
}

/** Whether a sentence, with the one after it, speaks to a program that reads the page. */
export function speaksToAgents(sentence: string, next: string, place: Exposure): boolean {
  const first = comparable(sentence);
  if (first === '') return false;
  const isOpen = place === 'shown' || place === 'beside';
  const aside = setAsideAt(first);
  if (aside >= 0 && !(isOpen && isQuoted(first, aside)))
    if (place !== 'shown' || isAtStart(first, aside)) return true;
  const after = comparable(next);
  const isNamed = NAME.test(first);
  if (isNamed && !(isOpen && isQuoted(first, first.length))) {
    if (CALLED.test(first) && (!isOpen || PUSHING.test(first))) return true;
    if (!isOpen && BEGINNING.test(first) && PUSHING.test(first)) return true;
    const orders = place === 'shown' ? PUSHING : ORDER;
    if (isCalling(first, place) && (orders.test(first) || orders.test(after))) return true;
  }
  if (place === 'shown') return false;
  if (ROLE_MARK.test(first)) return true;
  if (isNamed && (READING.test(first) || SUBJECT.test(first))) return true;
  return signsOf(first, after, isNamed, place) >= 2;
}

/** Where earlier orders are set aside; -1 = nowhere. */
function setAsideAt(text: string): number {
  for (const { index } of text.matchAll(SET_ASIDE)) {
    const near = text.slice(Math.max(0, index - 50), index + 100);
    const isSaid =
      (ORDERS.test(near) && EARLIER.test(near)) || (RULES.test(near) && BEFORE.test(near));
    if (isSaid && !isDescription(text, index)) return index;
  }
  return -1;
}

/** Whether a verb says what someone does: “a robot that ignores …”. */
function isDescription(text: string, verbAt: number): boolean {
  const before = text.slice(0, verbAt);
  if (DESCRIBED.test(before)) return true;
  return DESCRIBES.test(text.slice(verbAt)) && !CLAUSE_START.test(before);
}

const LATIN = /[a-z]/;
const HAN = /[\u4e00-\u9fff]/;
const KANA = /[\u3040-\u30ff]/;
const START = /^\W{0,6}(?:(?:please|now|so|and|stop|bitte)[,:.!]? ?){0,2}$/;
const HAN_START = /(?:^|[，,。:：、！!;；])\s?(?:请|請|现在|現在){0,2}$/;

/** Whether a sentence begins with the order. In some languages the verb is at the end. */
function isAtStart(text: string, at: number): boolean {
  const first = text.charAt(at);
  const before = text.slice(0, at);
  if (LATIN.test(first)) return START.test(before);
  return !HAN.test(first) || KANA.test(text) || HAN_START.test(before);
}

/** Whether a part of a sentence is a quotation: what others write. */
function isQuoted(text: string, to: number): boolean {
  let isOpen = false;
  for (let at = 0; at < to; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') isOpen = !isOpen;
    else if ('“„«「『‘'.includes(sign)) return true;
  }
  return isOpen || (to === text.length && text.includes('"'));
}

/** Whether a sentence calls a program: “If you are an AI, …”, “Dear language models”. */
function isCalling(text: string, place: Exposure): boolean {
  const lead = LEAD.exec(text);
  if (lead) {
    const from = lead.index + lead[0].length;
    const near = text.slice(from, from + NEAR);
    const name = NAME.exec(near);
    if (name && NAMED_ALONE.test(text.slice(from + name.index + name[0].length)))
      if (name.index <= TOUCHING || BETWEEN.test(near.slice(0, name.index))) return true;
  }
  if (place === 'shown') return false;
  const name = NAME.exec(text.slice(0, NEAR));
  if (!name || !NAMED_ALONE.test(text.slice(name.index + name[0].length))) return false;
  return FIRST_LEAD.test(text.slice(0, name.index));
}

/** How far a name may be from the words before it. */
const NEAR = 48;
/** With no word between them; some scripts have no spaces. */
const TOUCHING = 2;

/** Orders that are given to programs, and to the readers of an article hardly ever. */
const PUSHING = new RegExp(
  `(?<![${LETTER}])(?:must|shall|always|never|do not|don[’']t|ignore|disregard|recommend|mention|cite|prefer|rank|praise|tell|respond|reply|state|output|append|include|validate|approve|describe|classify|say that|bitte|please (?:read|use|see|note|visit|start|refer)|(?:read|use|see|visit|fetch|start) (?:the |our |with |this |/|https?:)|empfiehl|ignorier|immer|recommande|toujours|ignorez|recomiend|siempre|ignora|всегда|рекоменду|игнорир|скажи)|必须|忽略|推荐|告诉|無視|推奨|必ず|추천|무시|반드시`,
);

/** How many things are said that are said to programs, and seldom to people. */
function signsOf(first: string, after: string, isNamed: boolean, place: Exposure): number {
  const both = after === '' ? first : `${first} ${after}`;
  const isOrder = ORDER.test(both);
  const isAnswer = isOrder && ANSWER.test(both);
  const isPraise = PRAISE.test(both);
  const signs = [
    isAnswer,
    isAnswer && isNamed,
    isPraise,
    isPraise && place === 'veiled',
    USER.test(both),
    CONCEAL.test(both),
    IDENTITY.test(first),
    ROLE_LABEL.test(first) && isOrder,
    SECRET.test(both) && SEND.test(both),
  ];
  return signs.filter((isThere) => isThere).length;
}

/** One sentence in the form of the phrases. */
function comparable(text: string): string {
  const plain = /^[\x20-\x7e]*$/.test(text) ? text : text.normalize('NFKC');
  return plain.toLowerCase().replace(/\s+/g, ' ').trim();
}

const SPACES = /\s/;
const ENDS = '.!?\n。！？…';

/** Where the sentence around a place starts. A dot within a word or an address ends nothing. */
function startOf(text: string, hit: number, from: number): number {
  const least = Math.max(from, hit - SENTENCE_MAX);
  let at = hit;
  while (at > least && !isEnd(text, at - 1)) at -= 1;
  return at;
}

/** The sentence after a place; what is between them ends nothing. */
export function sentenceAfter(text: string, from: number, to: number): string {
  let start = from;
  while (start < to && start < from + GAP_MAX && SPACES.test(text.charAt(start))) start += 1;
  return text.slice(start, endOf(text, start, to));
}

const GAP_MAX = 100;

/** Where it ends, after its last sign. */
function endOf(text: string, hit: number, to: number): number {
  const most = Math.min(to, hit + SENTENCE_MAX);
  let at = hit;
  while (at < most && !isEnd(text, at)) at += 1;
  return Math.min(most, at + 1);
}

function isEnd(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (!ENDS.includes(sign)) return false;
  return sign !== '.' || at + 1 >= text.length || SPACES.test(text.charAt(at + 1));
}
