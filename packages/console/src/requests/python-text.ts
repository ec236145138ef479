import { UNSEEN } from './shell-words.ts';

/**
 * A value of JSON as Python writes it, over several lines. Characters that nobody sees are escaped.
 * Members without a value are left out, as in JSON.
 */
export function pythonText(value: unknown, indent = ''): string {
  const inner = `${indent}    `;
  const lines = (items: readonly string[]) => items.map((item) => `${inner}${item},\n`).join('');
  if (typeof value === 'string') return pythonString(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${lines(value.map((item) => pythonText(item, inner)))}${indent}]`;
  }
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'number' && Number.isFinite(value) ? JSON.stringify(value) : 'None';
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return '{}';
  const written = members.map(([key, each]) => `${pythonString(key)}: ${pythonText(each, inner)}`);
  return `{\n${lines(written)}${indent}}`;
}

/** The escapes of JSON mean the same there, but a pair of them is two characters. */
const pythonString = (text: string): string =>
  JSON.stringify(text).replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const [letter, digits] = code > 0xffff ? ['U', 8] : ['u', 4];
    return `\\${letter}${code.toString(16).padStart(digits, '0')}`;
  });
