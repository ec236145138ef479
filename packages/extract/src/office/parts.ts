import { posix } from 'node:path';
import type { ParsedPage } from '@trawl/providers/fetch-declaration';
import { cutLine } from '../dom/dom.ts';
import { parseXml } from '../dom/parse-xml.ts';
import { createElement, following, type TreeNode } from '../dom/tree.ts';
import type { ArchiveParts } from './unpack.ts';

/** The text of a part; empty if it is missing. XML is UTF-8 or UTF-16 here (ECMA-376 part 2). */
export function textOf({ bytes }: ArchiveParts, name: string): string {
  const part = bytes.get(name) ?? new Uint8Array();
  const [first, second] = part;
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(part);
  return new TextDecoder(first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8').decode(part);
}

/** The tree of a part in XML; without elements if it is missing. */
export const treeOf = (parts: ArchiveParts, name: string): TreeNode =>
  parseXml(textOf(parts, name));

/** The elements of a name in an element, in their order. */
export function elementsOf(root: TreeNode, name: string): readonly TreeNode[] {
  const found: TreeNode[] = [];
  for (let at = root.first; at; at = following(at, root)) if (at.localName === name) found.push(at);
  return found;
}

/** The first element along a path of names, each anywhere in the one before. */
export function elementAt(root: TreeNode, ...names: readonly string[]): TreeNode | undefined {
  return names.reduce<TreeNode | undefined>((found, name) => found && firstOf(found, name), root);
}

function firstOf(root: TreeNode, name: string): TreeNode | undefined {
  for (let at = root.first; at; at = following(at, root)) if (at.localName === name) return at;
  return undefined;
}

/** What a part refers to. */
export interface Relation {
  /** The last word of its type, such as `slide`. */
  readonly type: string;
  /** The name of another part, or an address outside of the document. */
  readonly target: string;
  readonly isOutside: boolean;
}

export type Relations = ReadonlyMap<string, Relation>;

/**
 * The relations of a part, by id (ECMA-376 part 2, 6.5).
 * @param name empty = those of the document
 */
export function relationsOf(parts: ArchiveParts, name: string): Relations {
  const folder = posix.dirname(name);
  const tree = treeOf(parts, posix.join(folder, '_rels', `${posix.basename(name)}.rels`));
  const relations = new Map<string, Relation>();
  for (const element of elementsOf(tree, 'Relationship')) {
    const target = element.getAttribute('Target');
    if (target === null) continue;
    const isOutside = element.getAttribute('TargetMode') === 'External';
    relations.set(element.getAttribute('Id') ?? '', {
      type: element.getAttribute('Type')?.split('/').at(-1) ?? '',
      target: isOutside ? target : partName(folder, target),
      isOutside,
    });
  }
  return relations;
}

/** The name of a part as one in a folder refers to it; it never leads out of the archive. */
export const partName = (folder: string, target: string): string =>
  posix.resolve('/', folder, target).slice(1);

/**
 * What an element refers to.
 * @param name of the attribute with the id of the relation, without its prefix
 */
export function relationIn(
  element: TreeNode,
  relations: Relations,
  name = 'id',
): Relation | undefined {
  const id = element.attributes.find((attribute) => attribute.name.endsWith(`:${name}`))?.value;
  return id === undefined ? undefined : relations.get(id);
}

/** The targets of the relations of a type. */
export const targetsOf = (relations: Relations, type: string): readonly string[] =>
  [...relations.values()].flatMap((relation) => (relation.type === type ? relation.target : []));

/** A picture that is inside of a document: only named, as one that is inside of a page. */
export function pictureOf(description: string, name: string): TreeNode {
  const type = posix.extname(name).slice(1).toLowerCase().replace('jpg', 'jpeg');
  return createElement('img', { alt: description, src: `data:image/${type}` });
}

/** What a document says about itself, in the elements of Dublin Core. */
export function propertiesIn(tree: TreeNode): Partial<ParsedPage> {
  const property = (name: string): string | null =>
    cutLine(elementAt(tree, name)?.textContent ?? '') || null;
  const authors = elementsOf(tree, 'creator').map(({ textContent }) => cutLine(textContent));
  return {
    title: property('title'),
    author: authors.filter((name) => name !== '').join(', ') || null,
    description: property('description') ?? property('subject'),
    ...(property('language') && { language: property('language') }),
  };
}
