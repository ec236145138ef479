import { randomBytes } from 'node:crypto';
import { PAGE_STYLE } from './page-style.ts';

/** Markup, in which every text from outside was escaped. */
export interface PageMarkup {
  readonly markup: string;
}

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

type Part = string | PageMarkup | readonly PageMarkup[];

/** Markup with values, which are escaped unless they are markup themselves. */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): PageMarkup {
  const parts = texts.map((text, index) => `${text}${markupOf(values[index] ?? '')}`);
  return { markup: parts.join('') };
}

function markupOf(value: Part): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? '');
  return [value]
    .flat()
    .map(({ markup }) => markup)
    .join('');
}

export interface ShownPage {
  readonly title: string;
  readonly content: PageMarkup;
  readonly status?: number;
  /** Where the page moves on to without a click. */
  readonly next?: string;
  /** Whole `Set-Cookie` values. */
  readonly cookies?: readonly string[];
}

/** A page of the console that works without scripts, and cannot be shown in another page. */
export function pageResponse({
  title,
  content,
  status = 200,
  next,
  cookies = [],
}: ShownPage): Response {
  const nonce = randomBytes(16).toString('base64');
  const moves =
    next === undefined ? [] : [html`<meta http-equiv="refresh" content="0;url=${next}">`];
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${moves}
<title>${title} · trawl</title>
<style nonce="${nonce}">${{ markup: PAGE_STYLE }}</style>
</head>
<body>
<main>
<p class="mark">trawl</p>
<div class="card">
<h1>${title}</h1>
${content}
</div>
</main>
</body>
</html>
`;
  const headers = new Headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(nonce),
    'x-frame-options': 'DENY',
    // without a referrer a form has no Origin; the next page must not see this address
    'referrer-policy': next === undefined ? 'same-origin' : 'no-referrer',
    'cache-control': 'no-store',
  });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(markup, { status, headers });
}

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
