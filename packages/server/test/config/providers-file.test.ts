import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDeployment } from '@trawl/router';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/given.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trawl-providers-file-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** In each value that may be a secret. */
const CANARY = 'hush-9Qx2-canary';

const ENVIRONMENT = { TOKEN: CANARY, LOOP: `\${LOOP}`, LINES: `${CANARY}\nx` };

const ENTRY = {
  slug: 'acme',
  url: 'https://search.acme.example/api',
  query: { q: '{query}' },
  results: 'data.items',
  fields: { url: 'link' },
};

const WITH_BODY = {
  query: undefined,
  body: { search: { text: '{query}', in: 'DE' }, parts: [{ top: '{num_results}' }] },
};

function problemsOf(text: string, environment: Environment = {}): readonly string[] {
  const path = join(folder, 'providers.yaml');
  writeFileSync(path, text);
  try {
    readConfig({ ...ENVIRONMENT, PROVIDERS_FILE: path, ...environment });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/** The problems of one entry, without the words that all have. */
const faultsOf = (change: object, environment: Environment = {}): readonly string[] =>
  problemsOf(JSON.stringify({ providers: [{ ...ENTRY, ...change }] }), environment).map((problem) =>
    problem.replace(/^PROVIDERS_FILE must name a file of providers: \S+ is wrong: /, ''),
  );

describe('an entry', () => {
  it.each<[string, object]>([
    ['as small as possible', {}],
    ['with a fixed query', { url: 'https://search.acme.example/api?format=json&sort_key=date' }],
    ['on this machine', { url: 'http://127.0.0.1:9/api' }],
    ['on this machine by name', { url: 'http://localhost:9/api' }],
    ['with a list as the whole answer', { results: '.' }],
    ['with a secret in a header', { headers: { authorization: `Bearer \${TOKEN}` } }],
    ['with a secret in the query', { query: { q: '{query}', api_key: `\${TOKEN}` } }],
    ['with a body', { query: undefined, body: { a: [{ b: 'about {query}' }] }, method: 'POST' }],
    [
      'with filters next to a placeholder, and in place of a fixed value',
      { ...WITH_BODY, filters: { country: 'search.in', language: 'search.language' } },
    ],
    ['with filters whose names have dots', { filters: { country: 'q.in', language: 'q.in.a' } }],
  ])('%s is fine', (_title, change) => {
    expect(faultsOf(change)).toEqual([]);
  });

  it('may be on a private host that FETCH_ALLOW_PRIVATE_HOSTS names, by host and port', () => {
    const change = { url: 'http://10.0.0.7:8080/api' };
    expect(faultsOf(change, { FETCH_ALLOW_PRIVATE_HOSTS: '10.0.0.7:8080' })).toEqual([]);
    expect(faultsOf(change, { FETCH_ALLOW_PRIVATE_HOSTS: '10.0.0.7:80' })).toEqual([
      'providers[0].url must be https; http is for this machine and for hosts that FETCH_ALLOW_PRIVATE_HOSTS names',
    ]);
  });

  it.each<[string, object, RegExp]>([
    ['of a built-in provider', { slug: 'exa' }, /^providers\[0\]\.slug is exa, which is built in/],
    ['with a word as its name', { slug: 'auto' }, /^providers\[0\]\.slug is auto/],
    ['with another slug', { slug: 'Acme Inc' }, /^providers\[0\]\.slug must be 2 to 40 characters/],
    [
      'with an unknown key',
      { token: CANARY },
      /^providers\[0\] has an unknown key token; it takes/,
    ],
    [
      'with an unknown field',
      { fields: { url: 'a', rank: 'b' } },
      /fields has an unknown key rank/,
    ],
    ['with an unknown filter', { filters: { color: 'b' } }, /filters has an unknown key color/],
    ['without rows', { results: undefined }, /results is missing|results must be a path/],
    ['without URLs', { fields: { title: 'a' } }, /^providers\[0\]\.fields\.url is missing/],
    [
      'with an ill-typed price',
      { price_usd: CANARY },
      /^providers\[0\]\.price_usd must be a number$/,
    ],
    ['with an ill-typed count', { count: { max: 0 } }, /count\.max must be at least 1$/],
    ['with an ill-typed method', { method: 'PUT' }, /method must be one of GET, POST$/],
    ['with a wrong path', { results: '$.data[0]' }, /results must be a path of keys with dots/],
    ['with an empty part of a path', { fields: { url: 'a..b' } }, /fields\.url must be a path/],
    ['without a placeholder', { query: { q: 'x' } }, /query needs \{query\} in one of its values/],
    [
      'with another placeholder',
      { query: { q: '{query}', p: '{page}' } },
      /query\.p is not a placeh/,
    ],
    ['with query and body', { body: { q: '{query}' } }, /^providers\[0\] needs either query/],
    ['with another method', { method: 'POST' }, /method must be GET, since the entry has query/],
    ['with a fragment', { url: `https://a.example/#${CANARY}` }, /url has a fragment/],
    [
      'with a user',
      { url: `https://${CANARY}@a.example/` },
      /url has a user or a password .*\$\{NAME\}/,
    ],
    [
      'with a secret in its address',
      { url: `https://a.example/?x=1&api_key=${CANARY}` },
      /\(api_key\)/,
    ],
    ['with a token in its address', { url: `https://a.example/?token=${CANARY}` }, /\(token\)/],
    [
      'with a variable in its address',
      { url: `https://a.example/\${TOKEN}` },
      /url takes no placeh/,
    ],
    ['by http elsewhere', { url: 'http://search.acme.example/' }, /url must be https; http is for/],
    ['on a private address', { url: 'http://169.254.1.1/' }, /url must be https; http is for/],
    ['by another protocol', { url: 'file:///etc/passwd' }, /url must be an https:\/\/ URL/],
    [
      'with a written key',
      { headers: { 'X-Api-Key': CANARY } },
      /X-Api-Key has a secret in it: put/,
    ],
    ['with a written token', { query: { q: '{query}', key: CANARY } }, /query\.key has a secret/],
    [
      'with a secret in a body',
      { query: undefined, body: { q: '{query}', a: `\${TOKEN}` } },
      /body\.a/,
    ],
    [
      'with an unset variable',
      { headers: { a: `\${NONE}` } },
      /headers\.a needs the variable NONE, w/,
    ],
    ...['EXA_API_KEY', 'EXA_API_KEYS', 'DATABASE_URL', 'secrets_key', 'BOOTSTRAP_API_KEY_FILE'].map(
      (name): [string, object, RegExp] => [
        `with the setting ${name} as a variable`,
        { query: { q: '{query}', key: `\${${name}}` } },
        new RegExp(
          `query.key has the variable ${name}, which is a setting of trawl or the key of a`,
        ),
      ],
    ),
    [
      'with a loop of variables',
      { headers: { a: `\${LOOP}` } },
      /headers\.a has the variable LOOP, w/,
    ],
    ['with half a variable', { headers: { a: `\${TOKEN` } }, /headers\.a has a \$\{ that does not/],
    [
      'with lines in a header',
      { headers: { a: `\${LINES}` } },
      /headers\.a has a character that a/,
    ],
    [
      'with a header of the server',
      { headers: { Host: 'a' } },
      /headers\.Host is set by the server/,
    ],
    [
      'with a secret and a query',
      { query: { q: `{query} \${TOKEN}` } },
      /query\.q has a secret and/,
    ],
    [
      'with a filter in the query',
      { filters: { country: 'q' } },
      /filters\.country would replace query\.q;/,
    ],
    [
      'with two filters in one parameter',
      { filters: { published_after: 'day', published_before: 'day' } },
      /filters\.published_before would replace filters\.published_after;/,
    ],
    [
      'with a filter above a placeholder',
      { ...WITH_BODY, filters: { country: 'search' } },
      /filters\.country would replace body\.search\.text;/,
    ],
    [
      'with a filter below a placeholder',
      { ...WITH_BODY, filters: { country: 'search.text.in' } },
      /filters\.country would replace body\.search\.text;/,
    ],
    [
      'with a filter in a list with a placeholder',
      { ...WITH_BODY, filters: { country: 'parts.0.country' } },
      /filters\.country would replace body\.parts\.0\.top;/,
    ],
    [
      'with a filter above another one',
      { ...WITH_BODY, filters: { country: 'search.in.country', language: 'search.in' } },
      /filters\.language would replace filters\.country;/,
    ],
    [
      'with a filter below another one',
      { ...WITH_BODY, filters: { country: 'search.in', language: 'search.in.language' } },
      /filters\.language would replace filters\.country;/,
    ],
  ])('%s stops the start and says where', (_title, change, problem) => {
    const faults = faultsOf(change);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(problem);
    expect(faults.join('\n')).not.toContain(CANARY);
  });

  it('has each filter reported that replaces something, and no other', () => {
    const filters = { country: 'search', language: 'search.in', safe_search: 'search.in' };
    expect(faultsOf({ ...WITH_BODY, filters })).toEqual([
      expect.stringMatching(/filters\.country would replace body\.search\.text;/),
      expect.stringMatching(/filters\.safe_search would replace filters\.language;/),
    ]);
  });

  it('is reported with all of its problems, next to those of other settings', () => {
    const change = { slug: 'exa', url: 'http://a.example/', query: { q: 'x' } };
    expect(faultsOf(change, { PORT: 'x' })).toEqual([
      expect.stringMatching(/slug/),
      expect.stringMatching(/url/),
      expect.stringMatching(/query/),
      expect.stringMatching(/^PORT /),
    ]);
  });

  it('has a slug of its own', () => {
    expect(problemsOf(JSON.stringify({ providers: [ENTRY, ENTRY] }))).toEqual([
      expect.stringMatching(/providers\[1\]\.slug is that of providers\[0\] too/),
    ]);
  });
});

describe('a file', () => {
  it.each<[string, string, RegExp]>([
    ['that is broken', 'providers:\n  - slug: [a', /neither YAML nor JSON at line 2, column \d+: /],
    ['that is broken JSON', `{"providers": [{"slug": "${CANARY}" "b"}]}`, /at line 1, column \d+/],
    ['with a tag', 'providers: !!js/function x', /neither YAML nor JSON at line 1/],
    ['with a name of something else', `providers: *${CANARY}`, /neither YAML nor JSON at line 1/],
    [
      'with a key twice',
      'providers: []\nproviders: []',
      /at line 2, column 1: duplicated mapping key/,
    ],
    ['that contains itself', 'providers: &a [*a]', /has a part that contains itself/],
    ['with aliases of aliases', bomb(), /neither YAML nor JSON/],
    ['with another key', '{"provider": []}', /has an unknown key provider|providers is missing/],
    ['that is a list', '[]', /the file must be an object/],
    ['that is HTML', '<html><body>no</body></html>', /the file must be an object/],
    ['without entries', 'providers: []', /providers must be at least 1 long/],
  ])('%s stops the start and says where', (_title, text, problem) => {
    const problems = problemsOf(text).join('\n');
    expect(problems).toMatch(problem);
    expect(problems).toMatch(/^PROVIDERS_FILE must name a file of providers: \S+providers\.yaml /);
    expect(problems).not.toContain(CANARY);
  });

  it('that is not there is named', () => {
    const path = join(folder, 'none.yaml');
    expect(() => readConfig({ PROVIDERS_FILE: path })).toThrow(
      `PROVIDERS_FILE must name a file of providers: ${path} cannot be read (ENOENT)`,
    );
  });

  it('may be named by other settings', () => {
    const routing = join(folder, 'routing.json');
    writeFileSync(routing, '{"topics": {"news": ["acme", "exa"]}}');
    const text = JSON.stringify({ providers: [ENTRY] });
    const settings = { SEARCH_FALLBACK: 'acme', ROUTING_FILE: routing };
    expect(problemsOf(text, settings)).toEqual([]);
    expect(problemsOf(text, { SEARCH_FALLBACK: 'acmee' })).toEqual([
      expect.stringMatching(/^SEARCH_FALLBACK must be off, auto or a comma list of .*acme/),
    ]);
  });
});

describe('the providers of a file', () => {
  const text = JSON.stringify({ providers: [ENTRY] });
  const deploymentWith = (environment: Environment) => {
    const path = join(folder, 'set-up.yaml');
    writeFileSync(path, text);
    return createDeployment(readConfig({ PROVIDERS_FILE: path, ...environment }));
  };

  it.each<[string, Environment, readonly string[]]>([
    ['nothing else', {}, ['acme']],
    ['a vendor of the built-in default', { EXA_API_KEY: CANARY }, ['exa']],
    ['another vendor', { TAVILY_API_KEY: CANARY }, ['tavily', 'acme']],
    ['a key that was there for fetches', { FIRECRAWL_API_KEY: CANARY }, ['acme', 'firecrawl']],
    ['a service without a key', { SEARXNG_BASE_URL: 'http://127.0.0.1:9' }, ['acme', 'searxng']],
  ])('with %s are the default set in their place', (_title, environment, slugs) => {
    expect(deploymentWith(environment).defaultSet).toEqual(slugs);
  });

  it('are set up, so services without a key run only where a request names them', () => {
    const wikipedia = deploymentWith({}).searchProviders.get('wikipedia');
    expect(wikipedia?.keyless?.runs).toBe('when_named');
  });
});

/** Each of nine lists has the one before it ten times. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, index) => {
    const items = Array.from({ length: 10 }, () => (index === 0 ? 'x' : `*a${index - 1}`));
    return `a${index}: &a${index} [${items.join(', ')}]`;
  });
  return lines.join('\n');
}
