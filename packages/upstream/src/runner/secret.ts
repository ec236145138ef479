/** A credential prepared for its two uses: being sent, and being kept out of what we record. */
export interface Secret {
  /** Whether an HTTP header can contain it. */
  readonly fitsHeader: boolean;
  /**
   * The body as text, the credential replaced by `[redacted]` in every place where it is echoed.
   */
  scrub(bytes: Buffer): string;
  /**
   * The same for the texts in what was read of it: the credential may be whole only after markup
   * was removed. A value without it stays as it is.
   */
  scrubValue<Value>(value: Value): Value;
}

const REPLACEMENT = '[redacted]';

/** A shorter text is not a real secret, and removing it would damage ordinary words and numbers. */
const SHORTEST_SECRET = 8;

const UNFIT_FOR_HEADER = /[^\t\x20-\x7e\x80-\xff]/;
/** Characters that no serializer has to escape. */
const PLAIN = /^[A-Za-z0-9_-]$/;
const PLAIN_RUN = /[A-Za-z0-9_-]+/g;
/** One of these that is escaped all the same, which is rare: in JSON, URLs and HTML. */
const ESCAPED_PLAIN =
  /(?:%(?:25){0,3}|\\u00|#[xX]0{0,8})(?:2[dD]|3\d|[46][1-9a-fA-F]|[57][\daA]|5[fF])|#0{0,8}(?:4[589]|5[0-7]|6[5-9]|[78]\d|9[05789]|1[01]\d|12[0-2]);/;

/** Twice as many as a provider may have at once; older ones are forgotten. */
const KEYS_MAX = 64;

const TAIL = 4;
/** Of a shorter key, four characters would be too much to show. */
const SHORTEST_KEY = 12;

/** The last four characters of a key, by which people know it; null if it is too short for that. */
export const keyTailOf = (key: string | undefined): string | null =>
  key === undefined || key.length < SHORTEST_KEY ? null : key.slice(-TAIL);

/** How one credential is found in a body; undefined where it is too short to be looked for. */
interface Prepared {
  readonly fitsHeader: boolean;
  readonly echo:
    | { readonly length: number; readonly trace: string; readonly forms: RegExp }
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
    const all = () => echoesOf([...keys.values(), ...others.map(otherOf)]);
    return {
      fitsHeader: own?.fitsHeader ?? true,
      scrub: (bytes) => scrub(bytes, all()),
      scrubValue: (value) => scrubbed(value, all()) as typeof value,
    };
  };
}

type Echo = NonNullable<Prepared['echo']>;

/** Longest first: a secret may begin with another one, and its rest must not stay. */
const echoesOf = (keys: readonly Prepared[]): readonly Echo[] =>
  keys.flatMap(({ echo }) => echo ?? []).sort((one, other) => other.length - one.length);

function scrub(bytes: Buffer, echoes: readonly Echo[]): string {
  const text = decode(bytes);
  const isEscaped = ESCAPED_PLAIN.test(text);
  const found = echoes.filter(({ trace }) => isEscaped || bytes.includes(trace));
  return without(text, found);
}

const without = (text: string, found: readonly Echo[]): string =>
  found.reduce((scrubbing, { forms }) => scrubbing.replace(forms, REPLACEMENT), text);

/** The value, or a copy of each part of it that has a credential. */
function scrubbed(value: unknown, echoes: readonly Echo[]): unknown {
  if (typeof value === 'string') {
    for (const { trace } of echoes) if (value.includes(trace)) return without(value, echoes);
    return value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return scrubbedList(value, echoes);
  let copy: object | undefined;
  const members = value as Readonly<Record<string, unknown>>;
  for (const key in members) {
    const inner = members[key];
    const after = scrubbed(inner, echoes);
    if (after === inner) continue;
    copy ??= { ...value };
    Object.defineProperty(copy, key, { value: after });
  }
  return copy ?? value;
}

/** By index: the keys of a list are texts, which cost more than its values. */
function scrubbedList(list: readonly unknown[], echoes: readonly Echo[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const after = scrubbed(list[index], echoes);
    if (after === list[index]) continue;
    copy ??= [...list];
    copy[index] = after;
  }
  return copy ?? list;
}

function prepare(credential: string): Prepared {
  const fitsHeader = !UNFIT_FOR_HEADER.test(credential);
  if (credential.length < SHORTEST_SECRET) return { fitsHeader, echo: undefined };
  const runs = credential.match(PLAIN_RUN) ?? [];
  const longestRun = runs.reduce(
    (longest, run) => (run.length > longest.length ? run : longest),
    '',
  );
  const characters = [...credential].map((one, place) => formsOf(one, place === 0));
  const forms = new RegExp(characters.join(''), 'g');
  const { length } = credential;
  return { fitsHeader, echo: { length, trace: longestRun, forms } };
}

const NAMED_REFERENCES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};
/**
 * Backslashes of an escape. The first one is looked for where a run of them begins, so that a long
 * run is read once.
 */
const BACKSLASHES = String.raw`\\{1,8}`;
const FIRST_BACKSLASHES = String.raw`(?<!\\)\\+`;

/**
 * One character as itself, and in the escapes of JSON, URLs and HTML, which is decoded in titles
 * and snippets. Each of them may be escaped again; how often is bounded, so that no text makes the
 * search slow.
 */
function formsOf(character: string, isFirst: boolean): string {
  const backslashes = isFirst ? FIRST_BACKSLASHES : BACKSLASHES;
  const point = character.codePointAt(0) ?? 0;
  const units = character.split('').map((unit) => unit.charCodeAt(0));
  const name = NAMED_REFERENCES[character];
  const references = [
    `#0{0,8}${point}`,
    `#[xX]0{0,8}${hexDigits(point, 1)}`,
    ...(name ? [name] : []),
  ];
  const forms = [
    PLAIN.test(character)
      ? character
      : String.raw`\\{0,8}` + character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'),
    units
      .map((unit, place) => `${place === 0 ? backslashes : BACKSLASHES}u${hexDigits(unit, 4)}`)
      .join(''),
    [...Buffer.from(character)].map((byte) => `%(?:25){0,3}${hexDigits(byte, 2)}`).join(''),
    // the ampersand of a reference may be escaped itself: some serializers write JSON so
    `(?:&|${backslashes}u0026)(?:amp;){0,3}(?:${references.join('|')});`,
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
