import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import { brightdataFetch } from './fetch.ts';
import prices from './prices.json' with { type: 'json' };

export const brightdata = defineProvider({
  slug: 'brightdata',
  name: 'Bright Data',
  baseUrl: 'https://api.brightdata.com',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['BRIGHTDATA_API_KEY'],
  prices,
  dataUse,
  fetch: brightdataFetch,
});
