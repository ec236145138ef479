import { type Chrome, escapeHtml, markup } from './page.ts';

const links = (names: string, path = '/'): string =>
  names
    .split('|')
    .map((name) => `<li><a href="${path}${encodeURIComponent(name)}">${name}</a></li>`)
    .join('\n');

/**
 * A newspaper: navigation, cookie banner, teasers between paragraphs, related stories, comments.
 */
export const newspaper: Chrome = ({ title, blocks }) => {
  const [lead, second, ...rest] = blocks;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title} | The Harbour Courier</title>
<meta property="og:type" content="article"><meta property="og:title" content="${title}"><meta property="article:published_time" content="2025-03-04T07:30:00+00:00">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"${title}","datePublished":"2025-03-04T07:30:00+00:00","author":[{"@type":"Person","name":"Imre Halden"}]}</script>
<script>window.ads = [1, 2, 3];</script><style>.x{color:red}</style></head><body class="article-page has-sidebar">
<div id="cookie-consent" class="cookie-consent"><p>We and our 812 partners use cookies to store and access personal data on your device. You may accept or manage your choices.</p><button>Accept all</button><button>Reject</button></div>
<a class="skip-link" href="#main">Skip to main content</a>
<header class="site-header"><a href="/"><img src="/logo.svg" alt="The Harbour Courier"></a><nav><ul>${links('Home|Politics|Business|Sport|Culture|Opinion|Weather')}</ul></nav><form class="search"><input type="text" placeholder="Search"><button>Go</button></form></header>
<div class="ad-slot ad-leaderboard">Advertisement</div>
<main id="main"><article class="story"><div class="breadcrumbs"><a href="/">Home</a> › <a href="/local">Local</a></div><h1>${title}</h1>
<div class="byline">By <a rel="author" href="/staff/imre">Imre Halden</a>, city reporter · <time datetime="2025-03-04">4 March 2025</time> · 4 min read</div>
<ul class="share-buttons"><li><a href="https://social.example/1">Share on Facebook</a></li><li><a href="https://social.example/2">Post</a></li><li><a href="mailto:?x">Email</a></li></ul>
${markup(lead ? [lead] : [])}<div class="ad-slot">Advertisement</div>${markup(second ? [second] : [])}
<aside class="related-inline"><h4>Related</h4><a href="/r/1">Council budget: what residents will pay next year</a></aside>
${markup(rest)}
<div class="newsletter-signup"><h3>Get the morning briefing</h3><p>Sign up for our free newsletter and never miss a story from your town.</p><input type="email"><button>Sign up</button></div>
<div class="article-tags">Tags: <a href="/t/1">harbour</a> <a href="/t/2">council</a></div></article>
<section class="related-stories"><h2>More from Local</h2><ul>${links('Bridge closed until June after inspection|Two schools to share one head teacher|Market square gets new trees and benches', '/s/')}</ul></section>
<section id="comments" class="comments"><h3>3 comments</h3><div class="comment"><b>gullwatcher</b><p>About time somebody wrote this down, I have been saying so for years at every meeting.</p></div><div class="comment"><b>anna_k</b><p>Not sure that I agree with the second half of the piece, but thanks for the figures.</p></div></section></main>
<aside class="sidebar"><h3>Most read</h3><ol>${links('Ferry timetable changes|House prices fall again|Obituary: the last lamplighter', '/m/')}</ol></aside>
<footer><p>© 2025 Harbour Courier Media Ltd. All rights reserved. Registered office: 1 Quay Street.</p><ul>${links('About us|Contact|Terms|Privacy|Cookies|Advertise')}</ul></footer></body></html>`;
};

/** A theme of a blogging system, without an article type. */
export const blog: Chrome = ({
  title,
  blocks,
}) => `<!doctype html><html lang="en-GB"><head><title>${title} – Slow Tools</title><meta name="author" content="M. Orlov">
<link rel="canonical" href="https://blog.example/slow/tools"></head><body class="single single-post wp-theme">
<div id="page" class="site"><header id="masthead"><p class="site-title"><a href="/">Slow Tools</a></p><p class="site-description">Notes on making things by hand and by machine</p><div class="menu-primary-container"><ul id="menu">${links('Blog|About|Projects|RSS')}</ul></div></header>
<div id="content"><div id="primary"><div id="post-12" class="post type-post hentry"><h1 class="entry-title">${title}</h1><div class="entry-meta">Posted on <a href="/2024/11/02">November 2, 2024</a> by <a href="/author/m">M. Orlov</a></div>
<div class="entry-content">${markup(blocks, { code: (code, lang) => `<pre class="brush: ${lang}; gutter: true">${escapeHtml(code)}</pre>` })}
<div class="sharedaddy"><h3>Share this:</h3><ul>${links('Click to share on X|Click to print')}</ul></div></div>
<div class="entry-footer">Posted in <a href="/c/1">Workshop</a>, tagged <a href="/t/1">joinery</a>. <a href="/edit">Edit</a></div></div>
<div class="post-navigation"><a href="/prev">← Older: A year of mending</a> <a href="/next">Newer: On sharpening →</a></div>
<div id="respond"><h3>Leave a Reply</h3><p>Your email address will not be published. Required fields are marked *</p><form><textarea></textarea><input type="submit" value="Post Comment"></form></div></div>
<div id="secondary" class="widget-area"><section class="widget"><h2>Recent Posts</h2><ul>${links('A year of mending|On sharpening|The bench that moved twice')}</ul></section><section class="widget"><h2>Archives</h2><ul>${links('November 2024|October 2024|July 2024')}</ul></section></div></div>
<footer id="colophon"><div class="site-info">Proudly powered by a blogging system | Theme: Oak</div></footer></div></body></html>`;

/** Documentation made by a generator from reStructuredText. */
export const manual: Chrome = ({
  title,
  blocks,
}) => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title} — tidepool 3.2 documentation</title></head><body class="wy-body-for-nav">
<div class="related" role="navigation"><ul>${links('index|modules|next|previous')}</ul></div>
<div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body" role="main"><section id="x"><h1>${title}<a class="headerlink" href="#x" title="Link to this heading">¶</a></h1>
${markup(blocks, {
  code: (code, lang) =>
    `<div class="highlight-${lang} notranslate"><div class="highlight"><pre><span></span>${escapeHtml(code).replace(/^(\w+)/gm, '<span class="k">$1</span>')}\n</pre></div></div>`,
  note: (text) =>
    `<div class="admonition note"><p class="admonition-title">Note</p><p>${text}</p></div>`,
})}</section></div></div></div>
<div class="sphinxsidebar" role="navigation"><h3>Table of Contents</h3><ul>${links('Installation|Quick start|Configuration|Streams|API reference|Changelog')}</ul><h3>This Page</h3><ul>${links('Show Source')}</ul></div></div>
<div class="footer">© Copyright 2024, The tidepool authors. Created using a generator 7.2.</div></body></html>`;

