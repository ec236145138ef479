import { describe, expect, it } from 'vitest';
import { createDeployment } from '../../src/deployment/deployment.ts';
import { ruleList, webRules, webRulesOf } from '../../src/web-rules/web-rules.ts';

const OWN = 'planted-exa-5fJ2/"k+Zq=&x';
const KEY = `tk_${'A1b2'.repeat(10)}xyz`;
const NOT_A_KEY = `tk_${'A1b2'.repeat(10)}`;

const denying = (...deny: string[]) => webRules([ruleList({ hosts: { deny } })], []);
const secrets = webRules([ruleList({ secrets: 'refuse' })], [OWN]);
const plain = webRules([], [OWN]);

describe('a denied host', () => {
  const rules = denying('example.com', 'xn--bcher-kva.example', '192.0.2.7', '[2001:db8::1]');
  it.each([
    'http://example.com/',
    'https://www.example.com/a?b=c#d',
    'https://a.b.c.example.com:8443/',
    'https://EXAMPLE.com/',
    'https://example.com./',
    'https://example.com../',
    'https://ex%61mple.com/',
    'https://ｅｘａｍｐｌｅ．ｃｏｍ/',
    'https://example。com/',
    'https://exam\u00adple.com/',
    'https://user:password@example.com/',
    'https://example.com:443/',
    'https:example.com',
    'https:/\\example.com\\a',
    '\thttps://exa\nmple.com/',
    'https://bücher.example/',
    'https://BÜCHER.example./',
    'https://b\u0075\u0308cher.example/',
    'http://3221225991/',
    'http://0xc0.0.2.7/',
    'http://192.0.519/',
    'http://[::ffff:192.0.2.7]/',
    'http://[64:ff9b::192.0.2.7]/',
    'http://[64:ff9b:0:0::c000:207]/',
    'http://[::192.0.2.7]/',
    'http://[2001:0db8:0:0::1]/',
  ])('is found in %j', (url) => {
    expect(rules.ofUrl(url)).toBe('hosts.deny');
  });
  it.each([
    'https://notexample.com/',
    'https://example.com.evil.test/',
    'https://example.org/?u=https://example.com/',
    'https://example.org/#example.com',
    'https://com/',
    'http://[::1]/',
    'http://[64:ff9b:1::192.0.2.7]/',
    'http://[2001:db8::c000:207]/',
  ])('is not %j', (url) => {
    expect(rules.ofUrl(url)).toBeNull();
  });
});

describe('lists of hosts', () => {
  it('leave only what allow names, where it has entries', () => {
    const rules = webRules([ruleList({ hosts: { allow: ['example.com'] } })], []);
    expect(rules.ofUrl('https://www.example.com/')).toBeNull();
    expect(rules.ofUrl('https://example.org/')).toBe('hosts.allow');
    expect(webRules([ruleList({ hosts: { allow: [] } })], []).ofHost('example.org')).toBeNull();
  });
  it('deny what both name', () => {
    const both = { deny: ['bad.example.com'], allow: ['example.com'] };
    const rules = webRules([ruleList({ hosts: both })], []);
    expect(rules.ofHost('bad.example.com')).toBe('hosts.deny');
    expect(rules.ofHost('www.example.com')).toBeNull();
    const same = webRules([ruleList({ hosts: { deny: ['a.example'], allow: ['a.example'] } })], []);
    expect(same.ofHost('a.example')).toBe('hosts.deny');
  });
  it('of a project never loosen those of the deployment', () => {
    const deployment = ruleList({ hosts: { deny: ['a.example'], allow: ['example'] } });
    const project = ruleList({ hosts: { deny: ['b.example'], allow: ['a.example', 'c.test'] } });
    const rules = webRules([deployment, project], []);
    expect(['a.example', 'b.example', 'c.test', 'd.example'].map(rules.ofHost)).toEqual([
      'hosts.deny',
      'hosts.deny',
      'hosts.allow',
      'hosts.allow',
    ]);
  });
  it('name subdomains alone by a wildcard', () => {
    const rules = denying('*.example.com');
    expect(rules.ofHost('example.com')).toBeNull();
    expect(rules.ofHost('a.b.example.com')).toBe('hosts.deny');
  });
  it('hold for a query that is a URL as a whole, and for no other', () => {
    const rules = denying('example.com');
    expect(rules.ofText(' https://example.com/a ')).toBe('hosts.deny');
    expect(rules.ofText('what is https://example.com/a')).toBeNull();
    expect(rules.ofText('example.com')).toBeNull();
  });
});

