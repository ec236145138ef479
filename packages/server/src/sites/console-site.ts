import { randomBytes } from 'node:crypto';
import { RequestError } from '@trawl/router';
import type { Hono } from 'hono';
import type { CheckHost } from '../config/allowed-hosts.ts';
import { LOGIN_PATHS } from '../config/login-metadata.ts';
import { answerFile, keepSuccess } from '../http/answer/static-file.ts';
import type { HttpContext, HttpEnv } from '../http/exchange.ts';
import { type BuiltFiles, builtFolder, readBuiltFiles } from './built-files.ts';

const START = '/console';
const API = `${START}/api`;
const ASSETS = `${START}/assets/`;

/**
 * What the built page has instead of a nonce: `html.cspNonce` of packages/console/vite.config.ts.
 */
const NONCE_PLACE = '__CSP_NONCE__';

const NOT_BUILT =
  'The console is not part of this build: npm run build makes it, where its libraries are installed (npm ci)';

export interface ConsoleSiteOptions {
  /** As for mounts: a page of another name must not show the console. */
  readonly checkHost: CheckHost;
  /** Where the build put the pages, if that is not next to the program. */
  readonly folder?: URL | undefined;
}

/**
 * Adds the pages of the console. Every address below `/console` that is not a file answers with the
 * same page, which shows what the address names. Read when first asked for. Its API, and the page
 * of consents, are not part of this.
 */
export function addConsoleSite(app: Hono<HttpEnv>, options: ConsoleSiteOptions): void {
  const { checkHost, folder } = options;
  const built = keepSuccess(async () => {
    const place = folder ?? builtFolder('console');
    return place && readConsole(place);
  });
  const pages = async () => {
    const read = await built();
    if (!read) throw new RequestError(404, NOT_BUILT);
    return read;
  };
  const serve = async (context: HttpContext, next: () => Promise<void>) => {
    const { path } = context.req;
    const isPage = path !== API && !path.startsWith(`${API}/`) && path !== LOGIN_PATHS.authorize;
    if (!isPage) return next();
    checkHost(context.req.raw);
    const { files, html } = await pages();
    if (!path.startsWith(ASSETS)) return answerPage(context, html);
    const file = files.get(path);
    if (!file) throw new RequestError(404, 'Not Found');
    return answerFile(context, file);
  };
  app.get(START, serve);
  app.get(`${START}/*`, serve);
}

interface ConsolePages {
  readonly files: BuiltFiles['routes'];
  readonly html: string;
}

async function readConsole(folder: URL): Promise<ConsolePages> {
  const { routes, notFound } = await readBuiltFiles(folder);
  return { files: routes, html: new TextDecoder().decode(notFound.bodies.identity) };
}

/** With a nonce of this answer, for the style elements that the page's libraries make. */
function answerPage(context: HttpContext, html: string): Response {
  const nonce = randomBytes(16).toString('base64');
  return context.body(html.replaceAll(NONCE_PLACE, nonce), 200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(nonce),
    'referrer-policy': 'same-origin',
    // each answer has a nonce of its own
    'cache-control': 'no-cache',
  });
}

/** No trusted types: Radix writes the style element of a list by innerHTML. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
