import { afterEach, expect, test, vi } from 'vitest';
import { note, print } from '../../src/terminal/output.ts';

const GIVEN = 'A \u001b[31mred\u001b[39m title\u001b]0;owned\u0007\u001b[2J\u009b2J\r\n\ttext\n';

const written: string[] = [];
/** Standard output and standard error are what a command writes to. */
function watch(stream: NodeJS.WriteStream, isTTY: boolean): void {
  vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  vi.spyOn(stream, 'isTTY', 'get').mockReturnValue(isTTY);
}
afterEach(() => {
  vi.restoreAllMocks();
  written.length = 0;
  for (const stream of [process.stdout, process.stderr]) Reflect.deleteProperty(stream, 'isTTY');
});

test('a terminal gets no character that it would obey, but for colours', () => {
  for (const stream of [process.stdout, process.stderr]) {
    Object.defineProperty(stream, 'isTTY', { configurable: true, get: () => false });
    watch(stream, true);
  }
  print(GIVEN);
  note(GIVEN);
  const shown = 'A \u001b[31mred\u001b[39m title]0;owned[2J2J\n\ttext\n';
  expect(written).toEqual([shown, shown]);
});

test('a pipe gets the text as it is', () => {
  Object.defineProperty(process.stdout, 'isTTY', { configurable: true, get: () => false });
  watch(process.stdout, false);
  print(GIVEN);
  expect(written).toEqual([GIVEN]);
});
