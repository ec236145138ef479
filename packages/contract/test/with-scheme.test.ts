import { expect, it } from 'vitest';
import { withScheme } from '../src/values/with-scheme.ts';

it.each(['example.com', 'Example.com/a?b=c#d', 'sub.example.com:8080/a', '192.0.2.1/page'])(
  '%s is a page of https',
  (text) => {
    expect(withScheme(text)).toBe(`https://${text}`);
  },
);

it.each([
  'https://example.com',
  'ftp://example.com',
  'mailto:ada@example.com',
  'ada@example.com',
  'javascript:alert(1)',
  'localhost:3000',
  '/example.com',
  'a b.example',
  'tides',
  '',
])('%j is left as it is', (text) => {
  expect(withScheme(text)).toBeUndefined();
});
