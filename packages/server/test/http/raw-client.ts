import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface RawClient {
  send(text: string | Uint8Array): void;
  /** The next answer, interim ones (100) included; undefined when the server closed instead. */
  answer(): Promise<RawAnswer | undefined>;
  /**
   * The next answer, which is one to HEAD: its content length is that of a body that does not come.
   */
  head(): Promise<RawAnswer | undefined>;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
  /** Closes the connection at once. */
  leave(): void;
}

/**
 * A connection on which anything may be sent. It can read answers with a content length and answers
 * without a body.
 */
export async function rawClient(port: number): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  let isClosed = false;
  let wake = () => {};
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    wake();
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true;
      resolve();
      wake();
    });
  });
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  const next = async (hasBody: boolean): Promise<RawAnswer | undefined> => {
    for (;;) {
      const [answer, rest] = parsed(received, hasBody);
      if (answer) {
        received = rest;
        return answer;
      }
      if (isClosed) return undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    send: (text) => void socket.write(text),
    answer: () => next(true),
    head: () => next(false),
    closed,
    leave: () => void socket.destroy(),
  };
}

function parsed(text: string, hasBody: boolean): [RawAnswer | undefined, string] {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return [undefined, text];
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = hasBody ? Number(headers['content-length'] ?? 0) : 0;
  const start = end + 4;
  if (text.length < start + length) return [undefined, text];
  const body = text.slice(start, start + length);
  return [{ status: Number(first.split(' ')[1]), headers, body }, text.slice(start + length)];
}

/** One request on its own connection. */
export async function rawRequest(port: number, text: string): Promise<RawAnswer | undefined> {
  const client = await rawClient(port);
  client.send(text);
  const answer = await client.answer();
  client.leave();
  return answer;
}
