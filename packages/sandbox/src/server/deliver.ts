import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { FaultPlan } from '../faults/fault.ts';
import { gatewayPage, type VendorReply } from '../util/http.ts';

const FAST = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };
/** How a body is compressed as a whole, and as a stream when it is too large. */
const ENCODINGS = {
  gzip: { whole: promisify<Buffer, Buffer>(zlib.gzip), stream: () => zlib.createGzip() },
  br: {
    whole: promisify<Buffer, Buffer>(zlib.brotliCompress),
    stream: () => zlib.createBrotliCompress(FAST),
  },
  deflate: { whole: promisify<Buffer, Buffer>(zlib.deflate), stream: () => zlib.createDeflate() },
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
  reply: VendorReply,
  plan: FaultPlan,
): Promise<void> {
  const { status, body, ...spoilt } = withBodyFault(reply, plan);
  const { retryAfterSeconds: retryAfter, encoding: claimed } = plan;
  const headers = {
    ...spoilt.headers,
    ...(retryAfter !== undefined && status >= 400 ? { 'retry-after': String(retryAfter) } : {}),
    ...(claimed ? { 'content-encoding': claimed === 'bad-gzip' ? 'gzip' : claimed } : {}),
  };
  const encoding = claimed && claimed !== 'bad-gzip' ? ENCODINGS[claimed] : undefined;
  const plain = Buffer.from(body);
  if (plan.body?.kind === 'too-large' && plan.connection !== 'cut') {
    response.writeHead(status, headers);
    await stream(response, padded(plain, plan.body.bytes), encoding?.stream);
    return;
  }
  const bytes = encoding ? await encoding.whole(plain) : plain;
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  if (plan.connection === 'cut') {
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
  } else response.end(bytes);
}

function withBodyFault(reply: VendorReply, { body }: FaultPlan): VendorReply {
  if (body?.kind === 'not-json') return gatewayPage(reply.status, reply.headers);
  if (body?.kind === 'wrong-shape') return { ...reply, body: body.text };
  if (body?.kind !== 'broken-json') return reply;
  return { ...reply, body: reply.body.slice(0, Math.ceil(reply.body.length * 0.6)) };
}

async function stream(
  response: ServerResponse,
  content: Iterable<Buffer>,
  compressor: (() => NodeJS.ReadWriteStream) | undefined,
): Promise<void> {
  const source = Readable.from(content);
  try {
    await (compressor ? pipeline(source, compressor(), response) : pipeline(source, response));
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
  let missing = bytes - head.length - tail.length;
  if (missing < 0) return yield body;
  yield head;
  const filling = Buffer.alloc(CHUNK_BYTES, isObject ? 'x' : ' ');
  for (; missing > CHUNK_BYTES; missing -= CHUNK_BYTES) yield filling;
  yield filling.subarray(0, missing);
  yield tail;
}
