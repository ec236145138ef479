import { describe, expect, test } from 'vitest';
import { targetFault } from '../src/download/address-guard.ts';
import { parseAllowedHosts } from '../src/download/allowed-hosts.ts';
import { allow } from './support.ts';

describe('the list of allowed hosts', () => {
  test.each([
    ['', []],
    [' , ', []],
    ['wiki.lan', [{ hostname: 'wiki.lan', port: null }]],
    ['Wiki.LAN.:8080', [{ hostname: 'wiki.lan', port: 8080 }]],
    ['localhost:80', [{ hostname: 'localhost', port: 80 }]],
    ['my_nas.home', [{ hostname: 'my_nas.home', port: null }]],
    ['bücher.lan', [{ hostname: 'xn--bcher-kva.lan', port: null }]],
    ['0x7f.1:81', [{ hostname: '127.0.0.1', port: 81 }]],
    [
      '10.0.0.1:443, [FD00:0::1] ,[::1]:8080,',
      [
        { hostname: '10.0.0.1', port: 443 },
        { hostname: 'fd00::1', port: null },
        { hostname: '::1', port: 8080 },
      ],
    ],
  ])('%j is read', (text, value) => {
    expect(parseAllowedHosts(text)).toEqual({ value });
  });

  test.each([
    'http://wiki.lan',
    'wiki.lan/path',
    'wiki.lan:',
    'wiki.lan:0',
    'wiki.lan:65536',
    'wiki.lan:http',
    'me@wiki.lan',
    '*.lan',
    '*',
    '10.0.0.0/8',
    'fd00::1',
    '::1',
    '[::1',
    '[fe80::1%eth0]',
    '[wiki.lan]',
    '10.0.0.256',
    'wiki lan',
    'a.lan;b.lan',
    '.',
    ':8080',
  ])('%j is refused by its place, not repeated', (entry) => {
    expect(parseAllowedHosts(`fine.lan, ${entry}`)).toEqual({
      problem: expect.stringMatching(/^must be a comma list of host.*entry 2 is not$/),
    });
  });
});

describe('an allowed host', () => {
  test.each([
    ['10.0.0.5:8080', 'http://10.0.0.5:8080/', null],
    ['10.0.0.5:8080', 'http://0xa.5:8080/', null],
    ['10.0.0.5:8080', 'http://10.0.0.5:8081/', 'private_address'],
    ['10.0.0.5:8080', 'http://10.0.0.5/', 'private_address'],
    ['10.0.0.5:80', 'http://10.0.0.5/', null],
    ['10.0.0.5:443', 'https://10.0.0.5/', null],
    ['10.0.0.5:443', 'http://10.0.0.5/', 'private_address'],
    ['10.0.0.5', 'http://10.0.0.5:9999/', null],
    ['10.0.0.5', 'http://10.0.0.6/', 'private_address'],
    ['10.0.0.5', 'http://[::ffff:10.0.0.5]/', 'private_address'],
    ['[::1]:8080', 'http://[0:0::1]:8080/', null],
    ['[::1]:8080', 'http://localhost:8080/', 'local_name'],
    ['wiki.lan', 'http://WIKI.lan./', null],
    ['wiki.lan', 'http://www.wiki.lan/', 'local_name'],
    ['wiki.lan', 'http://evil-wiki.lan/', 'local_name'],
    ['wiki.lan', 'http://me@wiki.lan/', 'user_info'],
    ['wiki.lan', 'ftp://wiki.lan/', 'unsupported_scheme'],
  ])('%s judges %s: %s', (allowed, url, reason) => {
    expect(targetFault(new URL(url), allow(allowed))).toBe(reason);
  });
});
