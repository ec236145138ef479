/**
 * TypeScript source as a syntax tree, for checks of our own sources: comments and strings cannot
 * mislead them.
 */
import { parseAst } from 'vitest/node';

const isNode = (value) =>
  typeof value === 'object' && value !== null && typeof value.type === 'string';

/** The program node of a source; the file name's ending decides the dialect. */
export function parseSource(path, text) {
  return parseAst(text, { lang: /\.[jt]sx$/.test(path) ? 'tsx' : 'ts' });
}

/** The nodes directly below a node, in source order. */
export function childNodes(node) {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

/**
 * The text of a string, also of a template up to its first inserted value; undefined for anything
 * else.
 */
export function leadingText(node) {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type === 'TemplateLiteral') return node.quasis[0]?.value.cooked ?? undefined;
  if (node?.type === 'BinaryExpression') return leadingText(node.left);
  return undefined;
}
