import { TextDecoder } from '@exodus/bytes/encoding.js';

/** Encodes text in a character set that only has a decoder, by inverting the decoder's table. */
export function encode(text: string, charset: string): Uint8Array {
  const bytesOf = tableOf(charset);
  return new Uint8Array(
    [...text].flatMap((character) => {
      const bytes = bytesOf.get(character);
      if (!bytes) throw new Error(`${character} is not in ${charset}`);
      return bytes;
    }),
  );
}

const tables = new Map<string, Map<string, readonly number[]>>();

function tableOf(charset: string): Map<string, readonly number[]> {
  const known = tables.get(charset);
  if (known) return known;
  const decoder = new TextDecoder(charset);
  const table = new Map<string, readonly number[]>();
  const learn = (...bytes: readonly number[]): void => {
    const character = decoder.decode(new Uint8Array(bytes));
    if ([...character].length === 1 && character !== '\ufffd' && !table.has(character))
      table.set(character, bytes);
  };
  for (let first = 0; first < 256; first += 1) learn(first);
  for (let first = 0x81; first < 255; first += 1) {
    for (let second = 0x40; second < 255; second += 1) learn(first, second);
  }
  tables.set(charset, table);
  return table;
}
