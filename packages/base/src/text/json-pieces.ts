import { writeJson } from '@trawl/contract/exact-json';
import type { TakeTurn } from '../time/slices.ts';
import type { JsonParts, JsonText } from './json-text.ts';

/**
 * Smaller texts are joined to pieces of about this size, since many small parts are slow to send.
 */
const PIECE_CHARACTERS = 64 * 1024;

interface Pieces {
  add(text: string): void;
  /** All that was added, in order. */
  all(): readonly string[];
}

function createPieces(): Pieces {
  const pieces: string[] = [];
  let small: string[] = [];
  let characters = 0;
  const join = (): void => {
    if (small.length > 0) pieces.push(small.join(''));
    small = [];
    characters = 0;
  };
  return {
    add(text) {
      small.push(text);
      characters += text.length;
      if (characters >= PIECE_CHARACTERS) join();
    },
    all() {
      join();
      return pieces;
    },
  };
}

/** The text of an array, made one item after the other. */
export interface ArrayText<T> {
  add(item: JsonText<T> | JsonParts<T>): void;
  /** The whole array; nothing may be added after it. */
  parts(): JsonParts<T[]>;
}

export function createArrayText<T>(): ArrayText<T> {
  const pieces = createPieces();
  let start = '[';
  return {
    add(item) {
      pieces.add(start);
      start = ',';
      if (typeof item === 'string') pieces.add(item);
      else for (const part of item) pieces.add(part);
    },
    parts() {
      pieces.add(start === '[' ? '[]' : ']');
      return pieces.all() as JsonParts<T[]>;
    },
  };
}

/** A node of a tree of which the first children are texts already. */
export interface PartialNode<Node extends object> {
  readonly head: Omit<Node, 'children'>;
  readonly written: readonly JsonText<Node>[];
  readonly children: readonly PartialNode<Node>[];
}

/**
 * The text of a tree, with `children` as the last member of each node. Does not recurse: a chain of
 * a few thousand nodes overflows the stack of `JSON.stringify`.
 */
export async function treeParts<Node extends { readonly children: readonly unknown[] }>(
  root: PartialNode<Node>,
  takeTurn: TakeTurn,
): Promise<JsonParts<Node>> {
  const pieces = createPieces();
  const open: { readonly node: PartialNode<Node>; next: number }[] = [];
  const begin = (node: PartialNode<Node>): void => {
    pieces.add(`${writeJson(node.head).slice(0, -1)},"children":[${node.written.join(',')}`);
    open.push({ node, next: 0 });
  };
  begin(root);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const { written, children } = last.node;
    const child = children[last.next];
    if (child) {
      if (last.next > 0 || written.length > 0) pieces.add(',');
      last.next += 1;
      begin(child);
    } else {
      pieces.add(']}');
      open.pop();
    }
    const turn = takeTurn();
    if (turn) await turn;
  }
  return pieces.all() as JsonParts<Node>;
}
