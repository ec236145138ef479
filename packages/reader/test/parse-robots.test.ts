import { describe, expect, test } from 'vitest';
import { isAllowedByRobots, parseRobots } from '../src/robots/parse-robots.ts';

const allows = (text: string, path: string, token = 'trawl'): boolean =>
  isAllowedByRobots(parseRobots(text, token), new URL(path, 'https://www.example.com'));

/** The rules for all crawlers, one per line. */
const forAll = (...rules: string[]): string => ['user-agent: *', ...rules].join('\n');

describe('the group', () => {
  const text = [
    'User-Agent: *',
    'Disallow: /all',
    '',
    'User-agent: other',
    'User-agent: Trawl # in any case',
    'Sitemap: https://www.example.com/map.xml',
    'Disallow: /two',
    '',
    'user-agent : TRAWL/1.0',
    'disallow : /again',
  ].join('\n');

  test.each([
    ['/all', 'trawl', true],
    ['/two', 'trawl', false],
    ['/again', 'trawl', false],
    ['/two', 'other', false],
    ['/again', 'other', true],
    ['/all', 'unnamed', false],
    ['/two', 'unnamed', true],
    ['/two', 'traw', true],
    ['/two', 'trawler', true],
  ])('for %s and %s: %j', (path, token, expected) => {
    expect(allows(text, path, token)).toBe(expected);
  });

  test('that names us without a rule allows everything', () => {
    expect(allows('user-agent: *\ndisallow: /\n\nuser-agent: trawl\ndisallow:', '/a')).toBe(true);
  });

  test('without an agent is ignored', () => {
    expect(allows('disallow: /\nuser-agent: other\ndisallow: /', '/a')).toBe(true);
  });
});

/** Most of these are from RFC 9309, section 2.2. */
describe('a rule', () => {
  test.each([
    ['/fish', '/fish', true],
    ['/fish', '/fishheads/yummy.html', true],
    ['/fish', '/Fish', false],
    ['/fish', '/catfish', false],
    ['/fish/', '/fish', false],
    ['/fish/', '/fish/?id=1', true],
    ['/*.php', '/folder/filename.php?parameters', true],
    ['/*.php$', '/folder/filename.php', true],
    ['/*.php$', '/filename.php?parameters', false],
    ['/fish*.php', '/fishheads/catfish.php?parameters', true],
    ['/a$b', '/a$b', true],
    ['/a$b', '/a', false],
    ['/$', '/', true],
    ['/$', '/page', false],
    ['/a*a$', '/a', false],
    ['/a*a$', '/aba', true],
    ['/*ab*ab$', '/ab', false],
    ['*', '/x', true],
    ['*$', '/x', true],
    ['/path/file-with-a-%2A.html', '/path/file-with-a-*.html', true],
    ['/path/file-with-a-%2A.html', '/path/file-with-a-b.html', false],
    ['/path/foo-%24', '/path/foo-$', true],
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz', true],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar', false],
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84', true],
    ['/foo/bar/%e3%83%84', '/foo/bar/ツ', true],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz', true],
    ['/foo/bar/~', '/foo/bar/%7E', true],
    ['/a%2fb', '/a/b', false],
    ['/a%2fb', '/a%2Fb', true],
    ['fish', '/fish', false],
  ])('%s matches %s: %j', (pattern, path, expected) => {
    expect(allows(forAll(`disallow: ${pattern}`), path)).toBe(!expected);
  });

  test('that is longer beats a shorter one, whatever their order', () => {
    for (const rules of [
      ['disallow: /', 'allow: /p'],
      ['allow: /p', 'disallow: /'],
    ]) {
      expect(allows(forAll(...rules), '/page')).toBe(true);
      expect(allows(forAll(...rules), '/other')).toBe(false);
    }
    expect(allows(forAll('allow: /page', 'disallow: /*.htm'), '/page.htm')).toBe(false);
  });

  test('that allows wins over an equally long one', () => {
    expect(allows(forAll('disallow: /folder', 'allow: /folder'), '/folder/page')).toBe(true);
    expect(allows(forAll('allow: /folder', 'disallow: /folder'), '/folder/page')).toBe(true);
  });

  test('is never about the robots.txt itself', () => {
    expect(allows(forAll('disallow: /'), '/robots.txt')).toBe(true);
    expect(allows(forAll('disallow: /'), '/')).toBe(false);
  });
});

test.each(['\n', '\r', '\r\n'])('lines may end in %j', (end) => {
  const text = ['user-agent: *', '# a remark', 'disallow: /a # and another', 'allow: /a/b'];
  expect(allows(text.join(end), '/a')).toBe(false);
  expect(allows(text.join(end), '/a/b')).toBe(true);
});

test.each(['', '<!doctype html><title>No such page</title>', '\0\0\0', ':::\n::', 'user-agent: *'])(
  'a file that is not a robots.txt allows everything: %j',
  (text) => {
    expect(allows(text, '/a')).toBe(true);
  },
);

test('hostile patterns take hardly any time', () => {
  const stars = `disallow: /${'*a'.repeat(50_000)}b`;
  const repeated = Array.from({ length: 200 }, () => `disallow: /*${'a'.repeat(1_000)}b`);
  expect(allows(forAll(stars, ...repeated), `/${'a'.repeat(2_000)}`)).toBe(true);
});
