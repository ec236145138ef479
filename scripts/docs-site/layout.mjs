/** The HTML around a page. */
import { escapeHtml } from './text.mjs';

/**
 * @typedef {object} View
 * @property {import('./navigation.mjs').Page} page
 * @property {import('./render-page.mjs').Rendered} rendered
 * @property {readonly import('./navigation.mjs').Page[]} pages All, in reading order.
 * @property {Readonly<Record<'style' | 'script' | 'search' | 'icon', string>>} assets Their URLs.
 */

/** Where the API reference is served. */
export const REFERENCE = '/docs/reference';

/** A longer group is folded unless the current page is in it. */
const LONGEST_OPEN_GROUP = 11;

const MARK =
  '<svg class="mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M2 6h20M4 6c0 7 3.5 12 8 12s8-5 8-12M9 6c0 5 1 9 3 12m3-12c0 5-1 9-3 12M5 11h14" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/></svg>';

/** A page of the documentation. @param {View} view */
export function pageHtml({ page, rendered, pages, assets }) {
  const index = pages.indexOf(page);
  const headings = rendered.headings.filter(({ depth }) => depth === 2 || depth === 3);
  const content = `<p class="group">${escapeHtml(page.group)}</p>
<h1 id="${rendered.id}">${escapeHtml(rendered.heading)}</h1>
${rendered.html}
${neighbours(pages[index - 1], pages[index + 1])}
<p class="source"><a href="${page.sourceUrl}">This page as markdown</a></p>`;
  return documentHtml({
    title: page.url === '/docs' ? 'trawl docs' : `${rendered.heading} · trawl docs`,
    head: `<meta name="description" content="${escapeHtml(rendered.summary)}">
<link rel="alternate" type="text/markdown" href="${page.sourceUrl}">`,
    side: sideNavigation(pages, page),
    contents: contentsList(headings),
    content,
    assets,
  });
}

/** The frame of the API reference. The server adds the viewer's files below the page's address. */
export function referenceHtml({ pages, assets }) {
  return documentHtml({
    title: 'API reference · trawl docs',
    head: `<meta name="description" content="Every endpoint of trawl, to read and to try out.">
<link rel="stylesheet" href="${REFERENCE}/swagger-ui.css">
<script defer src="${REFERENCE}/swagger-ui-bundle.js"></script>
<script defer src="${REFERENCE}/start.js"></script>`,
    kind: 'reference',
    side: sideNavigation(pages, undefined),
    contents: '',
    content: `<p class="group">Use the API</p>
<h1>API reference</h1>
<p>To try a request here, press Authorize, enter an API key of this server, open an endpoint and press Try it out. A search or fetch that you send from here calls real
providers and is billed like any other. For explanations and complete examples see the <a href="/docs/api">HTTP API page</a>; programs read the
<a href="/openapi.json">OpenAPI document</a>.</p>
<noscript><p>This page needs JavaScript. The <a href="/docs/api">HTTP API page</a> describes the same endpoints without it.</p></noscript>
<div id="reference"></div>`,
    assets,
  });
}

/** The page for an unknown address below `/docs`. */
export function notFoundHtml({ pages, assets }) {
  return documentHtml({
    title: 'Not found · trawl docs',
    head: '<meta name="robots" content="noindex">',
    side: sideNavigation(pages, undefined),
    contents: '',
    content: `<p class="group">404</p>
<h1>Page not found</h1>
<p>It may have been renamed. Search above (press <kbd>/</kbd>), choose from the navigation, or go on from here:</p>
<ul>
<li><a href="/docs">Start page of the documentation</a></li>
<li><a href="/docs/reference">API reference</a></li>
<li><a href="/llms.txt">List of all pages as text</a></li>
</ul>`,
    assets,
  });
}

function documentHtml({ title, head, kind = 'text', side, contents, content, assets }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head}
<link rel="icon" type="image/svg+xml" href="${assets.icon}">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body class="${kind}" data-search="${assets.search}">
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="brand" href="/docs">${MARK}trawl <span>docs</span></a>
<div class="search" role="search" hidden>
<input type="search" placeholder="Search" aria-label="Search the documentation" aria-controls="results" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<div id="results" class="results" hidden></div>
<p class="visually-hidden" role="status"></p>
</div>
<nav class="links" aria-label="Reference"><a href="${REFERENCE}"${kind === 'reference' ? ' aria-current="page"' : ''}>API reference</a></nav>
</header>
<div class="layout">
<nav class="side" aria-label="Documentation">
${side}
</nav>
${contents}
<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`;
}

function sideNavigation(pages, current) {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const lists = groups.map((group) =>
    sideGroup(
      group,
      pages.filter((page) => page.group === group),
      current,
    ),
  );
  return `<details class="fold"><summary>Menu</summary>\n${lists.join('\n')}\n</details>`;
}

function sideGroup(group, pages, current) {
  const items = pages.map((page) => {
    const mark = page === current ? ' aria-current="page"' : '';
    return `<li><a href="${page.url}"${mark}>${escapeHtml(page.title)}</a></li>`;
  });
  const name = escapeHtml(group);
  const list = `<ul aria-label="${name}">\n${items.join('\n')}\n</ul>`;
  if (pages.length <= LONGEST_OPEN_GROUP) return `<p>${name}</p>\n${list}`;
  const open = group === current?.group ? ' open' : '';
  return `<details${open}><summary>${name}</summary>\n${list}\n</details>`;
}

/** "On this page". A single heading needs no list. */
function contentsList(headings) {
  if (headings.length < 2) return '';
  const items = headings.map(
    ({ depth, text, id }) =>
      `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page">
<details class="fold"><summary>On this page</summary>
<p>On this page</p>
<ul>
${items.join('\n')}
</ul>
</details>
</nav>`;
}

function neighbours(previous, next) {
  const link = (page, kind, label) =>
    page
      ? `<a class="${kind}" rel="${kind}" href="${page.url}"><span>${label}</span> ${escapeHtml(page.title)}</a>`
      : '';
  return `<nav class="neighbours" aria-label="Previous and next page">${link(previous, 'prev', 'Previous')}${link(next, 'next', 'Next')}</nav>`;
}
