import {
  isApiError,
  isTrawlError,
  type TrawlApiError,
  type TrawlErrorKind,
} from '../values/errors.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { messageInFlags } from './flag-names.ts';
import { commandHere } from './manifest.ts';

/** What a command reports when something went wrong. */
export interface CommandFailure {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly remedy?: string | undefined;
  readonly refusal?: TrawlApiError;
}

/** A failure that the command itself found. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly remedy: string | undefined;

  constructor(exitCode: ExitCode, code: string, message: string, remedy?: string) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.remedy = remedy;
  }
}

const command = commandHere();

const MAKE_KEY = `create one with "${command} keys create" on the server's machine (the demo accepts only the key that it printed), then export SERVICE_API_KEY=<the key>`;

/** @param isInDotEnv whether the `.env` of the working directory sets the key */
export function noKey(isInDotEnv: boolean): CommandError {
  const message = 'SERVICE_API_KEY is not set; it is read from the environment only';
  const unused =
    'the .env in this folder sets it, but this command does not read that file: export SERVICE_API_KEY=<the key in .env>';
  return new CommandError(EXIT.auth, 'no_api_key', message, isInDotEnv ? unused : MAKE_KEY);
}

/** Ctrl-C before anything was sent. */
export const stoppedEarly = (): CommandError =>
  new CommandError(EXIT.interrupted, 'interrupted', 'stopped; nothing was sent');

/** @param baseUrl address of the server, for the hints */
export function failureOf(error: unknown, baseUrl: string): CommandFailure {
  if (error instanceof CommandError) {
    const { exitCode, code, message, remedy } = error;
    return { exitCode, code, message, remedy };
  }
  if (isApiError(error)) return refusalFailure(error, baseUrl);
  if (isTrawlError(error)) {
    const advice = OF_KIND[error.kind](baseUrl);
    const address = baseUrl.replace('https:', 'http:');
    const isHttp = error.code === 'server_speaks_http';
    const remedy = isHttp ? `set SERVICE_BASE_URL=${address}` : advice.remedy;
    return { ...advice, message: error.message, remedy };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: EXIT.failed, code: 'error', message };
}

/** What follows from the kind of a failure alone. */
type Advice = Omit<CommandFailure, 'message' | 'refusal'>;

const OF_KIND: Readonly<Record<TrawlErrorKind, (baseUrl: string) => Advice>> = {
  usage: () => ({ exitCode: EXIT.usage, code: 'usage' }),
  api: () => ({ exitCode: EXIT.failed, code: 'refused' }),
  connection: (baseUrl) => ({
    exitCode: EXIT.unreachable,
    code: 'unreachable',
    remedy: `is a server running at ${baseUrl}? "${command} serve" starts one; SERVICE_BASE_URL sets another address`,
  }),
  timeout: () => ({
    exitCode: EXIT.unreachable,
    code: 'timeout',
    remedy: 'wait longer with --timeout, or leave slow providers out with --exclude',
  }),
  response: (baseUrl) => ({
    exitCode: EXIT.unreachable,
    code: 'bad_answer',
    remedy: `SERVICE_BASE_URL is ${baseUrl}: is that a trawl server?`,
  }),
  failed: () => ({ exitCode: EXIT.failed, code: 'all_failed' }),
  aborted: () => ({
    exitCode: EXIT.interrupted,
    code: 'interrupted',
    remedy: `the server finishes and records what was begun: see "${command} sessions"`,
  }),
};

function refusalFailure(refusal: TrawlApiError, baseUrl: string): CommandFailure {
  const code = refusal.code ?? 'refused';
  if (!isOfTrawl(refusal)) {
    return { ...OF_KIND.response(baseUrl), message: refusal.message, refusal };
  }
  const advice = OF_STATUS[refusal.status ?? 0] ?? { exitCode: EXIT.failed };
  const remedy = waitText(refusal) ?? advice.remedy?.replace('<server>', baseUrl);
  return { ...advice, code, message: messageInFlags(refusal), remedy, refusal };
}

/** Statuses of a server, or a proxy in front of one, that does not know trawl's routes. */
const UNKNOWN_ROUTE: readonly (number | null)[] = [404, 405, 501];

/**
 * Whether trawl itself refused: the body has the shape of trawl's errors, and the answer has a
 * request id.
 */
function isOfTrawl({ status, body, requestId }: TrawlApiError): boolean {
  if (!UNKNOWN_ROUTE.includes(status)) return true;
  const hasShape =
    typeof body === 'object' && body !== null && ('detail' in body || 'error' in body);
  return hasShape && requestId !== null;
}

/** By status; the code comes with the refusal. */
const OF_STATUS: Readonly<Record<number, Omit<Advice, 'code'>>> = {
  400: { exitCode: EXIT.usage },
  401: {
    exitCode: EXIT.auth,
    remedy: `<server> does not accept the key in SERVICE_API_KEY; ${MAKE_KEY}`,
  },
  403: {
    exitCode: EXIT.auth,
    remedy: `the key lacks a permission: "${command} keys create --permissions <list>" creates one that has it`,
  },
  402: {
    exitCode: EXIT.failed,
    remedy: `on the server's machine, "${command} keys limit" and "${command} projects limit" change budgets`,
  },
  404: { exitCode: EXIT.failed, remedy: `"${command} sessions" lists the sessions` },
  413: { exitCode: EXIT.usage, remedy: 'send fewer or shorter items per request' },
  422: { exitCode: EXIT.usage },
};

/**
 * A hint when the server says when to retry: after too many requests, or while it is unavailable.
 */
const waitText = ({ status, retryAfterMs }: TrawlApiError): string | undefined =>
  retryAfterMs === null || (status !== 429 && status !== 503)
    ? undefined
    : `try again in ${Math.ceil(retryAfterMs / 1000)} s`;

export const failureText = ({ message, remedy }: CommandFailure): string =>
  `trawl: ${message}\n${remedy ? `  ${remedy}\n` : ''}`;

/** One line of JSON, for programs. */
export function failureJson({ code, message, remedy, refusal }: CommandFailure): string {
  const error = {
    code,
    message,
    remedy: remedy ?? null,
    status: refusal?.status ?? null,
    param: refusal?.param ?? null,
    request_id: refusal?.requestId ?? null,
    session_id: refusal?.sessionId ?? null,
    interaction_id: refusal?.interactionId ?? null,
  };
  return `${JSON.stringify({ error })}\n`;
}
