import { expect, it } from 'vitest';
import { ruleHost, ruleHostFault } from '../src/values/rule-host.ts';

it.each([
  ['example.com', 'example.com'],
  ['EXAMPLE.com.', 'example.com'],
  ['example.com..', 'example.com'],
  ['ｅｘａｍｐｌｅ．ｃｏｍ', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
  ['exam\u00adple.com', 'example.com'],
  ['*.example.com', '*.example.com'],
  ['*.Bücher.example.', '*.xn--bcher-kva.example'],
  ['localhost', 'localhost'],
  ['com', 'com'],
  ['_dmarc.example.com', '_dmarc.example.com'],
  ['127.0.0.1', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['::1', '[::1]'],
  ['[2001:DB8::1]', '[2001:db8::1]'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
])('reads %s as %s', (written, host) => {
  expect(ruleHost(written)).toBe(host);
});

it.each([
  ['', 'write a host such as example.com'],
  ['https://example.com/a', 'write example.com; its subdomains are included'],
  ['example.com/path', 'write example.com'],
  ['example.com:8080', 'write example.com'],
  ['user@example.com', 'write example.com'],
  ['.example.com', 'write example.com'],
  ['a.*.example.com', 'wildcard within the host'],
  ['example.*', 'wildcard within the host'],
  ['*example.com', 'wildcard within the host'],
  ['*.*.example.com', 'wildcard within the host'],
  ['*', 'wildcard within the host'],
  ['*.127.0.0.1', 'is not a host'],
  ['a b.example', 'is not a host'],
  ['example.com,example.org', 'is not a host'],
  ['a'.repeat(64), 'is not a host'],
  ['exa%mple.com', 'is not a host'],
])('refuses %j: %s', (written, fault) => {
  expect(ruleHost(written)).toBeNull();
  expect(ruleHostFault(written)).toContain(fault);
});
