const STATUS_LINE = /^http[/\d.]*[ \t]+(\d{3})(\D.*)?$/i;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const LENGTH = /^\d{1,15}$/;

interface HeaderField {
  /** Empty = the line is not a header. */
  readonly name: string;
  value: string;
}

/**
 * The head of an answer as browsers understand it, written as the parser of Node.js accepts it;
 * unchanged if it is not HTTP. Its lenient mode refuses what is common: a line without a colon, a
 * space before one, a length that is sent twice, empty or no number.
 * https://fetch.spec.whatwg.org/#content-length-header
 * @param head each byte as a character
 */
export function repairHead(head: string): string {
  const [start = '', ...lines] = head.trimStart().split(/\r\n|\r|\n/);
  const [, status, reason = ''] = STATUS_LINE.exec(start) ?? [];
  if (status === undefined) return head;
  const fields = fieldsOf(lines);
  const plain = fields.flatMap(({ name, value }) =>
    name === '' || FRAMING.has(name.toLowerCase()) ? [] : [`${name}:${value}`],
  );
  return [`HTTP/1.1 ${status}${reason}`, ...plain, ...framingOf(fields), '', ''].join('\r\n');
}

const CHUNKED = 'Transfer-Encoding: chunked';

/** How a repaired head ends before a body in chunks. */
export const CHUNKED_END = `${CHUNKED}\r\n\r\n`;

/** Headers that say where the body ends. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

function fieldsOf(lines: readonly string[]): readonly HeaderField[] {
  const fields: HeaderField[] = [];
  for (const line of lines) {
    const isFolded = /^[ \t]/.test(line);
    const last = fields.at(-1);
    if (isFolded && last) last.value += ` ${line.trimStart()}`;
    if (isFolded || line === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trimEnd();
    fields.push({ name: TOKEN.test(name) ? name : '', value: line.slice(colon + 1) });
  }
  return fields;
}

/** Chunks win over lengths. Lengths that differ are all kept, and the parser refuses them. */
function framingOf(fields: readonly HeaderField[]): readonly string[] {
  const valuesOf = (wanted: string): readonly string[] =>
    fields
      .filter(({ name }) => name.toLowerCase() === wanted)
      .flatMap(({ value }) => value.split(','))
      .map((value) => value.trim());
  if (valuesOf('transfer-encoding').some((coding) => coding.toLowerCase() === 'chunked'))
    return [CHUNKED];
  const lengths = [...new Set(valuesOf('content-length'))];
  const [length = ''] = lengths;
  // without a usable length, the body ends with the connection
  if (lengths.length === 1 && !LENGTH.test(length)) return [];
  return lengths.map((each) => `Content-Length: ${each}`);
}
