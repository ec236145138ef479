import type { ClientAddress } from '@trawl/base';
import { type ApiKey, RequestError } from '@trawl/router';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { CheckHost } from '../config/allowed-hosts.ts';
import { answer, textAnswer } from './answer/answer.ts';
import type { HttpContext, HttpEnv, HttpExchange } from './exchange.ts';
import { type RequestAdmission, takePlace } from './request/admission.ts';
import { readBody } from './request/read-body.ts';
import { type Input, type InputRoute, readerOf } from './request/read-input.ts';
import { mountTable, pattern, type TableRow } from './route-table.ts';

/** A route of a branch, as far as HTTP is concerned. */
export interface BranchRoute extends Omit<InputRoute, 'errors'> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for a path parameter. */
  readonly path: string;
  readonly status: 200 | 204;
}

/** The facts of a request to a branch. */
export interface BranchRequest {
  readonly request: Request;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /**
   * The client's address, which a trusted proxy may name; null for a request from inside the
   * process.
   */
  readonly address: string | null;
  /** Path parameters as sent, not yet validated. */
  readonly params: Readonly<Record<string, string>>;
  readonly log: Logger;
}

/** What a route of a branch is answered with. `cookies` are whole `Set-Cookie` values. */
export type BranchReply =
  | {
      readonly text: string | readonly string[];
      readonly status?: number;
      readonly cookies?: readonly string[];
    }
  | { readonly empty: true; readonly cookies?: readonly string[] }
  | { readonly response: Response };

/** Calls a route of the API in process, with a key of which only the record is known. */
export type ApiAs = (request: Request, key: ApiKey) => Promise<Response>;

export interface OpenedBranch {
  /**
   * Answers one route. It calls `readInput` after it has admitted the caller, so that what a
   * stranger sends is never read.
   * @throws RequestError as every route
   */
  answer(id: string, request: BranchRequest, readInput: () => Promise<Input>): Promise<BranchReply>;
  /** Passes a request on to the API: what follows `passThrough` in the path. */
  pass(rest: string, request: BranchRequest): Promise<Response>;
  /** Answers `page` with a page of its own. @param readBody at most 1 MiB */
  page(request: BranchRequest, readBody: () => Promise<Uint8Array>): Promise<Response>;
  close(): Promise<void>;
}

/** A table of routes of its own below one path, with its own way to admit callers. */
export interface Branch<Parts> {
  /** `/console/api`: nothing else is served below it. */
  readonly prefix: `/${string}`;
  readonly routes: Readonly<Record<string, BranchRoute>>;
  /** `{name}` is a path parameter; the rest of the path is a path of the API. */
  readonly passThrough: string;
  /** The path of a page that works without scripts, for GET and POST. */
  readonly page: `/${string}`;
  open(parts: Parts, api: ApiAs): OpenedBranch;
}

export interface BranchOptions {
  readonly checkHost: CheckHost;
  readonly admission?: RequestAdmission | undefined;
  readonly clientAddress: ClientAddress;
  readonly log: Logger;
}

/**
 * Adds a branch to the app. Requests to a foreign host name, or of a foreign page, are refused
 * first.
 */
export function addBranch<Parts>(
  app: Hono<HttpEnv>,
  branch: Branch<Parts>,
  parts: Parts,
  options: BranchOptions,
): OpenedBranch {
  const opened = branch.open(parts, async (request, caller) =>
    app.fetch(request, { hasPlace: true, caller }),
  );
  const { checkHost, admission } = options;
  app.use(`${branch.prefix}/*`, async (context, next) => {
    checkHost(context.req.raw);
    takePlace(context, admission);
    await next();
  });
  mountTable(
    app,
    Object.entries(branch.routes).map(([id, route]) => bindBranch(id, route, opened, options)),
  );
  app.all(`${pattern(branch.passThrough)}/*`, (context) => {
    const request = branchRequest(context, options);
    const start = branch.passThrough.split('/').length;
    return opened.pass(`/${context.req.path.split('/').slice(start).join('/')}`, request);
  });
  app.on(['GET', 'POST'], branch.page, (context) => {
    const { raw } = context.req;
    checkHost(raw);
    takePlace(context, admission);
    return opened.page(branchRequest(context, options), () => readBody(raw, context.env));
  });
  app.all(`${branch.prefix}/*`, () => {
    throw new RequestError(404, 'Not Found');
  });
  return opened;
}

function bindBranch(
  id: string,
  route: BranchRoute,
  opened: OpenedBranch,
  options: BranchOptions,
): TableRow {
  const { method, path, status } = route;
  const read = readerOf({ ...route, errors: 'detail' });
  const run: TableRow['run'] = async (context, exchange) => {
    exchange.route = `console.${id}`;
    exchange.template = path;
    const request = branchRequest(context, options);
    return replied(
      context,
      exchange,
      await opened.answer(id, request, () => read(context)),
      status,
    );
  };
  return { method, path, run };
}

function branchRequest(context: HttpContext, { clientAddress, log }: BranchOptions): BranchRequest {
  const { requestId, receivedAt } = context.get('exchange');
  const request = context.req.raw;
  const peer = context.env?.incoming?.socket.remoteAddress;
  return {
    request,
    requestId,
    receivedAt,
    address: clientAddress(peer, request.headers.get('x-forwarded-for')),
    params: context.req.param(),
    log: log.child({ request_id: requestId }),
  };
}

function replied(
  context: HttpContext,
  exchange: HttpExchange,
  reply: BranchReply,
  status: number,
): Response {
  if ('response' in reply) return reply.response;
  const { cookies = [] } = reply;
  const parts = 'empty' in reply ? null : [reply.text].flat();
  const code = 'empty' in reply ? 204 : (reply.status ?? status);
  if (parts && cookies.length === 0) return textAnswer(context, code, parts);
  // in one piece: the head of an answer that is streamed is written before its cookies could be
  // added
  const response = answer(exchange, code, parts?.join('') ?? null);
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}
