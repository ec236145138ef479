import { ROUTES } from '@trawl/contract';
import { RequestError } from '@trawl/router';
import type { Hono } from 'hono';
import { answerFile, keepSuccess } from '../http/answer/static-file.ts';
import type { HttpContext, HttpEnv } from '../http/exchange.ts';
import { type BuiltFiles, builtFolder, readBuiltFiles } from './built-files.ts';
import { addReferencePage, REFERENCE } from './reference-page.ts';

const START = '/docs';
const NOT_BUILT = 'The documentation is not part of this build: npm run build makes it';

/**
 * Adds the documentation: its pages, their markdown, the texts for language models and the API
 * reference. Read when first asked for. Needs no key.
 * @param folder Where the build put the site, when that is not next to the program.
 */
export function addDocsSite(app: Hono<HttpEnv>, folder?: URL): void {
  const built = keepSuccess(async () => {
    const place = folder ?? builtFolder('docs');
    return place && readBuiltFiles(place);
  });
  const files = async () => {
    const read = await built();
    if (!read) throw new RequestError(404, NOT_BUILT);
    return read;
  };
  addReferencePage(app, async () => (await built())?.routes.get(REFERENCE));
  app.get('/', answerRoot);
  for (const path of [START, `${START}.md`, `${START}/*`, '/llms.txt', '/llms-full.txt']) {
    app.get(path, async (context) => answerPage(context, await files()));
  }
}

/**
 * The server's bare address: a browser goes to the documentation, a program gets a list of
 * addresses.
 */
function answerRoot(context: HttpContext): Response {
  context.header('vary', 'Accept');
  if (wantsHtml(context)) return context.redirect(START, 302);
  return context.json({
    name: 'trawl',
    docs: START,
    reference: REFERENCE,
    openapi: ROUTES.openapi.path,
  });
}

const wantsHtml = (context: HttpContext): boolean =>
  /\btext\/html\b/.test(context.req.header('accept') ?? '');

function answerPage(context: HttpContext, { routes, notFound }: BuiltFiles): Response {
  const { path } = context.req;
  const file = routes.get(path);
  if (file) return answerFile(context, file);
  const { search } = new URL(context.req.url);
  const plain = withoutSlashes(path).replace(/\/README$/, '');
  if (plain !== path && (routes.has(plain) || plain === REFERENCE)) {
    return context.redirect(plain + search, 308);
  }
  if (path === `${START}.md`) return context.redirect(`${START}/README.md${search}`, 308);
  if (!wantsHtml(context)) {
    throw new RequestError(404, 'Not Found');
  }
  const answer = answerFile(context, notFound, 404);
  answer.headers.append('vary', 'Accept');
  return answer;
}

/**
 * Those at its end. A pattern would look again from each of them, which takes long where they are
 * many.
 */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
