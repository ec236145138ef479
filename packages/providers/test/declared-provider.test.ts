import { describe, expect, test } from 'vitest';
import { readDeclared, type SearchProvider } from '../src/index.ts';
import { refusedKeys } from '../src/request/overrides.ts';

const VARIABLES: Readonly<Record<string, string>> = {
  ACME_ID: 'planted-id-5fJ2xx',
  ACME_TOKEN: 'planted-token-8Hq1',
};

function declared(entry: object): SearchProvider {
  const read = readDeclared(
    {
      providers: [
        {
          slug: 'acme',
          url: 'https://acme.example/search?format=json',
          results: 'items',
          fields: { url: 'link', title: 'name' },
          ...entry,
        },
      ],
    },
    {
      variable: (name) => VARIABLES[name] ?? '',
      addressFault: () => undefined,
    },
  );
  const [provider] = 'providers' in read ? read.providers : [];
  if (provider === undefined) throw new Error(JSON.stringify(read));
  return provider;
}

const QUERY = { q: '{query}', size: '{num_results}' };
const SECRETS = {
  query: { ...QUERY, app_id: `\${ACME_ID}` },
  headers: { 'X-Acme-Token': `Bearer \${ACME_TOKEN}`, 'x-team': 'search' },
};

describe('the secrets of a declared provider', () => {
  test('are parts of the call with their values, and not in what is planned', () => {
    const { secretParts, request } = declared(SECRETS);
    expect(secretParts).toEqual([
      {
        in: 'header',
        name: 'X-Acme-Token',
        written: `Bearer \${ACME_TOKEN}`,
        value: `Bearer ${VARIABLES.ACME_TOKEN}`,
        variables: ['ACME_TOKEN'],
        secrets: [VARIABLES.ACME_TOKEN],
      },
      {
        in: 'query',
        name: 'app_id',
        written: `\${ACME_ID}`,
        value: VARIABLES.ACME_ID,
        variables: ['ACME_ID'],
        secrets: [VARIABLES.ACME_ID],
      },
    ]);
    expect(request({ query: 'tides', count: 3 } as never)).toEqual({
      method: 'GET',
      path: '/search?format=json',
      headers: { 'x-team': 'search' },
      query: { q: 'tides', size: 3 },
    });
  });

  test.each(['app_id', 'APP_ID', 'appId', 'app-id', 'x-acme-token', 'X_Acme_Token', 'xAcmeToken'])(
    'are not set by an override, as by %s',
    (name) => {
      const { refusedOverrides } = declared(SECRETS);
      expect(refusedKeys({ [name]: 'mine', size: 3, team: 'x' }, refusedOverrides)).toEqual([name]);
    },
  );
});
