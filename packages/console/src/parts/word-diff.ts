import { diffArrays } from 'diff';

/** A stretch of two texts that both have, or only the earlier or the later one. */
export interface DiffPart {
  readonly kind: 'same' | 'gone' | 'added';
  readonly text: string;
}

/** Characters of each text, without what both begin and end with, that are compared by words. */
const CHARACTERS_MAX = 200_000;
/** Words that may come and go. With more of them two texts are shown one after the other. */
const EDITS_MAX = 600;

/**
 * What differs between two texts, word by word. Texts that differ too much to be compared so are
 * one part that went and one that came, between what both begin and end with. Time grows with the
 * texts.
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const [gone, added] = [
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  ];
  return joined([
    { kind: 'same', text: before.slice(0, start) },
    ...(compared(gone, added) ?? replaced(gone, added)),
    { kind: 'same', text: before.slice(before.length - end) },
  ]);
}

const replaced = (gone: string, added: string): readonly DiffPart[] => [
  { kind: 'gone', text: gone },
  { kind: 'added', text: added },
];

/** The length of what both begin with, up to the end of a word. */
function commonStart(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let length = 0;
  while (length < most && before.charCodeAt(length) === after.charCodeAt(length)) length += 1;
  if (length === before.length && length === after.length) return length;
  while (length > 0 && !isBlank(before, length - 1)) length -= 1;
  return length;
}

function commonEnd(before: string, after: string, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let length = 0;
  while (
    length < most &&
    before.charCodeAt(before.length - 1 - length) === after.charCodeAt(after.length - 1 - length)
  ) {
    length += 1;
  }
  while (length > 0 && !isBlank(before, before.length - length)) length -= 1;
  return length;
}

const isBlank = (text: string, at: number): boolean => /\s/.test(text.charAt(at));

function compared(gone: string, added: string): readonly DiffPart[] | undefined {
  if (gone === '' || added === '') return replaced(gone, added);
  if (Math.max(gone.length, added.length) > CHARACTERS_MAX) return undefined;
  const options = { maxEditLength: EDITS_MAX };
  const changes = diffArrays(wordsOf(gone), wordsOf(added), options);
  return changes?.map(({ added: isAdded, removed, value }) => ({
    kind: isAdded ? 'added' : removed ? 'gone' : 'same',
    text: value.join(''),
  }));
}

/**
 * Blanks, letters of scripts without blanks between words, words and numbers, and other signs.
 * `Intl.Segmenter` takes half a minute for 200,000 characters in Node.js 20.
 */
const WORD =
  /\s+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

/**
 * Equal kinds side by side as one. Blanks between two changes are a part of both, so that changed
 * words that follow each other read as one phrase.
 */
function joined(parts: readonly DiffPart[]): readonly DiffPart[] {
  const out: DiffPart[] = [];
  let [gone, added, blank] = ['', '', ''];
  const close = (): void => {
    if (gone !== '') out.push({ kind: 'gone', text: gone });
    if (added !== '') out.push({ kind: 'added', text: added });
    if (blank !== '') out.push({ kind: 'same', text: blank });
    [gone, added, blank] = ['', '', ''];
  };
  for (const { kind, text } of parts) {
    const isOpen = gone !== '' || added !== '';
    if (text === '') continue;
    if (kind === 'same' && isOpen && text.trim() === '') blank += text;
    else if (kind === 'same') {
      const held = blank;
      blank = '';
      close();
      const last = out.at(-1);
      if (last?.kind === 'same') out[out.length - 1] = { kind, text: last.text + held + text };
      else out.push({ kind, text: held + text });
    } else {
      if (isOpen) {
        gone += blank;
        added += blank;
      }
      blank = '';
      if (kind === 'gone') gone += text;
      else added += text;
    }
  }
  close();
  return out;
}
