import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

type Root = ReturnType<typeof fromMarkdown>;
type Node = Root['children'][number];
type Inline = Extract<Node, { type: 'paragraph' }>['children'][number];

/**
 * What a reader sees of a markdown text, as lines of an outline: blocks by their kind, letters by
 * their marks.
 */
export function renderedOutline(markdown: string): readonly string[] {
  const root = fromMarkdown(markdown, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  return root.children.flatMap(blockOutline);
}

/** The signs of bold, emphasized, deleted and linked letters in an outline. */
export const SIGNS = { bold: 'ᴮ', emphasis: 'ᴵ', deleted: 'ᴰ', link: 'ᴸ' };

export const withoutSigns = (line: string): string => line.replace(/[ᴮᴵᴰᴸ]/g, '');

function blockOutline(node: Node): readonly string[] {
  switch (node.type) {
    case 'paragraph':
      return [`p ${lineOf(node.children)}`];
    case 'heading':
      return [`h${node.depth} ${lineOf(node.children)}`];
    case 'thematicBreak':
      return ['hr'];
    case 'code':
      return [`pre ${JSON.stringify(node.value)}`];
    case 'blockquote':
      return enclosed('quote', node.children.flatMap(blockOutline));
    case 'list':
      return node.children.flatMap((item, at) => {
        const bullet = at === 0 ? 'list -' : '-';
        const name = node.ordered ? `${(node.start ?? 1) + at}.` : bullet;
        return enclosed(name, item.children.flatMap(blockOutline));
      });
    case 'table':
      return node.children.map(
        ({ children }) => `row ${children.map((cell) => lineOf(cell.children)).join(' | ')}`,
      );
    case 'html':
      return node.value === '<!-- -->' ? [] : [`html ${node.value}`];
    default:
      return [`unexpected ${node.type}`];
  }
}

/** The outline of a block that has others in it. */
export const enclosed = (name: string, lines: readonly string[]): readonly string[] =>
  lines.map((line, at) => (at === 0 ? `${name} ` : '  ') + line);

const lineOf = (nodes: readonly Inline[]): string =>
  marked(nodes.flatMap((node) => letters(node, '')));

/** A character, or a code span or an image as a whole, and the marks that it has. */
export interface Letter {
  readonly text: string;
  readonly marks: string;
}

/**
 * Letters with their marks in front. Punctuation and blanks may be on either side of the end of a
 * mark.
 */
export const marked = (line: readonly Letter[]): string =>
  line
    .map(
      ({ text, marks }) => (/^[\p{L}\p{N}]$/u.test(text) ? [...marks].sort().join('') : '') + text,
    )
    .join('')
    // code spans in a row are one
    .replaceAll('}{', '');

function letters(node: Inline, marks: string): readonly Letter[] {
  const inside = (children: readonly Inline[], mark: string) =>
    children.flatMap((child) => letters(child, marks + mark));
  switch (node.type) {
    case 'text':
      return [...node.value].map((text) => ({ text, marks }));
    case 'inlineCode':
      return [{ text: `{${node.value}}`, marks }];
    case 'break':
      return [{ text: '⏎', marks }];
    case 'strong':
      return inside(node.children, SIGNS.bold);
    case 'emphasis':
      return inside(node.children, SIGNS.emphasis);
    case 'delete':
      return inside(node.children, SIGNS.deleted);
    case 'link':
      return inside(node.children, isPlainAddress(node) ? '' : SIGNS.link);
    case 'image':
      return [{ text: `<${node.alt} ${node.url}>`, marks }];
    default:
      return [{ text: `<${node.type}>`, marks }];
  }
}

/** GFM makes links of addresses in a text; on the page they are only text. */
function isPlainAddress({ url, children }: { url: string; children: readonly Inline[] }): boolean {
  const [only] = children;
  const text = only?.type === 'text' ? only.value : '';
  return [text, `http://${text}`, `mailto:${text}`].includes(url);
}
