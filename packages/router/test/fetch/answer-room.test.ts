import { expect, test } from 'vitest';
import { createAnswerRoom } from '../../src/fetch/answer-room.ts';

const page = (content: string) => ({ url: 'https://example.com/', content }) as never;

test('the pages of one answer have 64 MiB in all, in whatever language they are written', () => {
  const mebibytes = 1024 * 1024;
  for (const [letter, bytes] of [
    ['a', 1],
    ['я', 2],
    ['漢', 3],
  ] as const) {
    const room = createAnswerRoom();
    const half = page(letter.repeat(Math.floor((31 * mebibytes) / bytes)));
    expect([room.take(half), room.take(half), room.take(half)]).toEqual([true, true, false]);
  }
});
