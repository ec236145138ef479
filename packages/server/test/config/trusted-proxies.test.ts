import { createClientAddress } from '@trawl/base';
import { createDeployment } from '@trawl/router';
import { describe, expect, it, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { deploymentWarnings } from '../../src/config/deployment-warnings.ts';

const PROXIES = '10.0.0.0/8, 192.0.2.7,fd00::/8,2001:db8::7, ::ffff:172.16.0.0/108';

const addressBy = (proxies: string | undefined) =>
  createClientAddress(readConfig({ TRUSTED_PROXIES: proxies }).trustedProxies);

describe('the address of a client', () => {
  it.each([
    ['of a peer that is not listed', '198.51.100.1', '203.0.113.1', '198.51.100.1'],
    ['without the header', '10.0.0.1', null, '10.0.0.1'],
    ['behind one proxy', '10.0.0.1', '203.0.113.1', '203.0.113.1'],
    ['behind two', '10.0.0.1', '203.0.113.1, 192.0.2.7', '203.0.113.1'],
    ['that sent the header itself', '10.0.0.1', '203.0.113.9, 203.0.113.1', '203.0.113.1'],
    ['that named a proxy', '10.0.0.1', '10.0.0.2, 203.0.113.1', '203.0.113.1'],
    ['within the network of the proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['behind a proxy of IPv6', 'fd00::1', '2001:DB8:0::1', '2001:db8::1'],
    ['behind a listed address of IPv6', '2001:db8:0::7', '2001:db8::8', '2001:db8::8'],
    ['behind a mapped proxy', '::ffff:10.0.0.1', '::ffff:cb00:7101', '203.0.113.1'],
    ['behind a proxy that is listed as mapped', '172.16.3.4', '203.0.113.1', '203.0.113.1'],
    ['that is mapped itself', '::ffff:198.51.100.1', '203.0.113.1', '198.51.100.1'],
    ['with a zone', 'fe80::1%eth0', null, 'fe80::1'],
    ['with a port', '10.0.0.1', '203.0.113.1:4711', '203.0.113.1'],
    ['in brackets', '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['in brackets with a port', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['in blanks', '10.0.0.1', ' \t203.0.113.1 ', '203.0.113.1'],
    ['that is unknown', '10.0.0.1', '203.0.113.1, unknown', '10.0.0.1'],
    ['that is empty', '10.0.0.1', '203.0.113.1,', '10.0.0.1'],
    ['that is a name', '10.0.0.1', '203.0.113.1, localhost, 10.0.0.2', '10.0.0.2'],
    ['in an open bracket', '10.0.0.1', '[2001:db8::1', '10.0.0.1'],
    ['with a text as port', '10.0.0.1', '203.0.113.1:x', '10.0.0.1'],
    ['with a long port', '10.0.0.1', '203.0.113.1:123456', '10.0.0.1'],
    ['that is a number', '10.0.0.1', '3405803777', '10.0.0.1'],
    ['with a line break', '10.0.0.1', '203.0.113.1\n', '203.0.113.1'],
  ])('%s', (_, peer, forwarded, expected) => {
    expect(addressBy(PROXIES)(peer, forwarded)).toBe(expected);
  });

  it('is that of the connection while no proxy is listed', () => {
    expect(addressBy(undefined)('127.0.0.1', '203.0.113.1')).toBe('127.0.0.1');
    expect(addressBy(PROXIES)(undefined, '203.0.113.1')).toBeNull();
  });

  it('is looked for in the last twenty entries only', () => {
    const proxies = (count: number) => Array.from({ length: count }, (_, n) => `10.0.1.${n}`);
    const header = (count: number) => ['203.0.113.1', ...proxies(count)].join(',');
    expect(addressBy(PROXIES)('10.0.0.1', header(19))).toBe('203.0.113.1');
    expect(addressBy(PROXIES)('10.0.0.1', header(20))).toBe('10.0.1.0');
    const long = `203.0.113.1,${'10.0.1.1,'.repeat(1_000_000)}10.0.1.2`;
    expect(addressBy(PROXIES)('10.0.0.1', long)).toBe('10.0.1.1');
    expect(addressBy(PROXIES)('10.0.0.1', 'x'.repeat(10_000_000))).toBe('10.0.0.1');
  });
});

test.each([
  'localhost',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  'fd00::/129',
  '10.0.0',
  '10.0.0.1:80',
  '[::1]',
  ',',
  '10.0.0.1;10.0.0.2',
  '0.0.0.0/0',
  '::/0',
  '::ffff:0.0.0.0/96',
])('TRUSTED_PROXIES=%s stops the start with one line', (text) => {
  try {
    readConfig({ TRUSTED_PROXIES: `10.0.0.1, ${text}` });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).problems).toEqual([
      'TRUSTED_PROXIES must be a comma list of addresses or ranges such as 10.0.0.7, 10.0.0.0/8 or fd00::/8, without names and ports; a range of all addresses would trust everyone',
    ]);
  }
});

test('the start warns when a proxy is in front and none is listed', () => {
  const warnings = (env: Record<string, string>) => {
    const config = readConfig(env);
    return deploymentWarnings(config, createDeployment(config)).filter((line) =>
      line.includes('TRUSTED_PROXIES'),
    );
  };
  const proxied = { PUBLIC_URL: 'https://trawl.example.com' };
  expect(warnings(proxied)).toEqual([
    "PUBLIC_URL is https, so a proxy is in front of this server, but TRUSTED_PROXIES does not name it: for the console's limits and its audit log all people have the address of the proxy",
  ]);
  expect(warnings({ ...proxied, TRUSTED_PROXIES: '127.0.0.1' })).toEqual([]);
  expect(warnings({ ...proxied, CONSOLE: 'off' })).toEqual([]);
  expect(warnings({ PUBLIC_URL: 'http://192.0.2.1:8080' })).toEqual([]);
});
