import { isUtf8 } from 'node:buffer';

/**
 * The body in UTF-8. Where the header names another character set it is decoded as that, unless the
 * bytes are valid UTF-8: some servers add a name to every header. An unknown name counts as none.
 */
export async function inUtf8(body: Buffer, contentType: string | undefined): Promise<Buffer> {
  const label = /charset\s{0,9}=\s{0,9}["']?([^\s"';,]{1,60})/i.exec(contentType ?? '')?.[1];
  if (label === undefined || /^utf-?8$/i.test(label) || isUtf8(body)) return body;
  // Node's own decoders differ from the Encoding standard; nearly no answer needs one
  const { labelToName, TextDecoder } = await import('@exodus/bytes/encoding.js');
  const name = labelToName(label);
  if (name === null || name === 'replacement') return body;
  return Buffer.from(new TextDecoder(name).decode(body));
}
