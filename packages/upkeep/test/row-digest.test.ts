import { describe, expect, it } from 'vitest';
import {
  type ColumnKind,
  createRowDigest,
  type PlainValue,
  plainRow,
  sizeOf,
} from '../src/move/moved-tables.ts';

const plainValue = (kind: ColumnKind, value: unknown) => {
  const table = { name: 'runs', key: ['id'], columns: [{ name: 'value', kind }] };
  return plainRow(table, { value })[0];
};

const digestOf = (...rows: readonly (readonly PlainValue[])[]) => {
  const digest = createRowDigest();
  for (const row of rows) digest.add(row);
  return digest.end();
};

describe('the digest of rows', () => {
  it('differs for another value in any column, of another kind, or at another place', () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const others: readonly (readonly (readonly PlainValue[])[])[] = [
      [['a', 1, 'b']],
      [['x', 1, 'b']],
      [['a', 2, 'b']],
      [['a', 1, 'x']],
      [['a', '1', 'b']],
      [['a', null, 'b']],
      [['a', 1, bytes('b')]],
      [['a1', 1, 'b']],
      [['a', 11, 'b']],
      [['a', 1], ['b']],
      [['b', 1, 'a']],
      [['a', 1, 'b'], ['c']],
      [['c'], ['a', 1, 'b']],
      [['a', 1, '']],
      [],
    ];
    const digests = others.map((rows) => JSON.stringify(digestOf(...rows)));
    expect(new Set(digests).size).toBe(others.length);
    expect(digestOf(['a', 1, 'b'])).toEqual(digestOf(['a', 1, 'b']));
    expect(digestOf(['a'], ['b'], ['c']).rows).toBe(3);
  });
});

describe('the values of rows', () => {
  it('are the same from either database', () => {
    expect([plainValue('truth', true), plainValue('truth', 1), plainValue('truth', false)]).toEqual(
      [1, 1, 0],
    );
    const moment = '2026-01-02T03:04:05.600Z';
    expect([
      plainValue('moment', new Date(moment)),
      plainValue('moment', '2026-01-02T03:04:05.6Z'),
    ]).toEqual([moment, moment]);
    const bytes = new Uint8Array([195, 169]);
    expect(Buffer.from(bytes).equals(plainValue('bytes', 'é') as Uint8Array)).toBe(true);
    expect(plainValue('bytes', bytes)).toBe(bytes);
    expect([
      plainValue('text', undefined),
      plainValue('number', null),
      plainValue('number', 7),
    ]).toEqual([null, null, 7]);
  });

  it('of another kind are refused with their column', () => {
    const table = {
      ...{ name: 'runs', key: ['id'] },
      columns: [
        { name: 'id', kind: 'text' as const },
        { name: 'position', kind: 'number' as const },
      ],
    };
    expect(plainRow(table, { position: 3, id: 'a', other: 1 })).toEqual(['a', 3]);
    expect(() => plainRow(table, { id: 'a', position: 1.5 })).toThrow(
      'runs.position: a value is not a number',
    );
    expect(() => plainRow(table, { id: 5, position: 1 })).toThrow('runs.id: ');
    expect(() => plainValue('truth', 2)).toThrow('not a truth');
    expect(() => plainValue('moment', 'yesterday')).toThrow('not a moment');
  });

  it('take about as many bytes as their texts', () => {
    expect(sizeOf(['abc', 1, null, new Uint8Array(5)])).toBe(3 + 8 + 8 + 5);
  });
});
