/** A credential prepared for its two uses: being sent, and being kept out of what we record. */
export interface Secret {
  /** Whether an HTTP header can contain it. */
  readonly fitsHeader: boolean;
  /** The body as text, the credential replaced by `[redacted]` in every place where it is echoed. */
  scrub(bytes: Buffer): string;
}

const REPLACEMENT = '[redacted]';

/** A shorter text is not a real secret, and removing it would damage ordinary words and numbers. */
const SHORTEST_SECRET = 8;

const UNFIT_FOR_HEADER = /[^\t\x20-\x7e\x80-\xff]/;
/** Characters that no serializer escapes. */
const PLAIN = /^[A-Za-z0-9_~-]$/;
const PLAIN_RUN = /[A-Za-z0-9_~-]+/g;

/** Secrets by credential; a server has a handful. */
export function createSecrets(): (credential: string | undefined) => Secret {
  const known = new Map<string, Secret>();
  const none: Secret = { fitsHeader: true, scrub: decode };
  return (credential) => {
    if (credential === undefined) return none;
    const found = known.get(credential);
    if (found) return found;
    const secret = prepare(credential);
    known.set(credential, secret);
    return secret;
  };
}

function prepare(credential: string): Secret {
  const fitsHeader = !UNFIT_FOR_HEADER.test(credential);
  if (credential.length < SHORTEST_SECRET) return { fitsHeader, scrub: decode };
  const runs = credential.match(PLAIN_RUN) ?? [];
  const longestRun = runs.reduce(
    (longest, run) => (run.length > longest.length ? run : longest),
    '',
  );
  const trace = Buffer.from(longestRun);
  const echoes = new RegExp([...credential].map(formsOf).join(''), 'g');
  return {
    fitsHeader,
    scrub: (bytes) => {
      const text = decode(bytes);
      // almost never true, and the only cost for every answer
      return bytes.includes(trace) ? text.replace(echoes, REPLACEMENT) : text;
    },
  };
}

const NAMED_REFERENCES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};
/** The ampersand of a reference may be escaped itself: some serializers write JSON so. */
const REFERENCE_START = String.raw`(?:&|\\{1,8}u0026)(?:amp;){0,3}`;

/**
 * One character as itself, and in the escapes of JSON, URLs and HTML, which is decoded in titles and snippets. Each of
 * them may be escaped again; how often is bounded, so that no text makes the search slow.
 */
function formsOf(character: string): string {
  if (PLAIN.test(character)) return character;
  const point = character.codePointAt(0) ?? 0;
  const units = character.split('').map((unit) => unit.charCodeAt(0));
  const name = NAMED_REFERENCES[character];
  const references = [
    `#0{0,8}${point}`,
    `#[xX]0{0,8}${hexDigits(point, 1)}`,
    ...(name ? [name] : []),
  ];
  const forms = [
    String.raw`\\{0,8}` + character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'),
    units.map((unit) => String.raw`\\{1,8}u` + hexDigits(unit, 4)).join(''),
    [...Buffer.from(character)].map((byte) => `%(?:25){0,3}${hexDigits(byte, 2)}`).join(''),
    `${REFERENCE_START}(?:${references.join('|')});`,
  ];
  if (character === ' ') forms.push(String.raw`\+`);
  return `(?:${forms.join('|')})`;
}

/** `2f` as a pattern that also matches `2F`. */
function hexDigits(value: number, digits: number): string {
  const hex = value.toString(16).padStart(digits, '0');
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** UTF-8; a byte order mark is allowed, invalid UTF-8 becomes U+FFFD. */
function decode(bytes: Buffer): string {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString('utf8', hasMark ? 3 : 0);
}
