import type { Block } from './blocks.ts';
import pages from './odd-pages.json' with { type: 'json' };

/** Why a page could not be fetched. */
export type FailureReason = 'unknown-host' | 'timeout' | 'too-large' | 'unsupported' | 'invalid';

/** How a word of the path changes the page. Missing members are those of an ordinary article. */
export interface OddPage {
  readonly status?: number;
  /** The page does not answer. */
  readonly failure?: FailureReason;
  /** null = the page does not have a title. */
  readonly title?: string | null;
  /** The text in place of the article's, after `paragraphsKept` of its own. */
  readonly paragraphs?: readonly string[];
  readonly paragraphsKept?: number;
  readonly change?: keyof typeof CHANGES;
  /** The markup in place of the text's own. */
  readonly body?: string;
  readonly pageCount?: number;
}

/** Every word of a path with a meaning; `REFERENCE.md` explains them. */
export const ODD_PAGES = pages as Readonly<Record<string, OddPage>>;

/** The blocks of an odd page, made from those of the article. */
export function oddBlocks(odd: OddPage, article: readonly Block[]): readonly Block[] {
  if (odd.change !== undefined) return CHANGES[odd.change](article);
  if (odd.paragraphs === undefined) return article;
  const own = article.filter(({ kind }) => kind === 'paragraph').slice(0, odd.paragraphsKept ?? 0);
  return [...own, ...odd.paragraphs.map((text) => ({ kind: 'paragraph', text }) as const)];
}

const LONG_PARTS = 20;

const CHANGES = {
  /** Over 60,000 characters: the article many times, each time under its own headings. */
  long: (article: readonly Block[]): readonly Block[] =>
    Array.from({ length: LONG_PARTS }, (_, index) =>
      article.map((block) =>
        block.kind === 'heading' ? { ...block, text: `Part ${index + 1}: ${block.text}` } : block,
      ),
    ).flat(),
  garbled: (article: readonly Block[]): readonly Block[] => article.map(garbled),
  relative: (article: readonly Block[]): readonly Block[] => article.map(relative),
  binary: (): readonly Block[] => [{ kind: 'paragraph', text: BINARY.toString('base64') }],
};

/** Bytes as in a PDF, in runs longer than a word. */
const BINARY = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * 73 + (index >> 3)) % 256)),
]);

/** UTF-8 decoded as Latin-1 and encoded as UTF-8 again. */
function garbled(block: Block): Block {
  if (block.kind !== 'paragraph' && block.kind !== 'heading') return block;
  const accented = block.text.replaceAll('e', 'é').replaceAll('o', 'ö').replaceAll("'", '’');
  return { ...block, text: Buffer.from(accented, 'utf8').toString('latin1') };
}

/** URLs relative to their site, as on careless pages. */
function relative(block: Block): Block {
  if (block.kind === 'image') return { ...block, url: pathOf(block.url) };
  if (block.kind !== 'links') return block;
  return { ...block, links: block.links.map(({ text, url }) => ({ text, url: pathOf(url) })) };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
