import { describe, expect, test } from 'vitest';
import { createTurns } from '../src/threads/turns.ts';

const anyone = () => true;

function filled(items: Readonly<Record<string, readonly string[]>>) {
  const turns = createTurns<string>();
  for (const [callerId, own] of Object.entries(items)) {
    for (const item of own) turns.add(callerId, item, item.endsWith('!'));
  }
  return turns;
}

function drained(turns: ReturnType<typeof filled>, mayHave: (callerId: string) => boolean) {
  const taken: string[] = [];
  for (let item = turns.next(mayHave); item !== undefined; item = turns.next(mayHave))
    taken.push(item);
  return taken;
}

describe('callers take turns', () => {
  test('however much each of them has waiting', () => {
    const turns = filled({ a: ['a1', 'a2', 'a3', 'a4'], b: ['b1', 'b2'], c: ['c1'] });
    expect(drained(turns, anyone)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  test('one that comes later is not behind all waiting items', () => {
    const turns = filled({ a: ['a1', 'a2', 'a3'] });
    expect(turns.next(anyone)).toBe('a1');
    turns.add('b', 'b1', false);
    expect(drained(turns, anyone)).toEqual(['a2', 'b1', 'a3']);
  });

  test('one that may not have an item now is skipped and keeps its place', () => {
    const turns = filled({ a: ['a1', 'a2'], b: ['b1', 'b2'], c: ['c1'] });
    expect(turns.next((callerId) => callerId !== 'a')).toBe('b1');
    expect(drained(turns, anyone)).toEqual(['a1', 'c1', 'b2', 'a2']);
    expect(turns.next(anyone)).toBeUndefined();
  });

  test('projects first, however many keys each has', () => {
    const turns = filled({
      'a/1': ['a11', 'a12'],
      'a/2': ['a21'],
      'a/3': ['a31'],
      'b/1': ['b11', 'b12'],
    });
    expect(drained(turns, anyone)).toEqual(['a11', 'b11', 'a21', 'b12', 'a31', 'a12']);
    turns.add('a/1', 'a13', false);
    turns.remove('a/1', 'a13');
    expect([turns.size(), turns.next(anyone)]).toEqual([0, undefined]);
  });

  test('an urgent item is before other items of the same caller, but not of other callers', () => {
    const turns = filled({ a: ['a1', 'a2!', 'a3!'], b: ['b1'] });
    expect(drained(turns, anyone)).toEqual(['a2!', 'b1', 'a3!', 'a1']);
  });

  test('a removed item is never returned', () => {
    const turns = filled({ a: ['a1', 'a2'], b: ['b1'] });
    turns.remove('a', 'a1');
    turns.remove('b', 'b1');
    turns.remove('c', 'c1');
    expect(turns.items()).toEqual(['a2']);
    expect(drained(turns, anyone)).toEqual(['a2']);
  });
});
