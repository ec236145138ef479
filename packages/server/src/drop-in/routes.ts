import { wellFormedJson } from '@trawl/base';
import { type ErrorBody, type InteractionResponse, parseJson, writeJson } from '@trawl/contract';
import {
  type DropIn,
  type DropInAnswer,
  type DropInFault,
  faultText,
  fetchedOf,
  foundOf,
  noMoreRows,
} from '@trawl/drop-ins';
import { type ApiKey, type Deployment, RequestError } from '@trawl/router';
import type { Hono } from 'hono';
import { answer } from '../http/answer/answer.ts';
import type { HttpContext, HttpEnv } from '../http/exchange.ts';
import { refusalText } from '../http/request/key-use.ts';
import { admitDropIn, type DropInAdmission, tokenOf } from './admission.ts';
import {
  type ApiRequest,
  fetchRequest,
  isAskedItself,
  searchProvidersOf,
  searchRequest,
} from './requests.ts';

export interface DropInOptions extends DropInAdmission {
  readonly dropIns: readonly DropIn[];
  readonly deployment: Deployment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const PREFIX = '/compat';

/**
 * Adds the routes of vendors' own APIs. Each request becomes one request to the API, in process,
 * with the caller's key.
 */
export function addDropIns(app: Hono<HttpEnv>, options: DropInOptions): void {
  for (const dropIn of options.dropIns) {
    const base = `${PREFIX}/${dropIn.slug}`;
    const handle = (folder: string) => async (context: HttpContext) => {
      const exchange = context.get('exchange');
      exchange.route = `compat.${dropIn.slug}`;
      exchange.template = `${base}/*`;
      try {
        return await serve(
          app,
          { dropIn, path: context.req.path.slice(folder.length) },
          context,
          options,
        );
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        const { status, headers, typed } = error;
        exchange.refusal = refusalText(error);
        const body: ErrorBody =
          typeof error.detail === 'string'
            ? { detail: error.detail }
            : { detail: [...error.detail] };
        const isMissing = status === 401 && tokenOf(context.req.raw, dropIn.keys) === undefined;
        const fault = { status, message: faultText(body, {}), parameter: typed?.param, isMissing };
        return refuse(context, dropIn, fault, headers);
      }
    };
    app.all(`${base}/*`, handle(base));
    if (dropIn.isAtRoot) for (const { path } of dropIn.routes) app.all(path, handle(''));
  }
}

async function serve(
  app: Hono<HttpEnv>,
  { dropIn, path }: { readonly dropIn: DropIn; readonly path: string },
  context: HttpContext,
  options: DropInOptions,
): Promise<Response> {
  const { route, caller, sent } = await admitDropIn(context, dropIn, path, options);
  const prepared = route.prepare(sent, new Date(options.now()).toISOString().slice(0, 10));
  if (prepared.kind === 'refused') {
    return refuse(context, dropIn, { status: 400, ...prepared });
  }
  nameIgnored(context, prepared.unknown);
  const { deployment } = options;
  const { slug } = dropIn;
  const { origin } = new URL(context.req.url);
  if (prepared.kind === 'list') {
    return reply(context, prepared.answer(searchProvidersOf(deployment, caller)));
  }
  if (prepared.kind === 'search') {
    const { ask } = prepared;
    const { provider } = ask;
    if (provider !== undefined && !searchProvidersOf(deployment, caller).includes(provider)) {
      const message = `trawl has no search provider '${provider.slice(0, 64)}' for this key`;
      return refuse(context, dropIn, { status: 404, message });
    }
    if (ask.isLaterPage && !isAskedItself(slug, deployment, caller)) {
      return reply(context, prepared.answer(noMoreRows(ask.query), origin));
    }
  }
  const request =
    prepared.kind === 'search'
      ? searchRequest(prepared.ask, slug, deployment, caller)
      : fetchRequest(prepared.ask, slug, deployment, caller);
  const limitMs = prepared.kind === 'fetch' ? prepared.ask.timeLimitMs : undefined;
  const timeout = limitMs === undefined ? undefined : AbortSignal.timeout(limitMs);
  const response = await callApi(app, request, caller, { context, timeout });
  if (timeout?.aborted) {
    const message = `timeout: the page was not read within ${limitMs} ms`;
    return refuse(context, dropIn, { status: 408, message, parameter: 'timeout' });
  }
  const text = await response.text();
  if (!response.ok) {
    const message = faultText(JSON.parse(text) as ErrorBody, route.names);
    const retry = response.headers.get('retry-after');
    const headers = retry === null ? {} : { 'retry-after': retry };
    const { status } = response;
    return refuse(context, dropIn, { status, message, mayBePaid: status >= 500 }, headers);
  }
  const interaction = parseJson(text) as InteractionResponse;
  Object.assign(context.get('exchange').headers, {
    'x-session-id': interaction.session_id,
    'x-interaction-id': interaction.interaction_id,
  });
  if (prepared.kind === 'fetch') return reply(context, prepared.answer(fetchedOf(interaction)));
  if (interaction.status === 'failed') {
    const mayBePaid = interaction.preprocessor_runs.some(({ latency_ms }) => latency_ms !== null);
    return refuse(context, dropIn, { status: 502, message: failedText(interaction), mayBePaid });
  }
  const found = foundOf(interaction, slug);
  const pages = found.pages.slice(0, prepared.ask.numResults);
  return reply(context, prepared.answer({ ...found, pages }, origin));
}

/** Names in a header, in ASCII and not for ever. */
const IGNORED_MAX = 1_000;

/** The answer names the parameters that had no effect because no table has them. */
function nameIgnored(context: HttpContext, names: readonly string[]): void {
  if (names.length === 0) return;
  const shown = names.map((name) => encodeURIComponent(name.slice(0, 64).toWellFormed()));
  const list = shown.slice(0, 50).join(', ');
  context.get('exchange').headers['x-trawl-ignored'] = list.slice(0, IGNORED_MAX);
}

const failedText = ({ preprocessor_runs: runs }: InteractionResponse): string =>
  `No provider answered: ${runs.flatMap(({ error }) => error?.message ?? []).join('; ')}`;

/** The request has its place and was counted already; budget and record are those of the API. */
async function callApi(
  app: Hono<HttpEnv>,
  { path, body, isOwnChoice }: ApiRequest,
  caller: ApiKey,
  {
    context,
    timeout,
  }: { readonly context: HttpContext; readonly timeout?: AbortSignal | undefined },
): Promise<Response> {
  const { signal } = context.req.raw;
  const request = new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-request-id': context.get('exchange').requestId,
      ...traceHeaders(context.req.raw.headers),
    },
    body: writeJson(body),
    signal: timeout === undefined ? signal : AbortSignal.any([signal, timeout]),
  });
  return app.fetch(request, { hasPlace: true, isCounted: true, isOwnChoice, caller });
}

/** The trace that the caller named; empty without one. */
function traceHeaders(headers: Headers): Record<string, string> {
  const named = ['traceparent', 'tracestate'].map((name) => [name, headers.get(name)] as const);
  return Object.fromEntries(named.filter((entry): entry is [string, string] => entry[1] !== null));
}

function refuse(
  context: HttpContext,
  dropIn: DropIn,
  fault: Omit<DropInFault, 'requestId'>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { requestId } = context.get('exchange');
  const refused = dropIn.fault({ ...fault, requestId });
  return reply(context, { status: fault.status, ...refused }, headers);
}

function reply(
  context: HttpContext,
  { status = 200, body, type, headers: own = {} }: DropInAnswer,
  headers: Readonly<Record<string, string>> = {},
): Response {
  // a text that was cut to the length that a client wants may end in half a character
  const text = typeof body === 'string' ? body : wellFormedJson(body);
  return answer(context.get('exchange'), status, text, {
    ...own,
    ...headers,
    ...(type === undefined ? {} : { 'content-type': type }),
  });
}
