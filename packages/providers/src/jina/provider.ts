import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import { jinaFetch } from './fetch.ts';
import prices from './prices.json' with { type: 'json' };

export const jina = defineProvider({
  slug: 'jina',
  name: 'Jina Reader',
  baseUrl: 'https://r.jina.ai',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ', optional: true },
  credentialVariables: ['JINA_API_KEY'],
  keyPage: {
    url: 'https://jina.ai/api-dashboard',
    free: 'ten million tokens, for non-commercial use',
  },
  prices,
  dataUse,
  fetch: jinaFetch,
});
