import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leadingText, parseSource, type SyntaxNode } from '../../scripts/syntax-tree.mjs';
import { allNodes } from '../support/all-nodes.ts';

/** One regular expression of the sources. */
export interface Expression {
  /** From the repository's root. */
  readonly path: string;
  readonly source: string;
  readonly flags: string;
  /** Used for all matches of a text, not only for the first. */
  readonly findsAll: boolean;
}

export interface Found {
  readonly expressions: readonly Expression[];
  /** How many expressions the file makes from texts; those are known only when it runs. */
  readonly compiled: number;
}

/** The regular expressions that are written in a file. */
export function expressionsIn(root: string, path: string): Found {
  return expressionsOf(path, readFileSync(join(root, path), 'utf8'));
}

export function expressionsOf(path: string, text: string): Found {
  const nodes = allNodes(parseSource(path, text));
  const splitters = new Set(nodes.flatMap(splitterName));
  const expressions = nodes.flatMap((node): Expression[] => {
    const literal = literalOf(node);
    if (!literal) return [];
    const isSplitter = splitters.has(node) || splitters.has(nameOver(node, nodes));
    return [{ path, ...literal, findsAll: literal.flags.includes('g') || isSplitter }];
  });
  return { expressions, compiled: nodes.filter(isConstruction).length };
}

function literalOf(node: SyntaxNode): { source: string; flags: string } | undefined {
  const { pattern, flags } = (node.regex ?? {}) as { pattern?: string; flags?: string };
  return pattern === undefined || flags === undefined ? undefined : { source: pattern, flags };
}

/** The argument of `split`: the expression itself or its name. */
function splitterName(node: SyntaxNode): (SyntaxNode | string)[] {
  const callee = node.callee as SyntaxNode | undefined;
  if (node.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return [];
  if (nameOf(callee.property) !== 'split') return [];
  const [separator] = node.arguments as SyntaxNode[];
  if (!separator) return [];
  return [literalOf(separator) ? separator : (nameOf(separator) ?? '')];
}

/** The name of the constant that holds an expression. */
function nameOver(literal: SyntaxNode, nodes: readonly SyntaxNode[]): string {
  const holder = nodes.find((node) => node.type === 'VariableDeclarator' && node.init === literal);
  return nameOf(holder?.id) ?? 'none';
}

/** `new RegExp(…)` and `RegExp(…)`. */
function isConstruction(node: SyntaxNode): boolean {
  const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
  return isCall && nameOf(node.callee) === 'RegExp';
}

function nameOf(node: unknown): string | undefined {
  const { name } = (node ?? {}) as SyntaxNode;
  return typeof name === 'string' ? name : leadingText(node);
}
