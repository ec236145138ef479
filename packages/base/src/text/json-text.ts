declare const writtenFrom: unique symbol;

/** Known to the compiler alone: which type a text was written from. */
interface WrittenFrom<T> {
  readonly [writtenFrom]: T;
}

/** The JSON text of a value of this type. */
export type JsonText<T> = string & WrittenFrom<T>;

/** The same in parts, to be sent one after the other: large texts are not copied to be joined. */
export type JsonParts<T> = readonly string[] & WrittenFrom<T>;

export type Json<T> = JsonText<T> | JsonParts<T>;

/** A value and its JSON text, which is made once and shared by the store, the answer and its events. */
export interface Recorded<T> {
  readonly value: T;
  readonly text: JsonText<T>;
}

/** A value as `JSON.stringify` writes it. */
export function jsonText<T>(value: NoInfer<T>): JsonText<T> {
  return takenFor(JSON.stringify(value));
}

/** An escaped backslash, so that it is passed over as a whole, or half of a character. */
const HALF = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/**
 * A value as JSON that every reader takes: `JSON.stringify` writes half a surrogate pair as an escape, which strict parsers
 * refuse together with the rest of the text.
 */
export function wellFormedJson<T>(value: NoInfer<T>): JsonText<T> {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return takenFor(text);
  return takenFor(text.replace(HALF, (found) => (found === '\\\\' ? found : '\\ufffd')));
}

/** Records a value, in JSON that every reader takes. */
export function recorded<T>(value: NoInfer<T>): Recorded<T> {
  return { value, text: wellFormedJson<T>(value) };
}

/** Reads what was written. */
export function readJson<T>(text: JsonText<T>): T {
  return JSON.parse(text);
}

/** Takes a text for the JSON of this type. Not for other packages, but for tests that make records by hand. */
export function takenFor<T>(text: string): JsonText<T> {
  return text as JsonText<T>;
}

/** The texts of an object's members. */
export type JsonMembers<T> = { readonly [K in keyof T]: Json<T[K]> };

/** An object made of the texts of its members, in their order. */
export function objectParts<T extends object>(members: NoInfer<JsonMembers<T>>): JsonParts<T> {
  const parts: string[] = [];
  let frame = '';
  for (const [key, json] of Object.entries<string | readonly string[]>(members)) {
    frame += `${frame === '' && parts.length === 0 ? '{' : ','}${JSON.stringify(key)}:`;
    if (typeof json === 'string') {
      frame += json;
      continue;
    }
    parts.push(frame);
    for (const part of json) parts.push(part);
    frame = '';
  }
  parts.push(parts.length === 0 && frame === '' ? '{}' : `${frame}}`);
  return partsOf(parts);
}

/** The texts of an object's members, in JSON that every reader takes. */
export function memberTexts<T extends object>(value: T): JsonMembers<T> {
  const texts = Object.entries(value).map(([key, member]) => [key, wellFormedJson(member)]);
  // the compiler does not follow keys through entries
  return Object.fromEntries(texts) as JsonMembers<T>;
}

/** An array made of the texts of its items. */
export function arrayParts<T>(items: readonly Json<T>[]): JsonParts<T[]> {
  const parts = items.flatMap((item, index) => (index === 0 ? item : [',', item].flat()));
  return partsOf(['[', ...parts, ']']);
}

/**
 * A tree whose nodes have their children in `children`, which is written last. Without recursion: a chain of some thousand
 * nodes overflows the stack of `JSON.stringify`.
 */
export function treeText<Node extends { readonly children: readonly Node[] }>(
  root: Node,
): JsonText<Node> {
  const pieces: string[] = [];
  const open: (Node | string)[] = [root];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item === 'string') {
      pieces.push(item);
      continue;
    }
    const { children, ...head } = item;
    pieces.push(`${JSON.stringify(head).slice(0, -1)},"children":[`);
    open.push(']}');
    for (const [index, child] of [...children.entries()].reverse()) {
      open.push(child);
      if (index > 0) open.push(',');
    }
  }
  return takenFor(pieces.join(''));
}

/** The parts as one text. */
export function joined<T>(parts: JsonParts<T>): JsonText<T> {
  return takenFor(parts.join(''));
}

function partsOf<T>(parts: readonly string[]): JsonParts<T> {
  return parts as JsonParts<T>;
}
