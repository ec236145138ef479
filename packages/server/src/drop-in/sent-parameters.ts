import { isJsonObject } from '@trawl/contract';
import type { DropInRoute, Sent } from '@trawl/drop-ins';
import { RequestError } from '@trawl/router';
import type { HttpContext } from '../http/exchange.ts';
import { checkContentType, formOf, readBody } from '../http/request/read-body.ts';
import { readJson } from '../http/request/read-json.ts';

const FORM = 'application/x-www-form-urlencoded';

const isFormOf = ({ headers }: Request): boolean =>
  (headers.get('content-type') ?? '').startsWith(FORM);

/** The parameters of a request. @throws RequestError 400, 413, 415 or 422 */
export async function readSent(context: HttpContext, route: DropInRoute): Promise<Sent> {
  const { raw } = context.req;
  // one more, which the refusal names
  const form = async () => formOf(await readBody(raw, context.env), PAIRS_MAX + 1);
  const around = { ...headersOf(raw, route), ...restOf(raw, route) };
  switch (route.place) {
    case 'none':
      return around;
    case 'query': {
      const { searchParams } = new URL(raw.url);
      const lists = isFormOf(raw) ? [searchParams, await form()] : [searchParams];
      return { ...textsOf(lists), ...around };
    }
    case 'form':
      return {
        ...around,
        ...(isFormOf(raw) ? textsOf([await form()]) : await readJsonObject(context)),
      };
    case 'body':
      return { ...(await readJsonObject(context)), ...around };
  }
}

async function readJsonObject(context: HttpContext): Promise<Sent> {
  const { raw } = context.req;
  checkContentType(raw.headers);
  const reading = readJson(await readBody(raw, context.env));
  if (!reading.ok) throw new RequestError(422, [reading.issue]);
  if (!isJsonObject(reading.value)) throw new RequestError(422, 'The body must be a JSON object');
  return reading.value;
}

/** Headers that the vendor documents: others are of proxies and clients. */
function headersOf({ headers }: Request, { parameters, readsHeaders }: DropInRoute): Sent {
  if (!readsHeaders) return {};
  const named = parameters.flatMap(({ name }) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(named);
}

/** The rest of the address as it was sent, not decoded; nothing without one. */
function restOf({ url }: Request, { path, place, rest }: DropInRoute): Sent {
  if (rest === undefined) return {};
  const { pathname, search } = new URL(url);
  const folders = path.split('/').length + 1;
  const text = pathname.split('/').slice(folders).join('/') + (place === 'none' ? search : '');
  return text === '' && place !== 'none' ? {} : { [rest]: text };
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
