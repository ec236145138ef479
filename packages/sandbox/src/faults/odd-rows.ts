import { isObject, type JsonObject, textAt } from '../util/json.ts';
import { filledPart } from '../util/templates.ts';
import odd from './odd-rows.json' with { type: 'json' };

/** The members of a vendor's rows that can be odd. */
export interface RowMembers {
  readonly title: string;
  readonly url: string;
  readonly date?: string | undefined;
  readonly image?: Wrapped | undefined;
  readonly snippets: readonly Wrapped[];
}

/** A member, and the template that puts a plain `{value}` into the vendor's own shape. */
interface Wrapped {
  readonly name: string;
  readonly wrap?: unknown;
}

/** The oddity of one row. Its members apply in the order of this list. */
interface Oddity {
  /** Replaces the row. */
  readonly row?: string | null | undefined;
  /** The index of the row to change instead. */
  readonly like?: number | undefined;
  /** Removes all members except those below. */
  readonly only?: boolean | undefined;
  /** The value of every member except the URL. */
  readonly every?: string | null | undefined;
  readonly add?: JsonObject | undefined;
  readonly snippet?: unknown;
  readonly image?: string | undefined;
  readonly title?: string | number | null | undefined;
  readonly url?: string | number | undefined;
}

/** One oddity per row, in this order: readable and unusable rows alternate. */
const ODDITIES: readonly Oddity[] = odd.rows;

/** Date formats that vendors really send, and some that no vendor should send. */
export const ODD_DATES: readonly unknown[] = odd.dates;

/** How many rows show every oddity once. */
export const ODD_ROWS = ODDITIES.length;

/** The rows with one oddity each, as far as there are rows; dates go through all formats. */
export function oddRows(rows: readonly JsonObject[], members: RowMembers): readonly unknown[] {
  return rows.map((_row, index) => {
    const oddity = ODDITIES[index] ?? {};
    const changed = oddRow(oddity, rows[oddity.like ?? index] ?? {}, members);
    if (!isObject(changed) || !members.date || !Object.hasOwn(changed, members.date)) {
      return changed;
    }
    return { ...changed, [members.date]: ODD_DATES[index % ODD_DATES.length] };
  });
}

function oddRow(oddity: Oddity, row: JsonObject, members: RowMembers): unknown {
  const { every, snippet, image, title, url } = oddity;
  if (oddity.row !== undefined) return oddity.row;
  const address = textAt(row, members.url) ?? '';
  const values = {
    title: row[members.title],
    url: row[members.url],
    base: address.split('?')[0],
    shouted: address.replace(
      /^https:\/\/([^/?]+)/,
      (_whole, host: string) => `HTTPS://${host.toUpperCase()}:443/a/..`,
    ),
    long: 'long '.repeat(1_000),
    // half of a surrogate pair, which not every reader of JSON files takes
    lone: '\ud800',
  };
  const changed: Record<string, unknown> = oddity.only ? {} : { ...row, ...oddity.add };
  if (every !== undefined) {
    for (const name of Object.keys(changed)) if (name !== members.url) changed[name] = every;
  }
  for (const member of snippet === undefined ? [] : members.snippets) {
    if (Object.hasOwn(row, member.name)) changed[member.name] = wrapped(member, snippet);
  }
  if (members.image && image !== undefined) {
    changed[members.image.name] = wrapped(members.image, image);
  }
  if (title !== undefined) changed[members.title] = filledPart(title, values);
  if (url !== undefined) changed[members.url] = filledPart(url, values);
  return changed;
}

function wrapped({ wrap }: Wrapped, value: unknown): unknown {
  return wrap === undefined || typeof value !== 'string' ? value : filledPart(wrap, { value });
}
