import { systemClock } from '@trawl/base';
import { FETCH_PROVIDERS, pageRead } from '@trawl/providers';
import { ALL_PROVIDERS, createSharedFetches, fetchCommand, webRules } from '@trawl/router';
import type { FetchedPage } from '@trawl/router/testing';
import { fetchPages } from '@trawl/router/testing';
import { createUpstreamRunner } from '@trawl/upstream';
import { expect, test } from 'vitest';

const url = 'https://news.example.com/a';
const broken = () => Promise.reject(new Error('the shared cache is away'));

test('a page is delivered although the cache can be neither read nor written', async () => {
  const faults: string[] = [];
  const pages: FetchedPage[] = [];
  const page = pageRead({ content: 'The ferry runs on weekdays.', title: 'Ferry' });
  const ownReader = FETCH_PROVIDERS.filter((provider) => provider.kind === 'own');
  const dependencies = {
    runner: createUpstreamRunner({
      clock: systemClock,
      breaker: 'off',
      proxy: { httpsProxy: undefined, noProxy: undefined },
    }),
    clock: systemClock,
    readers: new Map([
      [
        'direct',
        {
          read: async () => ({
            ...page,
            verdict: null,
            measure: null,
            quality: null,
            findings: [],
          }),
        },
      ],
    ]),
    pageCheck: {
      prepare: () => {},
      check: async () => ({
        kind: 'diagnosed' as const,
        verdict: null,
        measure: null,
        quality: null,
        findings: [],
      }),
    },
    passageFinder: { find: async () => [] },
    pageReadTimeoutMs: 5_000,
    reader: { knownTitle: async () => undefined },
    sharedFetches: createSharedFetches(),
    cache: { get: broken, set: broken },
    isForbidden: () => false,
    chainAttemptTimeoutMs: 5_000,
    reportFault: (_cause: unknown, what: string) => faults.push(what),
  };
  const wanted = {
    targets: [{ url, parsed: new URL(url), comparable: url }],
    chain: ownReader.map(
      (declaration) => ({ declaration, timeoutMs: 1_000, isConfigured: true }) as const,
    ),
    notes: [],
    options: fetchCommand({ urls: [url] }).options,
  };
  const caller = {
    projectId: 'p',
    mayRead: true,
    keyId: 'k',
    signal: new AbortController().signal,
    receivedAt: systemClock.now(),
    deadlineAt: systemClock.now() + 5_000,
    budgets: [],
    allowedProviders: ALL_PROVIDERS,
    allowedDomains: null,
    rules: webRules([], []),
  };
  await fetchPages(wanted, caller, dependencies, (_index, fetched) => pages.push(fetched));
  const [fetched] = pages;
  expect(fetched?.result).toMatchObject({
    kind: 'page',
    costs: [{ provider: 'direct', calls: 1 }],
  });
  expect(faults).toEqual(['the page cache could not be used', 'the page cache could not be used']);
});
