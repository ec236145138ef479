import { isObject } from '../util/json.ts';

type Row = Readonly<Record<string, unknown>>;

/** Where a vendor's rows keep what can be odd. `wrap` gives a plain string the vendor's own shape. */
export interface RowMembers {
  readonly title: string;
  readonly url: string;
  readonly date?: string;
  readonly image?: Wrapped;
  readonly snippets: readonly Wrapped[];
}

export interface Wrapped {
  readonly name: string;
  wrap?(value: string): unknown;
}

type Oddity = (row: Row, members: RowMembers, rows: readonly Row[]) => unknown;

/** Spellings of dates that vendors really send, and some that no vendor should send. */
export const ODD_DATES: readonly unknown[] = [
  '2025-07-31T00:00:00.000Z',
  '2024-03-26T16:57:55',
  '2025-01-09T08:30:00+02:00',
  '2023-11-02',
  'Nov 24, 2024',
  '2 weeks ago',
  'February 30, 2025',
  '2025-02-30',
  '',
  null,
  1718000000,
  'yesterday-ish',
  { year: 2024 },
];

const MARKUP =
  'A <strong>marked</strong> word &amp; an entity&#x27;s end, &quot;quoted&quot;, &lt;b&gt;shown&lt;/b&gt; <script>alert("x")</script> 3 &lt; 4';

function withSnippet(row: Row, members: RowMembers, value: unknown): Row {
  const changed: Record<string, unknown> = { ...row };
  for (const { name, wrap } of members.snippets) {
    if (!Object.hasOwn(row, name)) continue;
    changed[name] = typeof value === 'string' ? (wrap?.(value) ?? value) : value;
  }
  return changed;
}

function withImage(row: Row, members: RowMembers, value: string): Row {
  if (!members.image) return row;
  const { name, wrap } = members.image;
  return { ...row, [name]: wrap?.(value) ?? value };
}

function everyMember(row: Row, members: RowMembers, value: unknown): Row {
  const blank = Object.fromEntries(Object.keys(row).map((name) => [name, value]));
  return { ...blank, [members.url]: row[members.url] };
}

function withUrl(row: Row, members: RowMembers, change: (url: string) => unknown): Row {
  const url = row[members.url];
  return { ...row, [members.url]: change(typeof url === 'string' ? url : '') };
}

const TRACKING = 'utm_source=feed&utm_campaign=spring&gclid=abc123&fbclid=def456&page=2';

/** One oddity per row, in this order: readable rows and unusable ones take turns. */
const ODDITIES: readonly Oddity[] = [
  (row, members) => ({
    ...withSnippet(row, members, MARKUP),
    [members.title]: `  <b>${row[members.title]}</b>\n\n  &amp; more &#39;titles&#39;  `,
  }),
  () => null,
  (row, members) => withUrl(row, members, (url) => `${url.split('?')[0]}?${TRACKING}#:~:text=a`),
  (_row, members, rows) => withUrl(rows[2] ?? {}, members, (url) => `${url.split('?')[0]}?page=2`),
  (_row, members) => ({ [members.title]: 'A row without an address' }),
  (row, members) => withImage({ ...row, [members.title]: null }, members, '/static/cover.png'),
  (row, members) => withUrl(row, members, () => 'javascript:alert(1)'),
  (row, members) => ({
    ...withSnippet(row, members, { text: 'an object in place of text' }),
    [members.title]: 42,
  }),
  (row, members) => withUrl(row, members, () => 'ftp://files.example.org/archive.zip'),
  (row, members) => everyMember(row, members, null),
  (row, members) => withUrl(row, members, () => '/only/a/path'),
  (row, members) => everyMember(row, members, ''),
  () => 'a string in place of a row',
  (row) => ({
    ...row,
    surprise: { nested: [1, { deep: true }], text: 'never documented' },
  }),
  (row, members) => withUrl(row, members, () => 1234),
  (row, members) => withSnippet(row, members, [null, 3, { a: 1 }]),
  (row, members) =>
    withUrl(row, members, (url) =>
      url.replace(
        /^https:\/\/([^/?]+)/,
        (_whole, host: string) => `HTTPS://${host.toUpperCase()}:443/a/..`,
      ),
    ),
  (row, members) => ({
    ...row,
    [members.title]: 'Control \u0000 and lone \ud800 characters \u202e',
  }),
  (row, members) => ({ [members.url]: row[members.url] }),
  (row, members) => ({ ...row, [members.title]: 'long '.repeat(1_000) }),
];

/** How many rows it takes to see every oddity once. */
export const ODD_ROWS = ODDITIES.length;

/** The rows with one oddity each as far as they last; dates go through all spellings. */
export function oddRows(rows: readonly Row[], members: RowMembers): readonly unknown[] {
  return rows.map((row, index) => {
    const odd = ODDITIES[index]?.(row, members, rows) ?? (index < ODD_ROWS ? null : row);
    if (!isObject(odd) || members.date === undefined || !Object.hasOwn(odd, members.date)) {
      return odd;
    }
    return { ...odd, [members.date]: ODD_DATES[index % ODD_DATES.length] };
  });
}
