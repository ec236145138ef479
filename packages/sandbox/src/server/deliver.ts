import type { ServerResponse } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FaultPlan } from '../faults/fault.ts';
import { gatewayPage, type Reply } from '../util/http.ts';

type Encoding = 'gzip' | 'br' | 'deflate';

const COMPRESS: Readonly<Record<Encoding, (input: Buffer) => Promise<Buffer>>> = {
  gzip: promisify<zlib.InputType, Buffer>(zlib.gzip),
  br: promisify<zlib.InputType, Buffer>(zlib.brotliCompress),
  deflate: promisify<zlib.InputType, Buffer>(zlib.deflate),
};
const COMPRESSOR: Readonly<Record<Encoding, () => Transform>> = {
  gzip: () => zlib.createGzip(),
  br: () => zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
  deflate: () => zlib.createDeflate(),
};
const CHUNK_BYTES = 64 * 1024;

/** Waits; false when the client disconnected in the meantime. */
export function waitUnlessClosed(response: ServerResponse, latencyMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      response.off('close', onClose);
      resolve(true);
    }, latencyMs);
    const onClose = () => {
      clearTimeout(timer);
      resolve(false);
    };
    response.once('close', onClose);
  });
}

/** Sends the reply with the plan's changes to its body and its transport. */
export async function deliver(
  response: ServerResponse,
  reply: Reply,
  plan: FaultPlan,
): Promise<void> {
  const spoilt = withBodyFault(reply, plan);
  const retryAfter = plan.retryAfterSeconds;
  const headers = {
    ...spoilt.headers,
    ...(retryAfter !== undefined && spoilt.status >= 400
      ? { 'retry-after': String(retryAfter) }
      : {}),
    ...(plan.encoding === undefined
      ? {}
      : { 'content-encoding': plan.encoding === 'bad-gzip' ? 'gzip' : plan.encoding }),
  };
  const encoding = plan.encoding === 'bad-gzip' ? undefined : plan.encoding;
  if (plan.body?.kind === 'too-large' && plan.connection !== 'cut') {
    response.writeHead(spoilt.status, headers);
    await stream(response, padded(Buffer.from(spoilt.body), plan.body.bytes), encoding);
    return;
  }
  const plain = Buffer.from(spoilt.body);
  const bytes = encoding === undefined ? plain : await COMPRESS[encoding](plain);
  response.writeHead(spoilt.status, { ...headers, 'content-length': bytes.length });
  if (plan.connection === 'cut') {
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
    return;
  }
  response.end(bytes);
}

function withBodyFault(reply: Reply, plan: FaultPlan): Reply {
  switch (plan.body?.kind) {
    case undefined:
    case 'too-large':
      return reply;
    case 'not-json':
      return gatewayPage(reply.status, reply.headers);
    case 'broken-json':
      return { ...reply, body: reply.body.slice(0, Math.ceil(reply.body.length * 0.6)) };
    case 'wrong-shape':
      return { ...reply, body: plan.body.text };
  }
}

async function stream(
  response: ServerResponse,
  content: Iterable<Buffer>,
  encoding: Encoding | undefined,
): Promise<void> {
  const source = Readable.from(content);
  try {
    await (encoding === undefined
      ? pipeline(source, response)
      : pipeline(source, COMPRESSOR[encoding](), response));
  } catch (error) {
    // The client disconnected, as it should when a size limit is exceeded.
    if (!response.destroyed) throw error;
  }
}

/** The vendor's own answer, padded to `bytes` by one more member: valid JSON, but too long. */
function* padded(body: Buffer, bytes: number): Generator<Buffer> {
  const isObject = body.length > 2 && body.at(0) === 0x7b && body.at(-1) === 0x7d;
  const [head, tail] = isObject
    ? [Buffer.concat([body.subarray(0, -1), Buffer.from(',"padding":"')]), Buffer.from('"}')]
    : [body, Buffer.alloc(0)];
  if (bytes < head.length + tail.length) {
    yield body;
    return;
  }
  yield head;
  const filling = Buffer.alloc(CHUNK_BYTES, isObject ? 'x' : ' ');
  let missing = bytes - head.length - tail.length;
  for (; missing > CHUNK_BYTES; missing -= CHUNK_BYTES) yield filling;
  yield filling.subarray(0, missing);
  yield tail;
}
