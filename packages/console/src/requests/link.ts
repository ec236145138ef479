import { isJsonObject } from '@trawl/contract/json-object';
import type { PlannedRequest } from './planned.ts';

/**
 * A link to the playground: the parameter `r` is base64url of the UTF-8 JSON of a request, or `z.`
 * and base64url of the same compressed (raw deflate).
 */
export const LINK_PARAMETER = 'r';

/** JSON above this many bytes is compressed. */
const COMPRESSED_FROM = 2_048;
/** Longest value of the parameter: servers and proxies refuse longer addresses. */
const LINK_CHARACTERS_MAX = 8_000;
/** Most bytes of JSON that a link may hold, compressed or not. */
const JSON_BYTES_MAX = 262_144;
const NESTING_MAX = 64;
const COMPRESSED = 'z.';

/** @returns the value of `r`, or null for a request that is too long for a link */
export async function encodeRequest(request: PlannedRequest): Promise<string | null> {
  const bytes = bytesOf(request);
  if (bytes.length > JSON_BYTES_MAX) return null;
  if (bytes.length <= COMPRESSED_FROM) return toBase64(bytes);
  const packed = await throughStream(bytes, new CompressionStream('deflate-raw'), JSON_BYTES_MAX);
  const link = `${COMPRESSED}${toBase64(packed)}`;
  return link.length > LINK_CHARACTERS_MAX ? null : link;
}

/**
 * The same without compression, for an address that is needed at once, such as that of a link in a
 * list.
 * @returns null for a request that is too long
 */
export function encodePlainRequest(request: PlannedRequest): string | null {
  const link = toBase64(bytesOf(request));
  return link.length > LINK_CHARACTERS_MAX ? null : link;
}

/**
 * The request of a link. Null for a text that is not one: it never throws, since anyone can write
 * an address.
 */
export async function decodeRequest(link: string): Promise<PlannedRequest | null> {
  // a page may have put a longer one into its own address
  if (link === '' || link.length > JSON_BYTES_MAX * 2) return null;
  try {
    const bytes = link.startsWith(COMPRESSED)
      ? await unpacked(fromBase64(link.slice(COMPRESSED.length)))
      : fromBase64(link);
    if (bytes.length > JSON_BYTES_MAX) return null;
    return requestOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return null;
  }
}

function requestOf(value: unknown): PlannedRequest | null {
  if (!isJsonObject(value)) return null;
  const { mode, body } = value;
  if (mode !== 'search' && mode !== 'fetch') return null;
  if (!isJsonObject(body) || isDeeperThan(body, NESTING_MAX)) return null;
  return { mode, body };
}

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1)));

const bytesOf = ({ mode, body }: PlannedRequest): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ mode, body }));

const unpacked = (bytes: Uint8Array): Promise<Uint8Array> =>
  throughStream(bytes, new DecompressionStream('deflate-raw'), JSON_BYTES_MAX);

/**
 * @throws Error when more than `most` bytes come out, before they are all in memory, or when the
 * input is damaged
 */
async function throughStream(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array> {
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream);
  const reader = (source as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error('the request of the link is too large');
    }
    chunks.push(value);
  }
  return joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function toBase64(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
