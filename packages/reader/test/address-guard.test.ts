import { describe, expect, test } from 'vitest';
import { BAD_PORTS, isForbiddenLiteral, targetFault } from '../src/download/address-guard.ts';
import { isForbiddenAddress } from '../src/download/forbidden-address.ts';
import {
  ADDRESS_FORMS,
  NO_URL_FORMS,
  PUBLIC_FORMS,
  SCHEME_FORMS,
  USER_FORMS,
} from './address-forms.ts';
import { allow, downloaderFor, namesOf, verdictOf } from './support.ts';

describe('forms of forbidden addresses', () => {
  test('each form is in the tables once', () => {
    const all = [...ADDRESS_FORMS, ...USER_FORMS, ...NO_URL_FORMS, ...SCHEME_FORMS];
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(350);
  });

  test.each(ADDRESS_FORMS)('%j is forbidden, and not fetched, without a look-up', async (form) => {
    expect(isForbiddenLiteral(new URL(form), [])).toBe(true);
    const names = namesOf({});
    const result = await downloaderFor({ resolve: names.resolve }).get(form);
    expect(verdictOf(result)).toMatch(/^forbidden_address (private_address|local_name|user_info)$/);
    expect(names.asked).toEqual([]);
  });

  test.each(USER_FORMS)('%j is not fetched for its user', async (form) => {
    expect(verdictOf(await downloaderFor().get(form))).toBe('forbidden_address user_info');
  });

  test.each(NO_URL_FORMS)('%j is not accepted as a URL', async (form) => {
    expect(() => new URL(form)).toThrow();
    expect(verdictOf(await downloaderFor().get(form))).toBe('target_error invalid_url');
  });

  test.each(SCHEME_FORMS)('%j is not fetched for its scheme', async (form) => {
    expect(verdictOf(await downloaderFor().get(form))).toBe('forbidden_address unsupported_scheme');
  });

  test.each([
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    '010.8.8.8',
    '8.8.8',
    '0x8.8.8.8',
    '8.8.8.8 ',
    '[2606:4700::1111]',
    'example.com',
    '',
  ])('%j, from a resolver, is forbidden: it is not a plain address', (answer) => {
    expect(isForbiddenAddress(answer)).toBe(true);
  });
});

describe('forms of public addresses', () => {
  test.each(PUBLIC_FORMS.addresses)('%s passes', (address) => {
    expect(isForbiddenAddress(address)).toBe(false);
    const host = address.includes(':') ? `[${address}]` : address;
    expect(targetFault(new URL(`https://${host}/`), [])).toBeNull();
  });

  test.each(PUBLIC_FORMS.urls)('%s passes', (url) => {
    expect(isForbiddenLiteral(new URL(url), [])).toBe(false);
    expect(targetFault(new URL(url), [])).toBeNull();
  });
});

describe('ports', () => {
  test.each([...BAD_PORTS])(
    '%i is refused, also to a host that is allowed on every port',
    (port) => {
      const url = new URL(`http://example.com:${port}/`);
      expect(targetFault(url, [])).toBe('bad_port');
      expect(targetFault(url, allow('example.com'))).toBe('bad_port');
      expect(isForbiddenLiteral(url, [])).toBe(false);
    },
  );

  test('a bad port opens only to the host and port that the operator named', () => {
    const allowed = allow('example.com:25');
    expect(targetFault(new URL('http://example.com:25/'), allowed)).toBeNull();
    expect(targetFault(new URL('http://example.com:110/'), allowed)).toBe('bad_port');
    expect(targetFault(new URL('http://www.example.com:25/'), allowed)).toBe('bad_port');
  });

  test.each([80, 443, 81, 3000, 8000, 8080, 8443, 9200, 65_535])('%i passes', (port) => {
    expect(targetFault(new URL(`http://example.com:${port}/`), [])).toBeNull();
  });
});
