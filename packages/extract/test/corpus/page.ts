/**
 * One part of a page's text, from which both its markup and what a reader should get are made.
 * Texts may hold inline markup.
 */
export type Block =
  | string
  | { readonly h2: string }
  | { readonly h3: string }
  | { readonly ul: readonly Item[] }
  | { readonly ol: readonly Item[] }
  | { readonly code: string; readonly lang: string }
  | { readonly table: readonly (readonly string[])[]; readonly caption?: string }
  | { readonly quote: string }
  | { readonly figure: string; readonly alt?: string }
  | { readonly dl: readonly (readonly [string, string])[] }
  | { readonly note: string }
  | { readonly post: readonly Block[]; readonly by: string; readonly at: string };

export type Item = string | { readonly text: string; readonly ul: readonly string[] };

export type Category =
  | 'article'
  | 'docs'
  | 'forum'
  | 'shop'
  | 'wiki'
  | 'list'
  | 'data'
  | 'abroad'
  | 'old';

export interface CorpusPage {
  readonly name: string;
  readonly category: Category;
  /** The extractor was written with the first half at hand; the second was composed after it. */
  readonly half: 'first' | 'second';
  readonly title: string;
  readonly chrome: Chrome;
  readonly blocks: readonly Block[];
}

export interface ChromeInput {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** What a kind of site puts around a text; makes the whole document. */
export type Chrome = (input: ChromeInput) => string;

/** How a site writes down what has several spellings. */
export interface Dialect {
  readonly code?: (code: string, lang: string) => string;
  readonly post?: (inner: string, by: string, at: string) => string;
  readonly note?: (text: string) => string;
  readonly paragraph?: (text: string) => string;
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const plainCode = (code: string, lang: string): string =>
  `<pre><code class="language-${lang}">${escapeHtml(code)}\n</code></pre>`;

export function markup(blocks: readonly Block[], dialect: Dialect = {}): string {
  return blocks.map((block) => blockMarkup(block, dialect)).join('\n');
}

function blockMarkup(block: Block, dialect: Dialect): string {
  const paragraph = dialect.paragraph ?? ((text: string) => `<p>${text}</p>`);
  if (typeof block === 'string') return paragraph(block);
  if ('h2' in block) return `<h2 id="s-${block.h2.length}">${block.h2}</h2>`;
  if ('h3' in block) return `<h3>${block.h3}</h3>`;
  if ('ul' in block) return `<ul>${block.ul.map(itemMarkup).join('\n')}</ul>`;
  if ('ol' in block) return `<ol>${block.ol.map(itemMarkup).join('\n')}</ol>`;
  if ('code' in block) return (dialect.code ?? plainCode)(block.code, block.lang);
  if ('table' in block) return tableMarkup(block.table, block.caption);
  if ('quote' in block) return `<blockquote><p>${block.quote}</p></blockquote>`;
  if ('figure' in block)
    return `<figure><img src="/img/${block.figure.length}.jpg" alt="${block.alt ?? ''}"><figcaption>${block.figure}</figcaption></figure>`;
  if ('dl' in block)
    return `<dl>${block.dl.map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`).join('\n')}</dl>`;
  if ('note' in block)
    return (dialect.note ?? ((text) => `<div class="note"><p>${text}</p></div>`))(block.note);
  const post = dialect.post ?? ((inner, by, at) => `<article><b>${by}</b> ${at}${inner}</article>`);
  return post(markup(block.post, dialect), block.by, block.at);
}

function itemMarkup(item: Item): string {
  if (typeof item === 'string') return `<li>${item}</li>`;
  return `<li>${item.text}<ul>${item.ul.map(itemMarkup).join('')}</ul></li>`;
}

function tableMarkup(rows: readonly (readonly string[])[], caption?: string): string {
  const [head = [], ...rest] = rows;
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table>${caption ? `<caption>${caption}</caption>` : ''}<thead>${row(head, 'th')}</thead><tbody>${rest.map((cells) => row(cells, 'td')).join('\n')}</tbody></table>`;
}

/** What a reader wants of the page: its title and its text, nothing else. */
export function truthOf({ title, blocks }: CorpusPage): string {
  return [title, ...blocks.map(truth)].join('\n');
}

function truth(block: Block): string {
  if (typeof block === 'string') return bare(block);
  if ('code' in block) return block.code;
  if ('table' in block) return [block.caption ?? '', ...block.table.flat().map(bare)].join('\n');
  if ('dl' in block) return block.dl.flat().map(bare).join('\n');
  if ('ul' in block) return items(block.ul);
  if ('ol' in block) return items(block.ol);
  if ('post' in block) return [block.by, block.at, ...block.post.map(truth)].join('\n');
  return Object.entries(block)
    .filter(([key]) => key !== 'alt')
    .map(([, text]) => bare(String(text)))
    .join('\n');
}

const items = (list: readonly Item[]): string =>
  list
    .flatMap((item) => (typeof item === 'string' ? [item] : [item.text, ...item.ul]))
    .map(bare)
    .join('\n');

function bare(html: string): string {
  return html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** Every code block and the rows of every table, the posts' included. */
export function wholesOf(blocks: readonly Block[]): { code: string[]; rows: string[][] } {
  const code: string[] = [];
  const rows: string[][] = [];
  for (const block of blocks) {
    if (typeof block === 'string') continue;
    if ('code' in block) code.push(block.code);
    if ('table' in block) rows.push(...block.table.map((row) => row.map(bare)));
    if ('post' in block) {
      const inner = wholesOf(block.post);
      code.push(...inner.code);
      rows.push(...inner.rows);
    }
  }
  return { code, rows };
}
