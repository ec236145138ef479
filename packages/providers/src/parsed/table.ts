/**
 * Tables for what vendors send, of rows and of pages alike: which key of the vendor's object is
 * which of our fields. What is read and what is left over, for `enrichments`, both follow from one
 * table.
 */
import type { JsonObject } from '@trawl/contract';
import { isoDate } from '../values/dates.ts';
import { finiteNumber, object, without } from '../values/json.ts';
import { memberReader } from '../values/paths.ts';
import {
  joinedTexts,
  type LimitedText,
  limitedTexts,
  limitedTitles,
  text,
} from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

/** A key, or a path with dots and numbers. Of several, the first whose value can be read counts. */
type Place = string | readonly string[];

/** The address of what is read, against which other addresses are resolved. */
type Address = string | null;

/** How a value becomes a field; null = it cannot be read. */
export type ReadValue<Value, Base = Address> = (value: unknown, base: Base) => Value | null;

/** A place whose values are not read in the usual way of its field. */
interface ReadAt<Value, Base> {
  readonly at: Place;
  readonly read: ReadValue<Value, Base>;
}

/** Where a field comes from. */
export type From<Value, Base = Address> = Place | ReadAt<Value, Base> | undefined;

/** What a table says of keys in addition to their fields. */
export interface KeyRules {
  /**
   * Keys without a field that are left out of `enrichments` all the same; `all` = every key. A
   * path, only of an object that `split` names.
   */
  readonly dropped?: readonly string[] | 'all';
  /**
   * Objects of which only the members that no path reads or drops are left over; without such
   * members, the object is not. Any other object of which a part is read stays whole.
   */
  readonly split?: readonly string[];
}

/** For a place: an address that is whole. A relative one is not an address of the row's page. */
export const wholeUrl = (value: unknown): string | null => absoluteUrl(value, undefined);

/** For a place: a list of passages, as one text. */
export const joinedPassages = (value: unknown): LimitedText | null =>
  joinedTexts(limitedTexts(value), '\n\n');

/** For a place: a list of names. */
export const joinedNames = (value: unknown): LimitedText | null =>
  joinedTexts(limitedTitles(value), ', ');

export type ReadMember<Value, Base = Address> = (sent: JsonObject, base: Base) => Value | null;

export const isPlace = (from: From<unknown, never>): from is Place =>
  typeof from === 'string' || Array.isArray(from);

export function placesOf(from: From<unknown, never>): readonly string[] {
  if (from === undefined) return [];
  const place = isPlace(from) ? from : from.at;
  return typeof place === 'string' ? [place] : place;
}

/** Reads one field; undefined = the table does not have it. */
export function memberOf<Value, Base = Address>(
  from: From<Value, Base>,
  usual: ReadValue<Value, Base>,
): ReadMember<Value, Base> | undefined {
  const read = from === undefined || isPlace(from) ? usual : from.read;
  const [first, ...others] = placesOf(from).map(memberReader);
  if (first === undefined) return undefined;
  if (others.length === 0) return (sent, base) => read(first(sent), base);
  return (sent, base) => {
    let found = read(first(sent), base);
    for (const other of others) found ??= read(other(sent), base);
    return found;
  };
}

/**
 * What a table leaves of an object.
 * @param date the field with the date; one that cannot be read, such as "2 days ago", stays
 * @returns a function whose second argument is the place from which the date was read, if known
 */
export function leftOversOf(
  fields: Readonly<Record<string, From<unknown, never>>>,
  { dropped, split }: Required<KeyRules>,
  date: From<unknown, never>,
): (sent: JsonObject, dateFrom?: string) => JsonObject {
  if (dropped === 'all') return () => ({});
  const places = [...dropped, ...Object.values(fields).flatMap(placesOf)];
  const consumed = new Set([...places.filter(isKey), ...split]);
  const parts = split.map((key) => ({ key, read: membersIn(key, places) }));
  const dateKeys = isPlace(date) ? placesOf(date).filter(isKey) : [];
  return (sent, dateFrom) => {
    let left = without(sent, consumed);
    for (const key of dateKeys) if (key !== dateFrom) left = withUnreadDate(left, sent, key);
    for (const { key, read } of parts) {
      const others = without(object(sent[key]), read);
      if (Object.keys(others).length > 0) left = { ...left, [key]: others };
    }
    return left;
  };
}

const isKey = (place: string): boolean => !place.includes('.');

/** The members of an object that a place names. */
const membersIn = (key: string, places: readonly string[]): ReadonlySet<string> =>
  new Set(places.flatMap((at) => (at.startsWith(`${key}.`) ? at.slice(key.length + 1) : [])));

/** With a date that could not be read, in the vendor's own words. */
function withUnreadDate(left: JsonObject, sent: JsonObject, dateKey: string): JsonObject {
  const date = sent[dateKey];
  if (date === undefined || date === null) return left;
  const isValue = text(date) !== null || finiteNumber(date) !== null;
  return !isValue || isoDate(date) !== null ? left : { ...left, [dateKey]: date };
}
