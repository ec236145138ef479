import { isApiError, isTrawlError, type TrawlApiError, type TrawlErrorKind } from '@trawl/client';
import { commandHere } from '../manifest.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

/** What a command says of what went wrong. */
export interface Failure {
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

const MAKE_KEY = `on the server's machine, "${command} keys create" makes one, while the demo takes only the key that it printed; then export SERVICE_API_KEY=<the key>`;

export const noKey = (): CommandError =>
  new CommandError(EXIT.auth, 'no_api_key', 'SERVICE_API_KEY is not set', MAKE_KEY);

/** Ctrl-C while input was read. */
export const stoppedEarly = (): CommandError =>
  new CommandError(EXIT.interrupted, 'interrupted', 'stopped; nothing was asked');

/** @param baseUrl where the server was looked for */
export function failureOf(error: unknown, baseUrl: string): Failure {
  if (error instanceof CommandError) {
    const { exitCode, code, message, remedy } = error;
    return { exitCode, code, message, remedy };
  }
  if (isApiError(error)) return refusalFailure(error, baseUrl);
  if (isTrawlError(error)) return { ...OF_KIND[error.kind](baseUrl), message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: EXIT.failed, code: 'error', message };
}

type Told = Omit<Failure, 'message' | 'refusal'>;

const OF_KIND: Readonly<Record<TrawlErrorKind, (baseUrl: string) => Told>> = {
  usage: () => ({ exitCode: EXIT.usage, code: 'usage' }),
  api: () => ({ exitCode: EXIT.failed, code: 'refused' }),
  connection: (baseUrl) => ({
    exitCode: EXIT.unreachable,
    code: 'unreachable',
    remedy: `is a server at ${baseUrl}? "${command} serve" starts one; SERVICE_BASE_URL says where another is`,
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

function refusalFailure(refusal: TrawlApiError, baseUrl: string): Failure {
  const { status, code, message } = refusal;
  const told = OF_STATUS[status ?? 0] ?? { exitCode: EXIT.failed, code: 'refused' };
  const remedy = status === 429 ? waitText(refusal) : told.remedy?.replace('<server>', baseUrl);
  return { ...told, code: code ?? told.code, message, remedy, refusal };
}

const OF_STATUS: Readonly<Record<number, Told>> = {
  400: { exitCode: EXIT.usage, code: 'bad_request' },
  401: {
    exitCode: EXIT.auth,
    code: 'unauthorized',
    remedy: `<server> does not take the key in SERVICE_API_KEY: "${command} keys list" shows those it knows; ${MAKE_KEY}`,
  },
  403: {
    exitCode: EXIT.auth,
    code: 'forbidden',
    remedy: `the key lacks a permission: "${command} keys create --permissions <list>" makes one with it`,
  },
  404: {
    exitCode: EXIT.failed,
    code: 'not_found',
    remedy: `"${command} sessions" lists what there is`,
  },
  413: { exitCode: EXIT.usage, code: 'too_large' },
  422: { exitCode: EXIT.usage, code: 'invalid_request' },
  429: { exitCode: EXIT.failed, code: 'rate_limited' },
};

const waitText = ({ retryAfterMs }: TrawlApiError): string | undefined =>
  retryAfterMs === null ? undefined : `try again in ${Math.ceil(retryAfterMs / 1000)} s`;

export const failureText = ({ message, remedy }: Failure): string =>
  `trawl: ${message}\n${remedy ? `  ${remedy}\n` : ''}`;

/** One line of JSON, for programs. */
export function failureJson({ code, message, remedy, refusal }: Failure): string {
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
