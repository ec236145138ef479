import { fixed, htmlPage, type SitePage, STORY, STORY_HTML } from './visit.ts';

/** Good pages that are easy to read wrongly. */

const FIGURE =
  '<figure><img src="img/mill.jpg" alt="The mill at low water"><figcaption>The mill in spring.</figcaption></figure>';
const LAZY =
  '<img data-src="/img/lazy.jpg" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="Loaded later"><picture><source srcset="/img/wide.webp 2x"><img src="/img/wide.jpg" alt="Wide view"></picture>';
const TABLE =
  '<table><caption>Height of the water</caption><thead><tr><th>Year</th><th>Metres | feet</th></tr></thead><tbody><tr><td>2025</td><td>4.1</td></tr><tr><td>2026</td><td>4.3</td></tr></tbody></table>';
const CODE =
  '<pre><code class="language-python">def height(moon):\n    if moon &lt; 3:\n        return 4.1\n    return "```"\n</code></pre><pre class="highlight highlight-js"><code>let tide = 1;\n\nif (tide &gt; 0) {\n  tide *= 2;\n}</code></pre><p>Call <code>height(3)</code> or <code>a`b</code>.</p>';
const LISTS =
  '<ul><li>Water<ul><li>High<ol><li>Spring</li><li>Neap</li></ol></li><li>Low</li></ul></li><li>Grain</li></ul><ol start="4"><li>Fourth</li><li>Fifth</li></ol>';
const TERMS =
  '<dl><dt>Leat</dt><dd>A channel that leads water to a mill.</dd><dt>Sluice</dt><dd>A gate in it.</dd></dl>';
const LINKS =
  '<p>See <a href="history.html">the history</a>, <a href="/visit?day=7#hours">opening hours</a>, <a href="//cdn.example.net/map">a map</a>, <a href="#top">the top</a>, <a href="javascript:void(0)">a script</a> and <a href="mailto:mill@example.org">a letter box</a>.</p>';

const ARTICLE = `<header><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav></header><main><article><h1 id="top">The tide mill</h1>${STORY_HTML}<h2>Pictures</h2>${FIGURE}${LAZY}<h2>Numbers</h2>${TABLE}<h2>Program</h2>${CODE}<h3>Lists</h3>${LISTS}${TERMS}<blockquote><p>Water waits for nobody.</p></blockquote><hr>${LINKS}<p>2 * 3 * 4 = 24 and <em>this</em> is <strong>bold</strong>.</p></article></main><aside><p>Buy our mugs!</p></aside><footer><p>All rights reserved by nobody.</p></footer>`;

const JSON_LD = JSON.stringify({
  '@context': 'https://schema.org',
  '@graph': [
    { '@type': 'WebSite', name: 'Mill Notes' },
    {
      '@type': 'NewsArticle',
      headline: 'The tide mill, in full',
      author: [{ '@type': 'Person', name: 'Mara Lindqvist' }],
      datePublished: '2026-06-11T09:00:00+02:00',
      dateModified: '2026-06-12',
      image: ['/img/share-ld.jpg'],
    },
  ],
});

const METADATA = [
  '<meta name="description" content="A mill, its keeper &amp; twelve years of notes.">',
  '<meta name="author" content="M. Lindqvist">',
  '<meta property="og:title" content="The tide mill">',
  '<meta property="og:description" content="What the notebooks say.">',
  '<meta property="og:image" content="/img/share.jpg">',
  '<meta property="og:site_name" content="Mill Notes">',
  '<meta property="article:published_time" content="2026-06-11T07:00:00Z">',
  '<link rel="canonical" href="/metadata/canonical">',
  '<link rel="icon" href="/img/icon.svg" type="image/svg+xml">',
  '<link rel="alternate" type="application/rss+xml" href="/rss">',
  `<script type="application/ld+json">${JSON_LD}</script>`,
  '<script type="application/ld+json">{ this is not JSON }</script>',
].join('\n');

const HIDDEN =
  '<p hidden>Hidden by an attribute.</p><p style="display:none">Hidden by a style.</p><p aria-hidden="true">Hidden from readers.</p><template><p>Inside a template.</p></template><style>p { color: red }</style><script>document.write("written by a script")</script><!-- a comment -->';

export const ARTICLES: readonly SitePage[] = [
  fixed(
    '/article',
    'relative links and images, tables, code, nested lists, a definition list, a figure',
    htmlPage('The tide mill | Mill Notes', ARTICLE),
  ),
  fixed(
    '/article-base',
    'the article with a base element that moves its relative addresses',
    htmlPage('The tide mill', ARTICLE, '<base href="https://static.example.org/mill/">'),
  ),
  fixed(
    '/metadata',
    'OpenGraph, JSON-LD, author, dates, canonical address, icon',
    htmlPage('Title element', `<article><h1>The tide mill</h1>${STORY_HTML}</article>`, METADATA),
  ),
  fixed(
    '/title-entities',
    'entities and line breaks in the title',
    htmlPage(
      '\n  Caf&eacute;s &amp; M&uuml;hlen &ndash; &#8220;notes&#8221;\n\t&lt;2026&gt;  ',
      STORY_HTML,
    ),
  ),
  fixed('/untitled', 'no title at all', `<!doctype html><p>${STORY.join('</p><p>')}</p>`),
  fixed(
    '/title-in-heading',
    'an empty title and a heading',
    htmlPage('', `<h1>From the heading</h1>${STORY_HTML}`),
  ),
  fixed('/hidden', 'text that no reader sees', htmlPage('Hidden', `${STORY_HTML}${HIDDEN}`)),
  fixed(
    '/broken-markup',
    'elements that are never closed, or closed twice',
    `<title>Broken</title><p>${STORY.join('<p>')}<table><tr><td>cell</b></i></table></div></div><a href="x>y`,
  ),
  fixed('/fragment', 'a piece of HTML without head and body', `<h1>A fragment</h1>${STORY_HTML}`),
  fixed(
    '/short',
    'a short page that is all there is',
    htmlPage(
      'Opening hours',
      '<p>The mill is closed on Monday. It opens again on Tuesday at 9.</p>',
    ),
  ),
  fixed(
    '/link-list',
    'a page that is nothing but links',
    htmlPage(
      'Links',
      Array.from({ length: 60 }, (_, n) => `<li><a href="/page-${n}">Page ${n}</a></li>`).join(''),
    ),
  ),
];
