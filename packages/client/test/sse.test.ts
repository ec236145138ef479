import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEventParser, type ServerSentEvent } from '../src/http/sse.ts';

/** The events of a stream that arrives in these pieces. */
function parsed(...pieces: readonly string[]): ServerSentEvent[] {
  const parse = createEventParser();
  return pieces.flatMap((piece) => parse(piece));
}

describe('server-sent events', () => {
  test('an event has a name and data; one without a name is a message', () => {
    expect(parsed('event: run\ndata: {"a":1}\n\ndata: x\n\n')).toEqual([
      { event: 'run', data: '{"a":1}' },
      { event: 'message', data: 'x' },
    ]);
  });

  test('data of several lines is joined by line feeds', () => {
    expect(parsed('data: one\ndata:\ndata:three\n\n')).toEqual([
      { event: 'message', data: 'one\n\nthree' },
    ]);
  });

  test('the first space after the colon is removed, a second one belongs to the value', () => {
    expect(parsed('data:  x \n\n')).toEqual([{ event: 'message', data: ' x ' }]);
  });

  test('comments, unknown fields and events without data are ignored', () => {
    expect(parsed(': keep-alive\n\nid: 4\nretry: 10\nevent: empty\n\ndata: x\nother\n\n')).toEqual([
      { event: 'message', data: 'x' },
    ]);
  });

  test('a name does not carry over to the next event', () => {
    expect(parsed('event: a\n\ndata: x\n\n')).toEqual([{ event: 'message', data: 'x' }]);
  });

  test.each(['\n', '\r\n', '\r'])('lines may end with %j', (ending) => {
    const lines = ['event: run', 'data: 1', 'data: 2', '', 'data: 3', '', ''];
    expect(parsed(lines.join(ending))).toEqual([
      { event: 'run', data: '1\n2' },
      { event: 'message', data: '3' },
    ]);
  });

  test('a byte order mark at the beginning is ignored', () => {
    expect(parsed('\uFEFFdata: x\n\n')).toEqual([{ event: 'message', data: 'x' }]);
  });

  test('an unfinished event is dropped', () => {
    expect(parsed('data: x\n\ndata: y\n')).toEqual([{ event: 'message', data: 'x' }]);
  });

  test('it does not matter where a stream is cut', () => {
    const text =
      '\uFEFF: hello\r\n\r\nevent: run\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata: ü€😀\n\nevent: done\rdata: 2\r\r';
    const whole = parsed(text);
    expect(whole).toHaveLength(3);
    const cuts = fc.array(fc.nat({ max: text.length }), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (places) => {
        const edges = [0, ...places.sort((a, b) => a - b), text.length];
        const pieces = edges.slice(1).map((end, index) => text.slice(edges[index], end));
        expect(parsed(...pieces)).toEqual(whole);
      }),
    );
    expect(parsed(...text)).toEqual(whole);
  });

  test('a large event in small pieces takes time in proportion to its length', () => {
    const secondsFor = (characters: number): number => {
      const parse = createEventParser();
      const startedAt = performance.now();
      parse('data: ');
      for (let sent = 0; sent < characters; sent += 1000) parse('x'.repeat(1000));
      expect(parse('\n\n')[0]?.data).toHaveLength(characters);
      return (performance.now() - startedAt) / 1000;
    };
    secondsFor(1_000_000);
    // quadratic time would be minutes
    expect(secondsFor(32_000_000)).toBeLessThan(5);
  });
});
