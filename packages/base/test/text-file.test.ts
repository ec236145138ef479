import { describe, expect, it } from 'vitest';
import { decodeText } from '../src/text/text-file.ts';

const TEXT = 'tidal power\r\nmarée 🌊\r\n';
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('a text that an editor wrote', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
  ])('is read in %s, without the mark', (_form, bytes) => {
    expect(decodeText(bytes)).toBe(TEXT);
  });

  it('may be empty', () => {
    expect(decodeText(Buffer.from(''))).toBe('');
  });

  it.each([
    ['UTF-16 without a mark', Buffer.from(TEXT, 'utf16le')],
    ['UTF-16 without a mark, high byte first', bigEndian(TEXT)],
    ['UTF-16, low byte first', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
    ['UTF-16, high byte first', bigEndian(`\ufeff${TEXT}`)],
    ['a NUL in UTF-8', Buffer.from('tidal\0power')],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
    ['Latin-1', Buffer.from('marée', 'latin1')],
    ['a picture', Buffer.from([0xff, 0xd8, 0x0a, 0xff])],
  ])('is refused as %s, with the remedy', (_form, bytes) => {
    expect(() => decodeText(bytes)).toThrow(/^is .*UTF-(?:8|16) text.*save it as UTF-8$/);
  });
});
