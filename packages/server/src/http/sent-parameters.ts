import { isJsonObject } from '@trawl/contract';
import type { DropInRoute, Sent } from '@trawl/drop-ins';
import { RequestError } from '@trawl/router';
import type { HttpContext } from './exchange.ts';
import { checkContentType, readBody } from './read-body.ts';
import { readJson } from './read-json.ts';

const FORM = 'application/x-www-form-urlencoded';

const isFormOf = ({ headers }: Request): boolean =>
  (headers.get('content-type') ?? '').startsWith(FORM);

/** The parameters of a request. @throws RequestError 400, 413, 415 or 422 */
export async function readSent(context: HttpContext, route: DropInRoute): Promise<Sent> {
  const { raw } = context.req;
  if (route.place === 'headers') {
    const sent = headersOf(raw, route);
    return route.method === 'POST' ? { ...sent, ...(await readBodyParameters(context)) } : sent;
  }
  if (route.place === 'query') {
    const { searchParams } = new URL(raw.url);
    return textsOf(isFormOf(raw) ? [searchParams, await readForm(context)] : [searchParams]);
  }
  return readJsonObject(context);
}

/** A form, or a JSON object. */
const readBodyParameters = async (context: HttpContext): Promise<Sent> =>
  isFormOf(context.req.raw) ? textsOf([await readForm(context)]) : readJsonObject(context);

async function readForm({ req, env }: HttpContext): Promise<URLSearchParams> {
  return new URLSearchParams(Buffer.from(await readBody(req.raw, env)).toString());
}

async function readJsonObject(context: HttpContext): Promise<Sent> {
  const { raw } = context.req;
  checkContentType(raw.headers);
  const reading = readJson(await readBody(raw, context.env));
  if (!reading.ok) throw new RequestError(422, [reading.issue]);
  if (!isJsonObject(reading.value)) throw new RequestError(422, 'The body must be a JSON object');
  return reading.value;
}

/**
 * Headers that the vendor documents: others are of proxies and clients. The address is as it was
 * sent, not decoded.
 */
function headersOf({ headers, url }: Request, { parameters }: DropInRoute): Sent {
  const named = parameters.flatMap(({ name }) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const { pathname, search } = new URL(url);
  const rest = pathname.split('/').slice(3).join('/');
  return { ...Object.fromEntries(named), url: rest + search };
}

/** Far more than any vendor has. */
const PAIRS_MAX = 500;
const SHOWN_MAX = 64;

/**
 * Clients send an empty text for nothing. A name that comes twice has a list, which schemas refuse.
 * @throws RequestError 400 that names the first parameter that is too many
 */
function textsOf(lists: readonly URLSearchParams[]): Sent {
  const texts = new Map<string, string | string[]>();
  let count = 0;
  for (const pairs of lists) {
    for (const [name, text] of pairs) {
      count += 1;
      if (count > PAIRS_MAX) throw tooMany(name);
      if (text === '') continue;
      const earlier = texts.get(name);
      if (Array.isArray(earlier)) earlier.push(text);
      else texts.set(name, earlier === undefined ? text : [earlier, text]);
    }
  }
  return Object.fromEntries(texts);
}

function tooMany(name: string): RequestError {
  const param = name.length > SHOWN_MAX ? `${name.slice(0, SHOWN_MAX)}…` : name;
  const detail = `${param}: this is parameter ${PAIRS_MAX + 1}, and trawl reads at most ${PAIRS_MAX}: send each one once`;
  return new RequestError(400, detail, { typed: { code: 'invalid_request', param } });
}
