import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leadingText, parseSource, type SyntaxNode } from '../../scripts/syntax-tree.mjs';
import { allNodes } from '../support/all-nodes.ts';

export interface Import {
  readonly specifier: string;
}

/** The facts about one source file that the rules need. */
export interface Source {
  /** From the repository's root, with slashes. */
  readonly path: string;
  /** Folder name below `packages/`; empty for `test/`. */
  readonly packageName: string;
  readonly imports: readonly Import[];
  /** Every identifier, property name and string in the code; not comments. */
  readonly words: readonly string[];
}

/**
 * Reads a source from its text. In a package's sources a specifier that is not a plain
 * string is refused: the rules could not read it.
 */
export function readSource(path: string, text: string): Source {
  const nodes = allNodes(parseSource(path, text));
  return {
    path,
    packageName: packageOf(path),
    imports: nodes.flatMap((node) => importsOf(node, path)),
    words: nodes.flatMap(wordsOf),
  };
}

/** Folder name below `packages/`; empty for `test/`. */
export const packageOf = (path: string): string => /^packages\/([^/]+)/.exec(path)?.[1] ?? '';

/** All sources of `packages/<name>/src` below a root. */
export const readSources = (root: string): Source[] =>
  [...textsBelow(root, packageFolders(root, 'src'))].map(([path, text]) => readSource(path, text));

/** By path: the text of all files of `packages/<name>/test` and `test` below a root. */
export const testTexts = (root: string): ReadonlyMap<string, string> =>
  textsBelow(root, ['test', ...packageFolders(root, 'test')]);

const packageFolders = (root: string, folder: string): string[] =>
  readdirSync(join(root, 'packages')).map((name) => `packages/${name}/${folder}`);

function textsBelow(root: string, folders: readonly string[]): Map<string, string> {
  const paths = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => sourceFiles(root, folder));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

function sourceFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.name === 'node_modules') return [];
    if (entry.isDirectory()) return sourceFiles(root, path);
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [path] : [];
  });
}

const IMPORTING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

function importsOf(node: SyntaxNode, path: string): Import[] {
  if (!IMPORTING.has(node.type) || !node.source) return [];
  const specifier = leadingText(node.source);
  if (specifier === undefined || !isConstant(node.source)) {
    if (!path.includes('/src/')) return [];
    throw new Error(`${path}: an import whose module is not a plain string cannot be checked`);
  }
  return [{ specifier }];
}

function isConstant(node: unknown): boolean {
  const { type, expressions } = node as SyntaxNode;
  return type === 'Literal' || (Array.isArray(expressions) && expressions.length === 0);
}

function wordsOf(node: SyntaxNode): string[] {
  if (node.type === 'Identifier' && typeof node.name === 'string') return [node.name];
  if (node.type === 'TemplateLiteral' && !isConstant(node)) return [];
  if (node.type !== 'Literal' && node.type !== 'TemplateLiteral') return [];
  const text = leadingText(node);
  return text === undefined ? [] : [text];
}
