import { describe, expect, test } from 'vitest';
import { safeRedirect } from '../../src/url-state/redirect.ts';
import {
  flag,
  oneOf,
  optional,
  parseSearch,
  readValues,
  sortOf,
  stringifySearch,
  text,
  whole,
  withValues,
} from '../../src/url-state/url-state.ts';

const STATE = {
  q: text(),
  peek: optional(),
  status: oneOf(['all', 'failed'], 'all'),
  page: whole(1, { min: 1, max: 9 }),
  live: flag(),
  sort: sortOf(['name', 'cost'], { key: 'cost', isDescending: true }),
};
const NOTHING = {
  q: '',
  peek: null,
  status: 'all',
  page: 1,
  live: false,
  sort: { key: 'cost', isDescending: true },
};

describe('the state of a page in its address', () => {
  test('is written and read back', () => {
    const state = {
      q: 'a b & c=d',
      peek: 'x/y',
      status: 'failed',
      page: 3,
      live: true,
      sort: { key: 'name', isDescending: false },
    } as const;
    const address = stringifySearch(withValues(STATE, {}, state));
    expect(readValues(STATE, parseSearch(address))).toEqual(state);
  });

  test('is short where nothing was chosen, and keeps what belongs to others', () => {
    expect(readValues(STATE, {})).toEqual(NOTHING);
    const search = parseSearch('?q=a&other=1&status=failed');
    expect(stringifySearch(withValues(STATE, search, { q: '', status: 'all' }))).toBe('?other=1');
    expect(stringifySearch({})).toBe('');
  });

  test.each([
    ['page=0', 'page'],
    ['page=ten', 'page'],
    ['page=1e3', 'page'],
    ['status=none', 'status'],
    ['sort=-colour', 'sort'],
    ['live=yes', 'live'],
  ] as const)('ignores what it cannot read: %s', (written, name) => {
    expect(readValues(STATE, parseSearch(written))[name]).toEqual(NOTHING[name]);
  });
});

describe('the page after a sign-in', () => {
  test.each([
    ['/console/p/1/keys?q=a#b', '/p/1/keys?q=a#b'],
    ['/console', '/'],
    ['/console/sign-in?redirect=/console', '/'],
    ['https://attacker.example/console/keys', '/'],
    ['//attacker.example/console', '/'],
    ['/\\attacker.example/console', '/'],
    ['/consoles/x', '/'],
    ['/console/../docs', '/'],
    ['javascript:alert(1)', '/'],
    [undefined, '/'],
  ])('%s leads to %s', (written, path) => {
    expect(safeRedirect(written)).toBe(path);
  });
});
