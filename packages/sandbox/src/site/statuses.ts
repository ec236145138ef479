import { fixed, HTML, htmlPage, type SitePage, STORY, STORY_HTML } from './visit.ts';

/** Answers that are no article, whether their status says so or not. */

const html = { 'content-type': HTML };

const page = (
  path: string,
  about: string,
  title: string,
  body: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): SitePage => fixed(path, about, htmlPage(title, body), { ...html, ...headers }, status);

const BOT_CHECK =
  '<h1>Just a moment...</h1><p>Verifying you are human. This may take a few seconds.</p><p>This site needs to review the security of your connection before proceeding.</p><form id="challenge-form" action="/challenge" method="post"><noscript>Enable JavaScript and cookies to continue</noscript></form><script src="/challenge/orchestrate.js"></script>';

const SHELL =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Dashboard</title><link rel="stylesheet" href="/static/main.css"></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script>window.__STATE__={"user":null,"items":[1,2,3]}</script><script defer src="/static/runtime.js"></script><script defer src="/static/main.js"></script></body></html>';

const CONSENT =
  '<div role="dialog"><h1>Before you continue</h1><p>We and our 842 partners use cookies and similar technologies to store and access information on your device.</p><button>Accept all</button><button>Reject all</button><a href="/privacy">Manage your privacy choices</a></div>';

const PAYWALL = `<article><h1>The tide mill</h1><p>${STORY[0]}</p><div class="paywall"><h2>Subscribe to continue reading</h2><p>Already a subscriber? <a href="/login">Sign in</a>.</p></div></article><script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"The tide mill","isAccessibleForFree":false}</script>`;

export const STATUSES: readonly SitePage[] = [
  fixed('/no-content', 'a 204', '', {}, 204),
  fixed('/empty-body', 'a 200 without a byte', '', html),
  page('/blank-page', 'HTML without any text', '', '<div></div>'),
  page(
    '/not-found',
    'a 404 with text',
    'Page not found',
    '<h1>Page not found</h1><p>The page you asked for does not exist.</p>',
    404,
  ),
  fixed('/gone', 'a 410 without a body', '', html, 410),
  page(
    '/server-error',
    'a 500 with text',
    'Server error',
    '<h1>Something broke on our side</h1>',
    500,
  ),
  page('/unavailable', 'a 503 that asks for patience', 'Maintenance', '<h1>Back soon</h1>', 503, {
    'retry-after': '120',
  }),
  page('/too-many', 'a 429', 'Slow down', '<h1>Too many requests</h1>', 429, {
    'retry-after': '30',
  }),
  page('/sign-in', 'a 401', 'Sign in', '<h1>Sign in to go on</h1>', 401, {
    'www-authenticate': 'Basic realm="members"',
  }),
  page('/bot-check', 'a 403 with a bot check', 'Just a moment...', BOT_CHECK, 403),
  page('/bot-check-200', 'a bot check with status 200', 'Just a moment...', BOT_CHECK),
  page('/paywall', 'a first paragraph, then a paywall', 'The tide mill', PAYWALL),
  page(
    '/payment-required',
    'a 402',
    'Members only',
    '<h1>Members only</h1><p>Buy a pass to read on.</p>',
    402,
  ),
  fixed('/shell', 'an app that needs JavaScript', SHELL, html),
  page('/consent', 'nothing but a cookie consent wall', 'Before you continue', CONSENT),
  page(
    '/consent-and-text',
    'an article with a consent banner in front',
    'The tide mill',
    `${CONSENT}<article><h1>The tide mill</h1>${STORY_HTML.repeat(3)}</article>`,
  ),
  page(
    '/soft-404',
    'a missing page with status 200',
    'Page not found',
    '<h1>Page not found</h1><p>Sorry, we could not find the page you are looking for.</p><a href="/">Back to the start page</a>',
  ),
  fixed(
    '/frameset',
    'nothing but frames',
    '<!doctype html><html><head><title>Frames</title></head><frameset cols="20%,80%"><frame src="/redirect-end"><frame src="/article"></frameset></html>',
    html,
  ),
  page(
    '/second-hand',
    'a 203 from a proxy',
    'The tide mill',
    `<h1>The tide mill</h1>${STORY_HTML}`,
    203,
  ),
];
