import { type Chrome, escapeHtml, markup } from './page.ts';

const anchors = (names: string, separator = ' '): string =>
  names
    .split('|')
    .map((name, at) => `<a href="/go/${at}">${name}</a>`)
    .join(separator);

/** A magazine whose class names say nothing. */
export const magazine: Chrome = ({ title, blocks }) => {
  const half = Math.ceil(blocks.length / 2);
  const teaser = (name: string, text: string) =>
    `<div class="c9"><a href="/x/${name.length}"><img src="/t.jpg" alt=""></a><h3><a href="/x/${name.length}">${name}</a></h3><p>${text}</p></div>`;
  return `<!doctype html><html lang="en"><head><title>${title} - Meridian</title><meta property="og:title" content="${title}"><meta property="og:type" content="article"></head><body>
<div class="a1"><div class="a2"><a href="/">Meridian</a></div><div class="a3">${anchors('Science|Cities|Food|Film|Travel|Podcasts|Shop')}</div><div class="a4"><a href="/login">Log in</a> <a href="/sub">Subscribe</a></div></div>
<div class="b0"><div class="b1"><div class="k1">${anchors('Meridian|Cities', ' / ')}</div><h1 class="t1">${title}</h1></div><div class="b2"><div class="b3">${markup(blocks.slice(0, half))}
<p><a href="/x/77"><b>READ MORE: The night buses that hold a city together</b></a></p>${markup(blocks.slice(half))}
<p>Sign up for our weekly letter</p></div><div class="b4"><h4>Trending</h4>${teaser('Why trams come back', 'A quiet return in forty towns.')}${teaser('The bread question', 'Flour, water and politics.')}${teaser('A museum of locks', 'Doors that nobody opens.')}</div></div></div>
<div class="f1"><div>Recommended for you</div>${teaser('Ten walks before breakfast', 'Short routes for early risers.')}${teaser('The map seller of Lorne Street', 'Paper still sells.')}${teaser('Rain gardens explained', 'What they do and where.')}</div>
<div class="z1">${anchors('Masthead|Jobs|Privacy notice|Do not sell my information|Help')}<p>Meridian is published by Meridian Press. Reproduction in whole or part without permission is prohibited.</p></div></body></html>`;
};

/** A static site generator's documentation with two side columns. */
export const handbook: Chrome = ({
  title,
  blocks,
}) => `<!doctype html><html lang="en" data-theme="light"><head><title>${title} | Quillbox</title></head><body><div id="__docusaurus"><div role="region" aria-label="Skip to main content"><a class="skipToContent_x" href="#c">Skip to main content</a></div>
<nav class="navbar navbar--fixed-top"><div class="navbar__inner">${anchors('Quillbox|Docs|Blog|GitHub')}</div></nav><div class="main-wrapper"><aside class="theme-doc-sidebar-container"><ul class="menu__list"><li>${anchors('Introduction|Install|Guides|Plugins|Deploy', '</li><li>')}</li></ul></aside>
<main class="docMainContainer"><div class="row"><div class="col docItemCol"><article><ul class="breadcrumbs"><li>${anchors('Docs|Guides', '</li><li>')}</li></ul><div class="theme-doc-markdown markdown"><header><h1>${title}</h1></header>
${markup(blocks, {
  code: (code, lang) =>
    `<div class="language-${lang} codeBlockContainer theme-code-block"><div class="codeBlockContent"><pre tabindex="0" class="prism-code language-${lang} codeBlock thin-scrollbar"><code class="codeBlockLines">${code
      .split('\n')
      .map(
        (line) =>
          `<span class="token-line"><span class="token plain">${escapeHtml(line)}</span><br></span>`,
      )
      .join(
        '',
      )}</code></pre><div class="buttonGroup"><button aria-label="Copy code to clipboard">Copy</button></div></div></div>`,
  note: (text) =>
    `<div class="theme-admonition theme-admonition-tip alert alert--success"><div class="admonitionHeading">tip</div><div class="admonitionContent"><p>${text}</p></div></div>`,
})}</div><footer class="theme-doc-footer"><a href="/edit">Edit this page</a><span>Last updated on Jan 5, 2025 by ada</span></footer></article><nav class="pagination-nav"><a href="/p">Previous Install</a><a href="/n">Next Plugins</a></nav></div>
<div class="col col--3"><div class="tableOfContents"><ul><li>${anchors('Before you start|Steps', '</li><li>').replaceAll('/go/', '#')}</li></ul></div></div></div></main></div><footer class="footer"><div>Copyright © 2025 Quillbox, Inc. Built with a generator.</div></footer></div></body></html>`;

