import { TrawlError } from './errors.ts';

/** The names of all members of `T`: the compiler finds one that is missing. */
export const namesOf = <T>(names: Readonly<Record<keyof T, true>>): readonly string[] =>
  Object.keys(names);

/**
 * Refuses unknown options, which would have no effect.
 * @param owner for the message, such as `a client`
 * @param elsewhere for the message: where other names belong
 * @throws TrawlError `usage` that names them, and the nearest known name of each or else all
 */
export function checkNames(
  owner: string,
  given: object,
  known: readonly string[],
  elsewhere?: string,
): void {
  // an array or a text has its places as names
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const advice = unknown.map((name) => {
    const near = nearest(name, known);
    return `"${name}": write ${near ? `"${near}"` : `one of ${known.join(', ')}`}`;
  });
  const sentences = [...advice, ...(elsewhere === undefined ? [] : [elsewhere])];
  throw new TrawlError('usage', `${owner} has no option ${sentences.join('; ')}`);
}

/** The known name that someone may have meant: in another spelling, or up to two letters away. */
export const nearest = <Name extends string>(
  name: string,
  known: readonly Name[],
): Name | undefined =>
  [0, 1, 2]
    .map((edits) => known.find((each) => isWithin(edits, plain(name), plain(each))))
    .find((near) => near !== undefined);

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** Whether one becomes the other when at most `edits` letters are added, removed or replaced. */
function isWithin(edits: number, a: string, b: string): boolean {
  if (a[0] === b[0]) return a === b || isWithin(edits, a.slice(1), b.slice(1));
  const isNext = (left: string, right: string) => isWithin(edits - 1, left, right);
  return (
    edits > 0 && (isNext(a.slice(1), b.slice(1)) || isNext(a.slice(1), b) || isNext(a, b.slice(1)))
  );
}
