import { isMarkdownName } from '../markdown/marks.ts';

/** What a body is, whatever its header says. */
export type BodyKind =
  | 'html'
  | 'pdf'
  | 'json'
  | 'xml'
  | 'markdown'
  | 'archive'
  | 'text'
  | 'unsupported'
  | 'empty';

const SNIFFED = 2048;
const PDF_MARK_WITHIN = 1024;

/**
 * The type of a Content-Type header, without its parameters, in lower case; null when it is
 * missing.
 */
export function essenceOf(contentType: string | null): string | null {
  const essence = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(essence) ? essence : null;
}

/** Decides by the bytes if they are clear, otherwise by the header and the address. */
export function sniffKind(body: Uint8Array, contentType: string | null, url: string): BodyKind {
  const start = new TextDecoder('latin1').decode(body.subarray(0, SNIFFED));
  if (isBlank(body)) return 'empty';
  if (start.slice(0, PDF_MARK_WITHIN).includes('%PDF-')) return 'pdf';
  if (start.startsWith('PK\x03\x04')) return 'archive';
  if (refusedText(start, contentType) !== undefined) return 'unsupported';
  const essence = essenceOf(contentType) ?? '';
  // a page that starts as HTML stays HTML despite a stray zero byte
  if (isBinary(start) && startsLike(start) !== 'html')
    return essence === 'application/pdf' ? 'pdf' : 'unsupported';
  return kindOfText(start, body, essence, url);
}

/** Documents of text that is not prose, by their first characters. */
const MARKUP: readonly (readonly [string, string])[] = [
  ['{\\rtf', 'a rich text document (rtf)'],
  ['%!PS', 'a PostScript document'],
];

/** What a document of text is that is not prose; undefined = prose, as far as is known. */
export function refusedText(start: string, contentType: string | null): string | undefined {
  const [head = ''] = start.split(/\r?\n\r?\n/, 1);
  const isWebArchive =
    /^mime-version:/im.test(head) && /^content-type:\s*multipart\/related/im.test(head);
  const isPart = essenceOf(contentType) === 'multipart/related' && start.startsWith('--');
  if (isWebArchive || isPart) return 'a web archive (mhtml)';
  return MARKUP.find(([beginning]) => start.startsWith(beginning))?.[1];
}

function kindOfText(start: string, body: Uint8Array, essence: string, url: string): BodyKind {
  const markup = startsLike(start);
  const isHtmlType = essence === 'text/html' || essence === 'application/xhtml+xml';
  // sites show files of markdown in pages of their own, under the names of the files
  if (markup === 'html' && (isHtmlType || !isMarkdownName(url))) return 'html';
  if (/^(?:image|audio|video|font|model)\//.test(essence)) return 'unsupported';
  if (markup === 'xml') return 'xml';
  if (
    /[/+]json$/.test(essence) ||
    essence === 'application/x-ndjson' ||
    essence === 'application/json-seq'
  )
    return 'json';
  if (/^\s*[{[]/.test(start) && essence !== 'text/markdown' && isJson(body)) return 'json';
  if (essence === 'text/markdown' || essence === 'text/x-markdown' || isMarkdownName(url))
    return 'markdown';
  if (isHtmlType) return hasTags(start) ? 'html' : 'text';
  if (/[/+]xml$/.test(essence)) return 'xml';
  if (essence === 'application/pdf') return 'pdf';
  return essence === '' && hasTags(start) ? 'html' : 'text';
}

function startsLike(start: string): 'html' | 'xml' | undefined {
  // the parts of UTF-16 and a byte order mark are skipped
  const plain = start
    .replaceAll('\0', '')
    .replace(/^[\xef\xbb\xbf\xff\xfe]+/, '')
    .replace(/^(?:\s|<!--[\s\S]{0,1000}?-->)+/, '');
  if (/^<(?:!doctype\s+html|html[\s>]|head[\s>]|body[\s>])/i.test(plain)) return 'html';
  const list = LIST.exec(plain);
  if (!/^<\?xml/i.test(plain) && list?.index !== 0) return undefined;
  return list === null && /<html[\s>]/i.test(plain) ? 'html' : 'xml';
}

/** The first element of a feed or another list of links, with a prefix or without. */
const LIST = /<(?:[a-z][\w.-]{0,40}:)?(?:rss|feed|rdf|urlset|sitemapindex|opml)[\s>]/i;

const hasTags = (start: string): boolean =>
  /<(?:\/?[a-z][a-z0-9]*[\s/>]|!--|!doctype)/i.test(start.replaceAll('\0', ''));

/** Archives, images and programs have zeros or other control characters throughout. */
function isBinary(start: string): boolean {
  if (['\xff\xfe', '\xfe\xff', '<\0', '\0<'].some((mark) => start.startsWith(mark))) return false;
  if (start.includes('\0')) return true;
  return [...start].filter(isControl).length > start.length * 0.02;
}

/** Except white space, and the escape that starts terminal colours. */
function isControl(character: string): boolean {
  return character < ' ' && !'\t\n\v\f\r\x1b'.includes(character);
}

function isBlank(body: Uint8Array): boolean {
  return body.every(
    (byte) =>
      byte === 0 ||
      byte === 32 ||
      (byte >= 9 && byte <= 13) ||
      byte === 0xef ||
      byte === 0xbb ||
      byte === 0xbf,
  );
}

function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(body));
    return true;
  } catch {
    return false;
  }
}
