import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

/** What is read of a refused body before its connection is closed. */
const READ_MAX_BYTES = 8 * 1024 * 1024;
const READ_MAX_MS = 2_000;

type Fetch<Env> = (request: Request, env: Env) => Response | Promise<Response>;

type Incoming = Readable & {
  readonly complete: boolean;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Pick<Socket, 'destroySoon'>;
};

interface NodeExchange {
  readonly incoming: Incoming;
  readonly outgoing: {
    readonly headersSent: boolean;
    writeHead(status: number, headers: OutgoingHttpHeaders): { write(body: Buffer): unknown };
    end(): unknown;
  };
}

/**
 * Sends a refusal at once, and then reads on while its body comes: a connection that is closed
 * before resets, and a client that writes its whole request first never sees the answer.
 */
export function withUnreadBodies<Env extends NodeExchange>(fetch: Fetch<Env>): Fetch<Env> {
  return async (request, env) => {
    const response = await fetch(request, env);
    return isCutShort(response, env) ? answerWhileBodyComes(response, env) : response;
  };
}

/** A client that asked whether it may send its body has not sent it. */
const isCutShort = ({ status }: Response, { incoming, outgoing }: NodeExchange): boolean =>
  status >= 400 &&
  !incoming.complete &&
  !incoming.destroyed &&
  incoming.headers.expect === undefined &&
  !outgoing.headersSent;

async function answerWhileBodyComes(
  response: Response,
  { incoming, outgoing }: NodeExchange,
): Promise<Response> {
  const body = Buffer.from(await response.arrayBuffer());
  const headers = { ...Object.fromEntries(response.headers), 'content-length': body.length };
  outgoing.writeHead(response.status, headers).write(body);
  readAway(incoming, (isWhole) => {
    outgoing.end();
    if (!isWhole) incoming.socket.destroySoon();
  });
  return RESPONSE_ALREADY_SENT;
}

/** @param done whether the body came to its end within the limits */
function readAway(incoming: Incoming, done: (isWhole: boolean) => void): void {
  let size = 0;
  const finish = (isWhole: boolean) => () => {
    clearTimeout(timer);
    incoming.off('data', onData).off('end', onEnd).off('close', onClose);
    done(isWhole);
  };
  const onEnd = finish(true);
  const onClose = finish(false);
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > READ_MAX_BYTES) onClose();
  };
  const timer = setTimeout(onClose, READ_MAX_MS);
  incoming.on('data', onData).on('end', onEnd).on('close', onClose);
  incoming.resume();
}
