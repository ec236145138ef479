/**
 * How one parameter of the address is read and written. What cannot be read has the value for
 * absent.
 */
export interface Codec<Value> {
  read(written: string | undefined): Value;
  /** Undefined leaves the parameter out. */
  write(value: Value): string | undefined;
}

/** A text; absent = `''`. */
export const text = (): Codec<string> => ({
  read: (written) => written ?? '',
  write: (value) => value || undefined,
});

/** A text or null. */
export const optional = (): Codec<string | null> => ({
  read: (written) => written ?? null,
  write: (value) => value ?? undefined,
});

/** One word of a list; absent or unknown = `standard`. */
export const oneOf = <Word extends string>(
  words: readonly Word[],
  standard: NoInfer<Word>,
): Codec<Word> => ({
  read: (written) => words.find((word) => word === written) ?? standard,
  write: (value) => (value === standard ? undefined : value),
});

/** A whole number from `min` to `max`; absent or unreadable = `standard`. */
export const whole = (
  standard: number,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number } = {},
): Codec<number> => ({
  read: (written) => {
    const number = Number(written ?? Number.NaN);
    return Number.isInteger(number) && number >= min && number <= max ? number : standard;
  },
  write: (value) => (value === standard ? undefined : String(value)),
});

/** A switch; absent = off. */
export const flag = (): Codec<boolean> => ({
  read: (written) => written === '1',
  write: (value) => (value ? '1' : undefined),
});

/** An order of rows: `name` ascending, `-name` descending. */
export interface Sort<Key extends string = string> {
  readonly key: Key;
  readonly isDescending: boolean;
}

export const sortOf = <Key extends string>(
  keys: readonly Key[],
  standard: Sort<NoInfer<Key>>,
): Codec<Sort<Key>> => ({
  read: (written = '') => {
    const isDescending = written.startsWith('-');
    const key = keys.find((known) => known === written.slice(isDescending ? 1 : 0));
    return key ? { key, isDescending } : standard;
  },
  write: ({ key, isDescending }) =>
    key === standard.key && isDescending === standard.isDescending
      ? undefined
      : `${isDescending ? '-' : ''}${key}`,
});

type Codecs = Readonly<Record<string, Codec<never>>>;
/** The values of all parameters that a page declares. */
export type ValuesOf<C> = {
  readonly [Name in keyof C]: C[Name] extends Codec<infer Value> ? Value : never;
};
export type { Codecs };

/** The parameters of an address, as texts. */
export type AddressParameters = Readonly<Record<string, string | undefined>>;

export function readValues<C>(codecs: C, search: AddressParameters): ValuesOf<C> {
  const entries = Object.entries(codecs as Record<string, Codec<unknown>>);
  return Object.fromEntries(
    entries.map(([name, codec]) => [name, codec.read(search[name])]),
  ) as ValuesOf<C>;
}

/** The address after a change. Parameters that the page does not declare are kept. */
export function withValues<C>(
  codecs: C,
  search: AddressParameters,
  change: Partial<ValuesOf<C>>,
): AddressParameters {
  const known = codecs as Record<string, Codec<unknown>>;
  const next: Record<string, string | undefined> = { ...search };
  for (const [name, value] of Object.entries(change)) {
    const written = known[name]?.write(value);
    if (written === undefined) delete next[name];
    else next[name] = written;
  }
  return next;
}