describe('keys of this server and of providers', () => {
  it.each([
    `${OWN}`,
    `use ${OWN}, please`,
    `"${OWN}"`,
    `key=${OWN};`,
    `https://a.test/?k=${encodeURIComponent(OWN)}`,
    `https://a.test/?k=${encodeURIComponent(encodeURIComponent(OWN))}`,
    `https://a.test/${[...OWN].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('')}`,
    `${KEY}`,
    `(${KEY})`,
    `my_${KEY}`,
    `https://a.test/${KEY}.png`,
    `https://a.test/?q=a%20${KEY}%20b`,
    `https://a.test/%74%6b%5f${KEY.slice(3)}`,
    `https://a.test/%FF${KEY.replace('tk_', '%74k_')}`,
    `an access token ${KEY.replace('tk_', 'tla_')}`,
    `a refresh token ${KEY.replace('tk_', 'tlr_')}`,
    `${KEY.slice(0, 20)}\u200b${KEY.slice(20)}`,
    `${KEY.slice(0, 20)}\u00ad${KEY.slice(20)}`,
    [...KEY]
      .map((one) => (one === '_' ? '＿' : String.fromCodePoint(one.charCodeAt(0) + 0xfee0)))
      .join(''),
  ])('are found in %j', (text) => {
    expect(plain.ofText(text)).toBe('keys');
    expect(plain.ofUrl(text)).toBe('keys');
  });
  it.each([`x${OWN}x1`, `9${KEY}`, `${KEY}9`, NOT_A_KEY, 'tk_', 'planted-exa', ''])(
    'are not %j',
    (text) => {
      expect(plain.ofText(text)).toBeNull();
    },
  );
  it('are those of the embeddings and stored ones too, whether they are in use or not', () => {
    const settings = {
      ...{ defaultSearchProviders: undefined, searchFallback: undefined, fetchChain: undefined },
      ...{ prices: { version: '1', providers: {} }, providers: {} },
      storedKeys: ['stored-key-of-exa-1', 'short'],
      topicEmbeddingsApiKey: 'key-of-the-embeddings',
    };
    const rules = webRulesOf(createDeployment(settings), undefined);
    expect(rules.ofText('is stored-key-of-exa-1 yours?')).toBe('keys');
    expect(rules.ofText('is key-of-the-embeddings yours?')).toBe('keys');
    expect(rules.ofText('short')).toBeNull();
  });
  it('are found at any depth of an object, in names too', () => {
    expect(plain.ofValue({ exa: { a: [{ b: { c: ['x', KEY] } }] } })).toBe('keys');
    expect(plain.ofValue({ exa: { [KEY]: 1 } })).toBe('keys');
    expect(plain.ofValue({ exa: { a: JSON.stringify({ b: OWN }), c: 1, d: null } })).toBeNull();
    expect(plain.ofValue({ exa: { a: `{"b":"${KEY}"}` } })).toBe('keys');
    expect(plain.ofValue(undefined)).toBeNull();
  });
  it('are found as numbers, and where `+` stands for a space', () => {
    const own = webRules([], ['1234567890123456', 'two words and more']);
    expect(own.ofValue({ exa: { a: [1_234_567_890_123_456] } })).toBe('keys');
    expect(own.ofValue({ exa: { a: 123_456 } })).toBeNull();
    expect(own.ofUrl('https://a.test/?k=two+words+and%20more')).toBe('keys');
  });
});

describe('secrets of known services', () => {
  const some = (length: number) => 'aB3dE6gH9'.repeat(30).slice(0, length);
  const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
  const claims = Buffer.from('{"sub":"1234567890"}').toString('base64url');
  it.each([
    ['GitHub', `ghp_${some(36)}`],
    ['GitHub, of an app', `ghs_${some(36)}`],
    ['GitHub, fine-grained', `github_pat_${some(22)}_${some(59)}`],
    ['AWS', `AKIA${'ABCDEFGH23456789'}`],
    ['AWS, secret', `aws_secret_access_key = "${some(40)}"`],
    ['Slack', `xoxb-${'123456789012'}-${some(24)}`],
    ['Slack, webhook', `https://hooks.slack.com/services/T${'0123ABC'}/B${'0123ABC'}/${some(24)}`],
    ['Stripe', `sk_live_${some(24)}`],
    ['Stripe, restricted', `rk_test_${some(24)}`],
    ['JWT', `${header}.${claims}.${some(43)}`],
    ['JWT without signature', `${header}.${claims}.`],
    ['PEM', '-----BEGIN PRIVATE KEY-----'],
    ['PEM, RSA', '-----BEGIN RSA PRIVATE KEY-----\nMII'],
    ['PEM, OpenSSH', '-----BEGIN OPENSSH PRIVATE KEY-----'],
    ['PEM, encrypted', '-----BEGIN ENCRYPTED PRIVATE KEY-----'],
    ['GitLab', `glpat-${some(20)}`],
    ['Anthropic', `sk-ant-api03-${some(90)}`],
  ])('are refused where the rule is on: %s', (_name, secret) => {
    expect(secrets.ofText(`look at ${secret} now`)).toBe('secrets');
    expect(secrets.ofUrl(`https://a.test/?q=${encodeURIComponent(secret)}`)).toBe('secrets');
    expect(plain.ofText(secret)).toBeNull();
  });
  it.each([
    'how do I make a ghp_ token',
    'sk_live_ keys of Stripe',
    'AKIA prefix meaning',
    '-----BEGIN PUBLIC KEY-----',
    '-----BEGIN CERTIFICATE-----',
    'eyJ what is a JSON web token',
    'desk-lamp-with-a-very-long-product-name-in-its-address',
    'task_live_0123456789abcdef',
  ])('are not %j', (text) => {
    expect(secrets.ofText(text)).toBeNull();
  });
});

it('takes time in proportion to the length of a hostile text', () => {
  const rules = webRules([ruleList({ secrets: 'refuse', hosts: { deny: ['a.example'] } })], [OWN]);
  for (const part of ['eyJ-', 'eyJaaaaaaaa.', '%25', '-----BEGIN A ', 'tk_', OWN.slice(0, -1)]) {
    const startedAt = performance.now();
    rules.ofText(part.repeat(Math.ceil(200_000 / part.length)));
    expect(performance.now() - startedAt, part).toBeLessThan(2_000);
  }
});
