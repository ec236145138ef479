import { describe, expect, test } from 'vitest';
import { type Press, pressName } from '../../src/keys/hotkey.ts';

const press = (change: Partial<Press>): Press => ({
  key: 'k',
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  defaultPrevented: false,
  ...change,
});

describe('the name of a press', () => {
  test.each([
    [{}, 'k'],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: 'J', shiftKey: true }, 'Shift+J'],
    [{ key: 'Escape' }, 'Escape'],
    [{ metaKey: true }, 'mod+k'],
    [{ ctrlKey: true, key: 'K' }, 'mod+k'],
    [{ ctrlKey: true, key: 'Enter' }, 'mod+Enter'],
  ])('%j is %s', (change, name) => {
    expect(pressName(press(change))).toBe(name);
  });

  test.each([
    ['AltGr, which only types a character', { ctrlKey: true, altKey: true, key: '/' }],
    ['Alt', { altKey: true }],
    ['an input method at work', { isComposing: true }],
    ['one that something else has handled', { defaultPrevented: true }],
  ])('is missing for %s', (_, change) => {
    expect(pressName(press(change))).toBeUndefined();
  });
});