/** Questions and answers. */
export const answers: Chrome = ({
  title,
  blocks,
}) => `<!DOCTYPE html><html itemscope itemtype="https://schema.org/QAPage"><head><title>c - ${title} - Ask the Workshop</title></head><body>
<header class="s-topbar">${anchors('Ask the Workshop|Products|For Teams|Log in|Sign up')}</header><div class="container"><div id="left-sidebar" class="left-sidebar"><nav>${anchors('Home|Questions|Tags|Users')}</nav></div>
<div id="content"><div id="question-header"><h1><a href="/q/1">${title}</a></h1><div class="ml12"><a href="/ask" class="s-btn">Ask Question</a></div></div><div id="mainbar">
${markup(blocks, {
  post: (inner, by, at) =>
    `<div class="answer js-answer"><div class="post-layout"><div class="votecell"><button>Up</button><div class="js-vote-count">12</div><button>Down</button></div><div class="answercell"><div class="s-prose js-post-body">${inner}</div><div class="mt24"><div class="js-post-menu"><a href="/s">Share</a> <a href="/i">Improve this answer</a> <button>Follow</button></div><div class="user-info"><div class="user-action-time">${at}</div><div class="user-details"><a href="/u">${by}</a></div></div></div></div></div></div>`,
  code: (code, lang) =>
    `<pre class="lang-${lang} s-code-block"><code class="hljs language-${lang}">${escapeHtml(code)}</code></pre>`,
})}
<div id="post-form"><h2>Your Answer</h2><p>Thanks for contributing an answer! Please be sure to answer the question.</p><textarea></textarea><button>Post Your Answer</button></div></div>
<div id="sidebar"><div class="s-sidebarwidget"><h4>Related</h4>${anchors('How do I free a stuck chuck?|Which oil for old bearings?|Belt slips under load', '<br>')}</div><div class="s-sidebarwidget"><h4>Hot Network Questions</h4>${anchors('Why is the sky dark?|Rhyme for orange', '<br>')}</div></div></div></div>
<footer class="site-footer">${anchors('Blog|Contact|Legal')}<p>Site design / logo © 2025; user contributions licensed under CC BY-SA.</p></footer></body></html>`;

/** An encyclopedia. */
export const encyclopedia: Chrome = ({
  title,
  blocks,
}) => `<!DOCTYPE html><html class="client-nojs" lang="en"><head><title>${title} - Openpedia</title></head><body class="mediawiki ltr skin-vector">
<div id="mw-page-base"></div><a class="mw-jump-link" href="#x">Jump to content</a><div id="content" class="mw-body" role="main"><h1 id="firstHeading">${title}</h1><div id="bodyContent"><div id="siteSub">From Openpedia, the free encyclopedia</div>
<div id="mw-content-text"><div class="mw-parser-output"><div id="toc" class="toc" role="navigation"><h2>Contents</h2><ul><li><a href="#a">1 History</a></li><li><a href="#b">2 Use</a></li><li><a href="#c">3 References</a></li></ul></div>
${markup(blocks).replace(/<h2 id="([^"]*)">(.*?)<\/h2>/g, '<h2><span class="mw-headline" id="$1">$2</span><span class="mw-editsection">[<a href="/edit">edit</a>]</span></h2>')}
<div class="navbox"><table><tr><th>Hand tools</th></tr><tr><td>${anchors('Adze|Awl|Chisel|Plane|Rasp|Saw', ' · ')}</td></tr></table></div></div></div>
<div id="catlinks" class="catlinks">Categories: ${anchors('Tools|Woodworking', ' | ')}</div></div></div>
<div id="mw-navigation"><div id="p-personal">${anchors('Create account|Log in')}</div><div id="p-navigation"><h3>Navigation</h3>${anchors('Main page|Contents|Random article')}</div></div><div id="footer"><ul><li>This page was last edited on 3 May 2025, at 10:14 (UTC).</li><li>Text is available under a free licence; additional terms may apply.</li></ul></div></body></html>`;

/** A public office. */
export const office: Chrome = ({
  title,
  blocks,
}) => `<!DOCTYPE html><html lang="en"><head><title>${title} - City of Brennmouth</title></head><body><div class="cookie-banner" role="region"><h2>Cookies on this site</h2><p>We use some essential cookies to make this service work.</p><button>Accept additional cookies</button></div>
<header role="banner"><div>City of Brennmouth</div><ul><li>${anchors('Residents|Business|Council|Report it', '</li><li>')}</li></ul></header><div class="crumbs">${anchors('Home|Services', ' &gt; ')}</div>
<div class="grid"><main id="main-content"><h1>${title}</h1>${markup(blocks)}<div class="feedback"><p>Is this page useful?</p><button>Yes</button><button>No</button></div></main>
<div class="sidecol"><h2>Related content</h2><ul><li>${anchors('Pay a parking fine|Council tax bands|Apply for a permit', '</li><li>')}</li></ul></div></div>
<footer role="contentinfo"><p>All content is available under an open licence, except where otherwise stated.</p>${anchors('Accessibility|Privacy|Contact')}</footer></body></html>`;

/** A page for phones, with the page's own markup only. */
export const mobile: Chrome = ({
  title,
  blocks,
}) => `<!doctype html><html amp lang="en"><head><meta charset="utf-8"><title>${title}</title><style amp-boilerplate>body{visibility:hidden}</style></head><body><amp-sidebar id="s" layout="nodisplay"><ul><li>${anchors('Home|Videos|Live', '</li><li>')}</li></ul></amp-sidebar>
<header class="amp-head"><a href="/">Channel Nine</a></header><article><h1>${title}</h1><amp-social-share type="x"></amp-social-share>${markup(blocks)}<amp-ad width="300" height="250"></amp-ad><div class="amp-related"><h3>More stories</h3><ul><li>${anchors('Storm names for next year announced|Lifeboat crew thanked|Harbour wall repaired', '</li><li>')}</li></ul></div></article><amp-consent id="c"><p>This site uses cookies.</p></amp-consent><footer><p>© Channel Nine</p></footer></body></html>`;
