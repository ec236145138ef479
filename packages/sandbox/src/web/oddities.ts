import type { Block } from './blocks.ts';
import type { FailureReason } from './target.ts';

/** How a word of the path changes the page there. Absent members are those of an ordinary article. */
export interface OddPage {
  readonly status?: number;
  /** No answer at all. */
  readonly failure?: FailureReason;
  /** Null: the page has no title. */
  readonly title?: string | null;
  readonly blocks?: (article: readonly Block[]) => readonly Block[];
  readonly body?: string;
  readonly long?: true;
  readonly pageCount?: number;
}

const notice = (title: string, ...texts: readonly string[]): OddPage => ({
  title,
  blocks: () => texts.map((text) => ({ kind: 'paragraph', text })),
});

const SHELL = 'You need to enable JavaScript to run this app.';

/** Every word of a path that means something, as the README lists them. */
export const ODD_PAGES: Readonly<Record<string, OddPage>> = {
  missing: {
    ...notice('Page not found', 'The page you asked for does not exist.', 'Back to the start page'),
    status: 404,
  },
  gone: { ...notice('Gone', 'This page was removed for good.'), status: 410 },
  blocked: {
    ...notice(
      'Just a moment...',
      'Checking your browser before you can go on.',
      'Please complete the security check to prove that you are human.',
    ),
    status: 403,
  },
  error: { ...notice('Internal Server Error', 'Something broke on our side.'), status: 500 },
  'unknown-host': { failure: 'unknown-host' },
  slow: { failure: 'timeout' },
  'too-large': { failure: 'too-large' },
  archive: { failure: 'unsupported' },
  empty: { blocks: () => [] },
  shell: {
    ...notice('Dashboard', SHELL),
    body: `<noscript>${SHELL}</noscript><div id="root"></div><script src="/static/app.js"></script>`,
  },
  consent: notice(
    'Before you continue',
    'We and our 842 partners use cookies and similar technologies to store and access information on your device.',
    'Accept all',
    'Reject all',
    'Manage your privacy choices',
  ),
  'soft-404': notice(
    'Page not found',
    'Sorry, we could not find the page you are looking for.',
    'It may have moved, or it never existed.',
  ),
  paywall: {
    blocks: (article) => [
      ...article.filter(({ kind }) => kind === 'paragraph').slice(0, 1),
      { kind: 'paragraph', text: 'Subscribe to continue reading.' },
      { kind: 'paragraph', text: 'Already a subscriber? Sign in to read the full article.' },
    ],
  },
  mojibake: { blocks: (article) => article.map(garbled) },
  base64: {
    blocks: () => [{ kind: 'paragraph', text: BINARY.toString('base64') }],
  },
  short: {
    blocks: () => [
      {
        kind: 'paragraph',
        text: 'The office is closed on Monday. It opens again on Tuesday at 9.',
      },
    ],
  },
  long: { long: true },
  untitled: { title: null },
  relative: { blocks: (article) => article.map(relative) },
  pdf: { pageCount: 3 },
};

/** Bytes as a PDF has them, long enough to be no word. */
const BINARY = Buffer.concat([
  Buffer.from('%PDF-1.7\n'),
  Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * 73 + (index >> 3)) % 256)),
]);

/** UTF-8 read as Latin-1 and written as UTF-8 again. */
function garbled(block: Block): Block {
  if (block.kind !== 'paragraph' && block.kind !== 'heading') return block;
  const accented = block.text.replaceAll('e', 'é').replaceAll('o', 'ö').replaceAll("'", '’');
  return { ...block, text: Buffer.from(accented, 'utf8').toString('latin1') };
}

/** Addresses below their own site, as careless pages write them. */
function relative(block: Block): Block {
  if (block.kind === 'image') return { ...block, url: pathOf(block.url) };
  if (block.kind !== 'links') return block;
  return { ...block, links: block.links.map(({ text, url }) => ({ text, url: pathOf(url) })) };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
