/** Links between pages, which name files, as links of the site. */
import { posix } from 'node:path';

/** Paths of the server that a page may link to as they are. */
const SERVER_PATHS = [
  '/docs/reference',
  '/docs/providers-file.schema.json',
  '/openapi.json',
  '/llms.txt',
  '/llms-full.txt',
];

const START_FILE = 'docs/README.md';

/**
 * @param {string} href As in the markdown.
 * @param {string} file The page that contains it.
 * @param {ReadonlyMap<string, import('./navigation.mjs').Page>} pages By file.
 * @returns {{page: import('./navigation.mjs').Page, anchor: string} | {url: string} | undefined}
 * undefined: its target does not exist.
 */
export function resolveLink(href, file, pages) {
  if (/^(https?:|mailto:)/.test(href)) return { url: href };
  const [path, anchor = ''] = href.split('#');
  if (path.startsWith('/')) return SERVER_PATHS.includes(path) ? { url: href } : undefined;
  const target = path === '' ? file : posix.join(posix.dirname(file), path);
  if (target.startsWith('docs/') && isSchema(target)) return { url: `/${target}` };
  // the front page of the repository is the start page of the site
  const page = pages.get(target === 'README.md' ? START_FILE : target);
  return page && { page, anchor: target === 'README.md' ? '' : anchor };
}

/** A file that the site serves as it is, see `buildSite`. */
export const isSchema = (file) => file.endsWith('.schema.json');

/**
 * The markdown with links that work wherever it is served: as a page, or with all pages in one
 * text.
 */
export function relinkedMarkdown(markdown, from, pages) {
  return markdown.replaceAll(/\]\(([^)\s]+)\)/g, (whole, href) => {
    const target = resolveLink(href, from.file, pages);
    if (target?.url && isSchema(href)) return `](${target.url})`;
    if (!target?.page || href.startsWith('#')) return whole;
    return `](${target.page.sourceUrl}${target.anchor && `#${target.anchor}`})`;
  });
}
