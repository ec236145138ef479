/** One markdown page as HTML, with what navigation and search need to know of it. */
import { Marked } from 'marked';
import { highlight } from './highlight.mjs';
import { resolveLink } from './links.mjs';
import { createSlugger, escapeHtml, plainText } from './text.mjs';

/**
 * @typedef {object} Rendered
 * @property {string} heading The first heading.
 * @property {string} id Its anchor.
 * @property {string} summary The first paragraph, as plain text; where a page begins with something
 * else, what the navigation says.
 * @property {string} html Without the first heading.
 * @property {{depth: number, text: string, id: string}[]} headings Those below the first.
 * @property {{id: string, heading: string, text: string}[]} sections The page cut at its headings,
 * as plain text.
 * @property {string[]} problems Broken links and pictures.
 */

const CALLOUT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

/** @returns {Rendered} */
export function renderPage(markdown, page, pages) {
  const problems = [];
  const marked = new Marked({ gfm: true, renderer: renderer(page, pages, problems) });
  const tokens = marked.lexer(markdown);
  const slug = createSlugger();
  marked.walkTokens(tokens, (token) => {
    if (token.type !== 'heading') return;
    token.plain = plainText(token.tokens);
    token.id = slug(token.plain);
  });
  nameRegions(tokens);
  const first = tokens.findIndex((token) => token.type === 'heading' && token.depth === 1);
  if (first < 0) problems.push(`${page.file} lacks a first heading`);
  const title = tokens[first]?.plain ?? page.title;
  const rest = tokens.filter((_, index) => index !== first);
  rest.links = tokens.links;
  return {
    heading: title,
    id: tokens[first]?.id ?? '',
    summary: summaryOf(rest) || page.about,
    html: marked.parser(rest),
    headings: rest
      .filter((token) => token.type === 'heading')
      .map(({ depth, plain, id }) => ({ depth, text: plain, id })),
    sections: sectionsOf(rest, title),
    problems,
  };
}

function summaryOf(tokens) {
  const first = tokens.find(({ type }) => !['space', 'heading', 'html'].includes(type));
  return first?.type === 'paragraph' ? tidy(plainText(first.tokens)) : '';
}

const tidy = (text) => text.replaceAll(/\s+/g, ' ').trim();

function sectionsOf(tokens, title) {
  const sections = [{ id: '', heading: title, parts: [] }];
  for (const token of tokens) {
    if (token.type === 'heading') sections.push({ id: token.id, heading: token.plain, parts: [] });
    else sections.at(-1).parts.push(plainText([token]));
  }
  return sections.map(({ id, heading, parts }) => ({ id, heading, text: tidy(parts.join(' ')) }));
}

/** Tables and code scroll in their own regions, which need names. */
function nameRegions(tokens) {
  let heading = '';
  for (const token of tokens) {
    if (token.type === 'heading') heading = token.plain;
    else if (token.type === 'table') token.name = heading ? `Table: ${heading}` : 'Table';
  }
}

function renderer(page, pages, problems) {
  return {
    heading({ tokens, depth, id, plain }) {
      const anchor = `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(plain)}">#</a>`;
      const heading = `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>`;
      // next to the heading, whose name a screen reader would otherwise read twice
      return `<div class="heading depth-${depth}">${heading}${anchor}</div>\n`;
    },
    html({ text }) {
      return /^\s*<!--[\s\S]*-->\s*$/.test(text) ? '' : escapeHtml(text);
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = resolveLink(href, page.file, pages);
      if (!target) {
        problems.push(`${page.file} links to ${href}, which is not a page`);
        return text;
      }
      const url = target.url ?? `${target.page.url}${target.anchor && `#${target.anchor}`}`;
      return `<a href="${escapeHtml(url)}">${text}</a>`;
    },
    image({ href, text }) {
      problems.push(`${page.file} shows the picture ${href}, which the site does not serve`);
      return escapeHtml(text);
    },
    code({ text, lang }) {
      const language = /^\w+/.exec(lang ?? '')?.[0] ?? '';
      const name = language ? `Code: ${language}` : 'Code';
      const code = `<code>${highlight(text, language)}\n</code>`;
      return `<div class="code"><pre tabindex="0" role="group" aria-label="${name}">${code}</pre></div>\n`;
    },
    table(token) {
      const row = (cells, tag) =>
        `<tr>${cells.map((cell) => tableCell(this.parser.parseInline(cell.tokens), cell, tag)).join('')}</tr>`;
      const isHeaded = token.header.some((cell) => cell.tokens.length > 0);
      const head = isHeaded ? `<thead>${row(token.header, 'th')}</thead>` : '';
      const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
      const name = escapeHtml(token.name ?? 'Table');
      return `<div class="table" tabindex="0" role="group" aria-label="${name}"><table>${head}<tbody>\n${body}\n</tbody></table></div>\n`;
    },
    blockquote({ tokens }) {
      return (
        callout(tokens, this.parser) ?? `<blockquote>${this.parser.parse(tokens)}</blockquote>\n`
      );
    },
  };
}

/** Turns an empty heading of a column into an ordinary cell. */
function tableCell(html, { align }, tag) {
  const name = html === '' ? 'td' : tag;
  const scope = name === 'th' ? ' scope="col"' : '';
  return `<${name}${scope}${align ? ` class="${align}"` : ''}>${html}</${name}>`;
}

/** GitHub's `> [!NOTE]`. */
function callout(tokens, parser) {
  const kind = CALLOUT.exec(tokens[0]?.text ?? '')?.[1];
  if (!kind) return undefined;
  const [text] = tokens[0].tokens;
  text.text = text.text.replace(CALLOUT, '');
  const title = kind[0] + kind.slice(1).toLowerCase();
  return `<div class="callout ${kind.toLowerCase()}"><p class="callout-title">${title}</p>${parser.parse(tokens)}</div>\n`;
}