/** A bulletin board of the old kind. */
export const board: Chrome = ({
  title,
  blocks,
}) => `<!DOCTYPE html><html><head><title>${title} - Kiln Talk</title></head><body id="phpbb" class="section-viewtopic">
<div id="wrap"><div id="page-header"><h1>Kiln Talk</h1><p>Where potters meet</p><ul class="navlinks">${links('Board index|FAQ|Register|Login')}</ul></div>
<div id="page-body"><h2 class="topic-title"><a href="/t">${title}</a></h2><div class="action-bar"><a href="/reply">Post Reply</a><div class="pagination">3 posts • Page 1 of 1</div></div>
${markup(blocks, {
  post: (inner, by, at) =>
    `<div class="post bg1"><div class="inner"><dl class="postprofile"><dt><a href="/u">${by}</a></dt></dl><div class="postbody"><p class="author">${at}</p><div class="content">${inner}</div><div class="signature">Fire slowly, unload quickly.</div></div><div class="back2top"><a href="#wrap">Top</a></div></div></div><hr class="divider">`,
  paragraph: (text) => `${text}<br><br>`,
})}
<div class="jumpbox"><label>Jump to:</label><select><option>General</option><option>Glazes</option></select></div></div>
<div id="page-footer">Delete cookies • All times are UTC • Powered by a board</div></div></body></html>`;

/** A shop's page of one product. */
export const shop: Chrome = ({
  title,
  blocks,
}) => `<!doctype html><html lang="en"><head><title>${title} | Fell &amp; Ford Outdoor</title><meta property="og:type" content="product"></head><body>
<div class="announcement-bar">Free delivery on orders over £60 · 90 day returns</div><header class="header"><nav>${links('Tents|Stoves|Packs|Sale')}</nav><div class="mini-cart">Your basket is empty</div></header>
<div class="product-page"><div class="gallery"><img src="/p/1.jpg" alt="Front"><img src="/p/2.jpg" alt="Back"></div><div class="product-info"><h1>${title}</h1><form action="/cart"><select><option>Small</option><option>Large</option></select><button>Add to basket</button></form></div>
<div class="product-description">${markup(blocks)}</div></div>
<section class="recommendations"><h2>You may also like</h2><div class="grid">${['Trail mug', 'Gas canister 230 g', 'Folding spoon', 'Wind screen'].map((name) => `<div class="card"><a href="/p/${name.length}"><img src="/p/x.jpg" alt=""><h3>${name}</h3></a><span>£12.00</span><button>Quick buy</button></div>`).join('')}</div></section>
<footer><div class="newsletter"><h4>Join our mailing list</h4><p>10% off your first order when you sign up.</p></div><ul>${links('Delivery|Returns|Size guide|Contact')}</ul><p>© Fell &amp; Ford 2025</p></footer></body></html>`;

/** Pages laid out with tables and font elements. */
export const tables: Chrome = ({
  title,
  blocks,
}) => `<HTML><HEAD><TITLE>${title}</TITLE></HEAD><BODY BGCOLOR="#FFFFFF"><CENTER><TABLE WIDTH=760 BORDER=0><TR><TD COLSPAN=2><IMG SRC="banner.gif" WIDTH=760 HEIGHT=60 ALT="banner"></TD></TR>
<TR><TD WIDTH=140 VALIGN=TOP BGCOLOR="#CCCCFF"><FONT SIZE=2><A HREF="index.htm">Home</A><BR><A HREF="news.htm">News</A><BR><A HREF="gallery.htm">Gallery</A><BR><A HREF="links.htm">Links</A><BR><A HREF="guest.htm">Guestbook</A></FONT></TD>
<TD VALIGN=TOP><H1>${title}</H1>${markup(blocks, { paragraph: (text) => `<FONT FACE="Arial">${text}</FONT><BR><BR>` })}</TD></TR>
<TR><TD COLSPAN=2 ALIGN=CENTER><FONT SIZE=1><A HREF="index.htm">Home</A> | <A HREF="news.htm">News</A> | <A HREF="mail.htm">Mail</A></FONT></TD></TR></TABLE></CENTER></BODY></HTML>`;
