import { labelToName } from '@exodus/bytes/encoding.js';

/** The standard's prescan ends here; a browser still finds a later declaration while it parses. */
const STANDARD_BYTES = 1024;
/** Heads with large scripts in front of the declaration are not much longer. */
const MAX_BYTES = 32_768;

/**
 * The character set that a document declares, in lower case, as the HTML standard's prescan finds
 * it: in a meta element outside of comments, or in an XML declaration. Unknown labels are ignored.
 */
export function declaredCharset(body: Uint8Array): string | undefined {
  const start = Buffer.from(
    body.buffer,
    body.byteOffset,
    Math.min(body.length, MAX_BYTES),
  ).toString('latin1');
  return inMetaElements(start) ?? inXmlDeclaration(start);
}

function inMetaElements(start: string): string | undefined {
  for (let at = start.indexOf('<'); at >= 0; at = start.indexOf('<', at)) {
    const next = start.slice(at, at + 9);
    if (next.startsWith('<!--')) at = after(start, '-->', at + 2);
    else if (/^<\/?[a-z]/i.test(next)) {
      const { attributes, end } = attributesAt(start, at + next.search(/[\s/>]|$/));
      const name = /^<([a-z]+)[\s/>]/i.exec(next)?.[1]?.toLowerCase();
      const charset = name === 'meta' ? inAttributes(attributes) : undefined;
      if (charset) return charset;
      const isText = (name === 'script' || name === 'style') && at > STANDARD_BYTES;
      at = isText ? after(start, `</${name}`, end) : end;
    } else at = /^<[!/?]/.test(next) ? after(start, '>', at) : at + 1;
  }
  return undefined;
}

/** The place behind a text; the end if it does not follow. */
function after(text: string, searched: string, from: number): number {
  const at = text.indexOf(searched, from);
  return at < 0 ? text.length : at + searched.length;
}

const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*))?)?/y;

function attributesAt(text: string, from: number) {
  const attributes = new Map<string, string>();
  let end = from;
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const found = ATTRIBUTE.exec(text);
    if (!found) return { attributes, end };
    const [whole, name = '', ...values] = found;
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, values.find((value) => value) ?? '');
    end += whole.length;
  }
}

function inAttributes(attributes: ReadonlyMap<string, string>): string | undefined {
  const charset = attributes.get('charset');
  if (charset !== undefined) return charsetOf(charset);
  if (attributes.get('http-equiv')?.toLowerCase() !== 'content-type') return undefined;
  const [, ...labels] =
    /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"'][^\s;]*))/i.exec(
      attributes.get('content') ?? '',
    ) ?? [];
  return charsetOf(labels.find((label) => label));
}

function inXmlDeclaration(start: string): string | undefined {
  const declaration = start.startsWith('<?xml') ? start.slice(0, start.indexOf('>')) : '';
  return charsetOf(
    /encoding\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(declaration)?.slice(1).find(Boolean),
  );
}

/**
 * A declaration that can be read byte by byte is not in UTF-16, and a page that declares
 * x-user-defined means windows-1252: both are rules of the standard's prescan.
 */
function charsetOf(label: string | undefined): string | undefined {
  const charset = charsetNamed(label);
  if (charset === 'x-user-defined') return 'windows-1252';
  return charset?.startsWith('utf-16') ? 'utf-8' : charset;
}

/**
 * The character set with this label; undefined for an unknown one, and for those that decode no
 * text at all.
 */
export function charsetNamed(label: string | undefined): string | undefined {
  const name = label === undefined ? null : labelToName(label);
  return name === null || name === 'replacement' ? undefined : name.toLowerCase();
}
