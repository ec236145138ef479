export type JsonSchema = { readonly [key: string]: unknown };
export type Properties = Readonly<Record<string, JsonSchema>>;

/**
 * The arguments of a call in the types of the schema: a text for a list, number or boolean is read
 * as one; null, an empty text and a list of nothing are absent; what the schema does not name is
 * set aside, since some hosts add ids of their own.
 * @param names lists of names, which may be arguments that are not among the properties
 */
export function readArguments(
  given: JsonSchema,
  properties: Properties,
  names: readonly string[],
): { readonly known: JsonSchema; readonly ignored: readonly string[] } {
  const isKnown = (name: string) => Object.hasOwn(properties, name) || names.includes(name);
  const known = Object.entries(given)
    .filter(([name]) => isKnown(name))
    .map(([name, value]) => {
      if (names.includes(name)) return [name, namesOf(value)] as const;
      return [name, readAs(properties[name]?.type, value)] as const;
    })
    // the contract treats null as absent
    .filter(([, value]) => value !== null && value !== '');
  const ignored = Object.keys(given).filter((name) => !isKnown(name));
  return { known: Object.fromEntries(known), ignored };
}

/** What a text says where another type is wanted. The schema refuses anything else. */
function readAs(type: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '') return null;
  if (type === 'array') return listInText(value) ?? [value];
  if (type === 'integer' || type === 'number') return NUMBER.test(text) ? Number(text) : value;
  if (type !== 'boolean') return value;
  const word = text.toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : value;
}

const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;

/**
 * A list of names, which may also be a text with commas. One without a name counts as absent.
 */
function namesOf(value: unknown): unknown {
  if (Array.isArray(value)) return isOnlyEmpty(value) ? null : value;
  if (typeof value !== 'string') return value;
  const names = listInText(value) ?? value.split(',');
  const given = names.map((name) => name.trim()).filter((name) => name !== '');
  return given.length > 0 ? given : null;
}

const isOnlyEmpty = (list: readonly unknown[]): boolean =>
  list.length > 0 && list.every((one) => one === '');

function listInText(text: string): readonly string[] | null {
  if (!text.trimStart().startsWith('[')) return null;
  try {
    const list: unknown = JSON.parse(text);
    const isList = Array.isArray(list) && list.every((item) => typeof item === 'string');
    return isList ? list : null;
  } catch {
    // a text that only looks like a list at its start, such as a query
    return null;
  }
}
