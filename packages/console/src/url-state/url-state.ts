import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

interface ChangeOptions {
  /**
   * The change is a step that «back» undoes, as opening a row is; otherwise it replaces the
   * address.
   */
  readonly isStep?: boolean;
}

/**
 * The state of a page in its address. `codecs` is a constant outside of the component:
 * `const STATE = { q: text(), status: oneOf(['all', 'failed'], 'all'), peek: optional() }`.
 * @returns the values, and a function that changes some of them
 */
export function useUrlState<C>(
  codecs: C,
): readonly [ValuesOf<C>, (change: Partial<ValuesOf<C>>, options?: ChangeOptions) => void] {
  const search: AddressParameters = useSearch({ strict: false });
  const navigate = useNavigate();
  const values = useMemo(() => readValues(codecs, search), [codecs, search]);
  const change = useCallback(
    (part: Partial<ValuesOf<C>>, { isStep = false }: ChangeOptions = {}) => {
      navigate({
        to: '.',
        search: (previous: AddressParameters) => withValues(codecs, previous, part) as never,
        replace: !isStep,
        resetScroll: false,
      });
    },
    [codecs, navigate],
  );
  return [values, change];
}

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

/** The values of all parameters that a page declares. */
export type ValuesOf<C> = {
  readonly [Name in keyof C]: C[Name] extends Codec<infer Value> ? Value : never;
};

/** The parameters of an address, as texts. */
type AddressParameters = Readonly<Record<string, string | undefined>>;

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

/**
 * The parameters of an address as plain texts. Of a name that occurs twice, the last one counts.
 */
export const parseSearch = (text: string): AddressParameters =>
  Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}
