import { randomBytes } from 'node:crypto';
import { LOGIN_DEFAULTS, type LoginScope } from '@trawl/contract';
import type { Client } from '@trawl/server';
import { LOGIN_PATHS, placeOf } from '@trawl/server';
import type { Person } from '../serving/person.ts';
import type { ConsentRequest } from './consent-request.ts';
import { PAGE_STYLE } from './page-style.ts';

const SCOPE_TEXTS: Readonly<Record<LoginScope, string>> = {
  search: 'search the web',
  fetch: 'fetch pages',
  read: 'read what was recorded in the project',
};

/** A project that a person may choose. */
export interface OfferedProject {
  readonly id: string;
  readonly name: string;
  readonly budgetUsd: number;
}

/** Asks a person whether a client may log in. */
export function consentPage(
  request: ConsentRequest,
  {
    person,
    projects,
    field,
  }: {
    readonly person: Person;
    readonly projects: readonly OfferedProject[];
    readonly field: string;
  },
): Response {
  const { clientName, redirectUri, scopes } = request;
  const content = html`<form method="post" action="${LOGIN_PATHS.authorize}">
<input type="hidden" name="request" value="${field}">
<p>It will use the tools of <code>/mcp</code> as you. Allow it only if you have just started this yourself.</p>
<dl>
<dt>Program</dt><dd>${clientName}</dd>
<dt>Named by</dt><dd>${vouching(request)}</dd>
<dt>Goes back to</dt><dd>${goingBack(redirectUri)}</dd>
<dt>You are</dt><dd>${person.name} (${person.email})</dd>
<dt>It may</dt><dd><ul>${scopes.map((scope) => html`<li>${SCOPE_TEXTS[scope]}</li>`)}</ul></dd>
<dt>Limits</dt><dd>${String(LOGIN_DEFAULTS.rate_limit)} requests a minute, and the US dollars a month that the project gives each login</dd>
</dl>
<label>Project
<select name="project" required>${projects.map(option)}</select>
</label>
<div class="buttons">
<button class="button primary" name="decision" value="allow">Allow</button>
<button class="button" name="decision" value="deny">Cancel</button>
</div>
<p class="soft">You can end it at any time in your account.</p>
</form>`;
  return pageResponse({ title: `Let ${clientName} log in?`, content });
}

const option = ({ id, name, budgetUsd }: OfferedProject): PageMarkup =>
  html`<option value="${id}">${name} (${String(budgetUsd)} US dollars a month)</option>`;

const vouching = ({ clientHost }: Pick<ConsentRequest, 'clientHost'>): PageMarkup =>
  clientHost === null ? html`an operator of this server` : html`<strong>${clientHost}</strong>`;

function goingBack(redirectUri: string): PageMarkup {
  const place = placeOf(redirectUri);
  return new URL(redirectUri).protocol === 'https:'
    ? html`<strong>${place}</strong>`
    : html`a program on this machine (<strong>${place}</strong>)`;
}

/** Goes back to the client, at once or by a click. */
export function movingOnPage(
  next: string,
  { client, title, cookies }: { client: string; title: string; cookies: readonly string[] },
): Response {
  const content = html`<p>You go back to ${client}. If nothing happens, click here:</p>
<div class="buttons"><a class="button primary" href="${next}">Go on to ${client}</a></div>`;
  return pageResponse({ title, content, next, cookies });
}

/** Says why there is no login, and how a person gets on. */
export function failedPage(
  says: string,
  {
    status = 400,
    back,
  }: {
    readonly status?: number;
    /** The way back to a client that is known, with the error. */
    readonly back?: { readonly href: string; readonly client: Pick<Client, 'name'> };
  } = {},
): Response {
  const links = back
    ? html`<a class="button primary" href="${back.href}">Go back to ${back.client.name}</a>`
    : html`<a class="button" href="/console/account">Go to your account</a>`;
  const content = html`<p>${says}</p><div class="buttons">${links}</div>`;
  return pageResponse({ title: 'No login', content, status });
}

/** Markup, in which every text from outside was escaped. */
interface PageMarkup {
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
function html(texts: TemplateStringsArray, ...values: readonly Part[]): PageMarkup {
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

interface ShownPage {
  readonly title: string;
  readonly content: PageMarkup;
  readonly status?: number;
  /** Where the page moves on to without a click. */
  readonly next?: string;
  /** Whole `Set-Cookie` values. */
  readonly cookies?: readonly string[];
}

/** A page of the console that works without scripts, and cannot be shown in another page. */
function pageResponse({ title, content, status = 200, next, cookies = [] }: ShownPage): Response {
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
