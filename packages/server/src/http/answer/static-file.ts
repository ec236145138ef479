import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptedNames, createBodyStream, WHOLE_MAX_BYTES } from '@trawl/base';
import type { HttpContext } from '../exchange.ts';

/** A file that is the same for all clients, plain and compressed. */
export interface StaticFile {
  readonly type: string;
  /** Names this content among all that the address ever had. */
  readonly hash: string;
  /** The address changes with the content, so clients never need to ask again. */
  readonly immutable?: boolean;
  /** For programs: nothing of it is shown as a page. */
  readonly isData?: boolean;
  readonly bodies: Readonly<Partial<Record<Encoding, Bytes>>> & {
    readonly identity: Bytes;
  };
}

/** Of memory that is not shared, as answers want it. */
type Bytes = Uint8Array<ArrayBuffer>;

export type Encoding = 'br' | 'gzip' | 'identity';

/** The better one first. */
const ENCODINGS = ['br', 'gzip'] as const;

/** The page's own files and what this server answers; nothing comes from elsewhere. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Answers with the file in an encoding that the client takes, or with 304 where it has that
 * already.
 */
export function answerFile(
  context: HttpContext,
  file: StaticFile,
  status: 200 | 404 = 200,
): Response {
  const encoding = chosenEncoding(file, context.req.header('accept-encoding') ?? '');
  const etag = `"${file.hash}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  const headers = {
    // a file that is not a page gets the policy of every answer
    ...(file.isData ? {} : { 'content-security-policy': PAGE_POLICY }),
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'Accept-Encoding',
    etag,
  };
  if (status === 200 && isKnown(context.req.header('if-none-match'), etag)) {
    return context.body(null, 304, headers);
  }
  const content = file.bodies[encoding] ?? file.bodies.identity;
  return context.body(inPieces(content), status, {
    ...headers,
    'content-type': file.type,
    'content-length': String(content.length),
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  });
}

/** Small, so the progress of a slow client is noticed in time. */
function inPieces(content: Bytes): Bytes | ReadableStream<Uint8Array> {
  if (content.length <= WHOLE_MAX_BYTES) return content;
  const body = createBodyStream();
  body.push([content]);
  body.end();
  return body.stream();
}

function chosenEncoding({ bodies }: StaticFile, accepted: string): Encoding {
  const wanted = acceptedNames(accepted);
  const isWanted = (name: Encoding) => wanted.get(name) ?? wanted.get('*') ?? false;
  return ENCODINGS.find((name) => bodies[name] && isWanted(name)) ?? 'identity';
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

const compress = promisify(gzip);

/** Both forms of a text that is made while the server runs. */
export async function compressedBodies(content: Bytes): Promise<StaticFile['bodies']> {
  return { identity: content, gzip: await compress(content) };
}

/** A JSON document that is the same for all clients, prepared once. */
export async function jsonFile(document: object): Promise<StaticFile> {
  const content = Buffer.from(JSON.stringify(document));
  const bodies = await compressedBodies(content);
  return { type: 'application/json', hash: contentHash(content), isData: true, bodies };
}

/** Names a content among all others. */
export const contentHash = (content: Bytes): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);

/** Made once; a failure goes to the current caller, and the next call tries again. */
export function keepSuccess<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
