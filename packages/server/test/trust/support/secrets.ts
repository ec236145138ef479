import { type DatabaseLocation, openDatabase } from '@trawl/database';
import { sql } from 'kysely';

/** Parts that no escaping changes, so a half redacted secret is found too. */
const PLAIN_PART = /[\w-]{8,}/g;

/**
 * A secret in every form in which it could leak: unchanged, escaped, encoded, or as a part of an
 * encoded text.
 */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const uri = encodeURIComponent(secret);
  const escaped = [
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll('/', '\\/'),
    json.replace(/[^\w-]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
    uri,
    encodeURIComponent(uri),
    uri.replace(/%../g, (hex) => hex.toLowerCase()),
    new URLSearchParams({ k: secret }).toString().slice(2),
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  ];
  const encoded = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // the first and the last characters depend on the neighbours
    const inner = text.slice(offset === 0 ? 0 : offset + 1).replace(/.?=*$/, '');
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const parts = secret.match(PLAIN_PART) ?? [];
  return [...new Set([secret, ...parts, ...escaped, ...encoded, bytes.toString('hex')])];
}

export type FormsOfSecrets = Readonly<Record<string, readonly string[]>>;

/** The secrets in a text, each with the form in which it was found and the text around it. */
export function secretsIn(text: string, secrets: FormsOfSecrets): readonly string[] {
  if (!mayHave(text, secrets)) return [];
  return Object.entries(secrets).flatMap(([name, forms]) => {
    const found = forms.map((form) => text.indexOf(form)).find((place) => place >= 0);
    return found === undefined
      ? []
      : [`${name}: …${text.slice(Math.max(0, found - 60), found + 80)}…`];
  });
}

/**
 * Whether some form of a secret is in a text, in one pass: to look for each of two thousand forms
 * by itself takes 9 of the 31 seconds of processor time that the test of secrets used.
 */
function mayHave(text: string, secrets: FormsOfSecrets): boolean {
  const { isStart, byMark } = startsOf(secrets);
  let mark = 0;
  for (let at = 0; at < text.length; at += 1) {
    mark = nextMark(mark, text.charCodeAt(at));
    if (isStart[mark] === 0) continue;
    const start = at + 1 - START;
    if (byMark.get(mark)?.some((form) => text.startsWith(form, start))) return true;
  }
  return false;
}

/** Characters that every form has at least. */
const START = 4;
const MARKS = 1 << (4 * START);

/** A number for the last four characters; others may have the same. */
const nextMark = (mark: number, code: number): number => ((mark << 4) ^ code) & (MARKS - 1);

/** The forms by the mark of their first characters. */
interface Starts {
  readonly isStart: Uint8Array;
  readonly byMark: ReadonlyMap<number, readonly string[]>;
}

const known = new WeakMap<FormsOfSecrets, Starts>();

function startsOf(secrets: FormsOfSecrets): Starts {
  const before = known.get(secrets);
  if (before) return before;
  const isStart = new Uint8Array(MARKS);
  const byMark = new Map<number, string[]>();
  for (const form of Object.values(secrets).flat()) {
    if (form.length < START) throw new Error(`a form of a secret is too short: ${form}`);
    const codes = Array.from({ length: START }, (_, at) => form.charCodeAt(at));
    const mark = codes.reduce(nextMark, 0);
    isStart[mark] = 1;
    byMark.set(mark, [...(byMark.get(mark) ?? []), form]);
  }
  const starts = { isStart, byMark };
  known.set(secrets, starts);
  return starts;
}

/** Every value of every table as text: one character for each byte, and runs also unpacked. */
export async function dumpDatabase(location: DatabaseLocation): Promise<Map<string, string>> {
  const { db, isEmbedded } = openDatabase(location, { connections: 1 });
  const names = isEmbedded
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
    : sql<{
        name: string;
      }>`select tablename as name from pg_tables where schemaname = current_schema()`;
  const tables = (await names.execute(db)).rows;
  const dump = new Map<string, string>();
  for (const table of tables) {
    const { rows } = await sql<
      Record<string, unknown>
    >`select * from ${sql.table(table.name)}`.execute(db);
    dump.set(table.name, rows.flatMap((row) => Object.values(row).map(textOf)).join('\n'));
  }
  await db.destroy();
  return dump;
}

function textOf(value: unknown): string {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('latin1');
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}
