import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { absoluteUrl, comparableUrl } from '../src/index.ts';

const normalizeUrl = (url: string) => comparableUrl(url)?.url ?? null;

describe('result URLs are comparable', () => {
  test.each([
    ['HTTPS://EXAMPLE.Org:443/A', 'https://example.org/A'],
    ['http://example.org:80', 'http://example.org/'],
    ['http://example.org:8080/', 'http://example.org:8080/'],
    ['https://www.example.org/a/', 'https://www.example.org/a/'],
    ['https://example.org/a/../b/./c', 'https://example.org/b/c'],
    ['https://example.org/a#top', 'https://example.org/a'],
    ['https://example.org/a#:~:text=b', 'https://example.org/a'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://example.org/a?utm_source=x&b=2&a=1&UTM_Medium=y', 'https://example.org/a?b=2&a=1'],
    ['https://example.org/?gclid=1', 'https://example.org/'],
    ['https://example.org/?', 'https://example.org/'],
    ['https://example.org/?fbclid=1&msclkid=2&mc_cid=3&mc_eid=4&igshid=5', 'https://example.org/'],
    ['https://example.org/?q=a%20b+c&&d', 'https://example.org/?q=a%20b+c&&d'],
    ['https://example.org/?utmost=1', 'https://example.org/?utmost=1'],
    ['https://example.org/a?utm%5Fsource=x&b=%7E', 'https://example.org/a?b=~'],
    ['  https://example.org/a  ', 'https://example.org/a'],
  ])('%s', (url, expected) => {
    expect(normalizeUrl(url)).toBe(expected);
    expect(normalizeUrl(expected)).toBe(expected);
  });

  test.each([
    '',
    '/a',
    'example.org',
    'ftp://example.org/',
    'javascript:alert(1)',
    'http://',
    'data:,x',
  ])('%j is not usable', (url) => {
    expect(normalizeUrl(url)).toBeNull();
  });

  test('a relative image is resolved against its page, and a value that is not an http address is dropped', () => {
    expect(absoluteUrl('/i.png', 'https://example.org/a/b')).toBe('https://example.org/i.png');
    expect(absoluteUrl('//cdn.example.org/i.png', 'https://example.org/')).toBe(
      'https://cdn.example.org/i.png',
    );
    expect(absoluteUrl('/i.png', null)).toBeNull();
    expect(absoluteUrl('data:image/png;base64,AA', 'https://example.org/')).toBeNull();
    expect(absoluteUrl(5, 'https://example.org/')).toBeNull();
  });
});

describe('addresses that need no parsing', () => {
  const pieces = fc.constantFrom(
    ...[
      'a',
      'B',
      'site-1',
      'xn--',
      '1',
      '0x1',
      '.',
      '..',
      '%2e',
      '%20',
      '/',
      '//',
      '?',
      '#',
      ':',
      '@',
      '-',
      '_',
      '~',
    ],
    ...[
      "'",
      '"',
      '|',
      '^',
      '\\',
      'é',
      ' ',
      'utm_source=x',
      'q=1',
      '&',
      '=',
      'com',
      'localhost',
      '[',
      '`',
      '{',
      '\t',
    ],
  );
  const addresses = fc
    .tuple(
      fc.constantFrom('http://', 'https://', 'HTTPS://', 'https:/', 'ftp://'),
      fc.constantFrom(
        'a.example',
        'site-1.b.org',
        'A.example',
        '1.2.3.4',
        'a.xn--p1ai',
        'a.b:80',
        'u@a.example',
        '',
      ),
      fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
    )
    .map((parts) => parts.join(''));
  /** The parser reads this one, since it writes the scheme in lower case. */
  const changed = (text: string): string =>
    text.replace(/^https?:/, (scheme) => scheme.toUpperCase());

  test('are returned as the parser would', () => {
    const check = (text: string) => {
      expect(absoluteUrl(text, undefined)).toBe(absoluteUrl(changed(text), undefined));
      expect(comparableUrl(text)).toEqual(comparableUrl(changed(text)));
    };
    fc.assert(fc.property(addresses, check), { numRuns: 10_000 });
  });

  test.each(['https://a.example/', 'https://site-1.example.org/articles/tidal-power?page=1'])(
    '%s',
    (text) => {
      expect(comparableUrl(text)).toEqual({ url: text, domain: new URL(text).hostname });
      expect(absoluteUrl(text, undefined)).toBe(text);
    },
  );
});
