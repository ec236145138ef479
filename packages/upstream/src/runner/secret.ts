/** A credential prepared for its two uses: being sent, and being kept out of what we record. */
export interface Secret {
  /** Whether an HTTP header can contain it. */
  readonly fitsHeader: boolean;
  /**
   * The body as text, the credential replaced by `[redacted]` in every place where it is echoed.
   */
  scrub(bytes: Buffer): string;
}

const REPLACEMENT = '[redacted]';

/** A shorter text is not a real secret, and removing it would damage ordinary words and numbers. */
const SHORTEST_SECRET = 8;

const UNFIT_FOR_HEADER = /[^\t\x20-\x7e\x80-\xff]/;
/** Characters that no serializer escapes. */
const PLAIN = /^[A-Za-z0-9_-]$/;
const PLAIN_RUN = /[A-Za-z0-9_-]+/g;

/** Twice as many as a provider may have at once; older ones are forgotten. */
const KEYS_MAX = 64;

/** How one credential is found in a body; undefined where it is too short to be looked for. */
interface Prepared {
  readonly fitsHeader: boolean;
  readonly echo:
    | { readonly length: number; readonly trace: Buffer; readonly forms: RegExp }
    | undefined;
}

/**
 * The secrets of a runner, by provider.
 * @param others further secrets of its calls, which never change
 */
export type Secrets = (
  slug: string,
  credential: string | undefined,
  others?: readonly string[],
) => Secret;

/**
 * What is scrubbed are all keys that a provider had, since its answers may repeat an earlier or a
 * later one.
 */
export function createSecrets(): Secrets {
  const bySlug = new Map<string, Map<string, Prepared>>();
  const prepared = new Map<string, Prepared>();
  const otherOf = (secret: string): Prepared => {
    const known = prepared.get(secret) ?? prepare(secret);
    prepared.set(secret, known);
    return known;
  };
  return (slug, credential, others = []) => {
    const keys = bySlug.get(slug) ?? new Map<string, Prepared>();
    bySlug.set(slug, keys);
    if (credential !== undefined && !keys.has(credential)) {
      keys.set(credential, prepare(credential));
      const [oldest] = keys.keys();
      if (keys.size > KEYS_MAX && oldest !== undefined) keys.delete(oldest);
    }
    const own = credential === undefined ? undefined : keys.get(credential);
    return {
      fitsHeader: own?.fitsHeader ?? true,
      scrub: (bytes) => scrub(bytes, [...keys.values(), ...others.map(otherOf)]),
    };
  };
}

function scrub(bytes: Buffer, keys: Iterable<Prepared>): string {
  const echoes = [...keys].flatMap(({ echo }) =>
    // almost never true, and the only cost for every answer
    echo && bytes.includes(echo.trace) ? [echo] : [],
  );
  // longest first: a secret may begin with another one, and its rest must not stay
  return echoes
    .sort((one, other) => other.length - one.length)
    .reduce((text, { forms }) => text.replace(forms, REPLACEMENT), decode(bytes));
}

function prepare(credential: string): Prepared {
  const fitsHeader = !UNFIT_FOR_HEADER.test(credential);
  if (credential.length < SHORTEST_SECRET) return { fitsHeader, echo: undefined };
  const runs = credential.match(PLAIN_RUN) ?? [];
  const longestRun = runs.reduce(
    (longest, run) => (run.length > longest.length ? run : longest),
    '',
  );
  const forms = new RegExp([...credential].map(formsOf).join(''), 'g');
  const { length } = credential;
  return { fitsHeader, echo: { length, trace: Buffer.from(longestRun), forms } };
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
 * One character as itself, and in the escapes of JSON, URLs and HTML, which is decoded in titles
 * and snippets. Each of them may be escaped again; how often is bounded, so that no text makes the
 * search slow.
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
