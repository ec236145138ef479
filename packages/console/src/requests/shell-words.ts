/**
 * Characters that move the cursor, end a line or turn the direction of text: never written as they
 * are into a command.
 */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * One word of a POSIX shell with exactly this text. A text with unseen characters is written for
 * bash and zsh.
 */
export function shellWord(text: string): string {
  if (/^[\w./:=@%+,-]+$/.test(text)) return text;
  if (text.search(UNSEEN) < 0) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return `$'${escaped.replace(UNSEEN, octets)}'`;
}

/**
 * The UTF-8 bytes of a character as octal escapes, which take exactly three digits and so cannot
 * swallow what follows.
 */
const octets = (character: string): string =>
  // a shell cannot pass on a NUL, and half a surrogate pair has no bytes
  [...new TextEncoder().encode(character === '\u0000' ? '\ufffd' : character)]
    .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
    .join('');

/** JSON with the unseen characters escaped, so that it can be shown and pasted. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(UNSEEN, (character) =>
    // line breaks are those of the indentation: inside of strings they are escaped already
    character === '\n' ? '\n' : character.split('').map(jsonEscape).join(''),
  );

const jsonEscape = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
