import { isJsonObject, type JsonObject } from '@trawl/contract';
import { PRICES, type Prices, type Rates } from '@trawl/providers';
import { readJsonFile, shownName as shown } from './json-file.ts';

/** A higher price of a call is a typing error. */
const RATE_USD_MAX = 10_000;

/**
 * The built-in price list with the operator's own rates instead of some items.
 * @returns the problem as the end of a sentence that begins with the setting's name, where the file
 * cannot be used: it names the file and the place in it, never the value there
 */
export function readPrices(
  path: string,
): { readonly value: Prices } | { readonly problem: string } {
  const inFile = (problem: string) => ({ problem: `must name a price list: ${path} ${problem}` });
  const read = readJsonFile(path);
  if ('problem' in read) return inFile(read.problem);
  const { version, providers, ...others } = read.value;
  const [stranger] = Object.keys(others);
  if (stranger !== undefined) {
    return inFile(`has the unknown key ${shown(stranger)}; it takes version and providers`);
  }
  if (version !== undefined && typeof version !== 'string') {
    return inFile('has a version that is not a text; write it in quotes');
  }
  if (!isJsonObject(providers)) {
    return inFile('needs an object providers; write {"providers": {"<name>": {"<item>": 0.01}}}');
  }
  const problem = firstProblem(providers);
  if (problem !== undefined) return inFile(problem);
  return {
    value: {
      version: version ?? `${PRICES.version}, changed by the operator`,
      providers: merged(providers as Readonly<Record<string, Rates>>),
    },
  };
}

function firstProblem(providers: JsonObject): string | undefined {
  for (const [slug, rates] of Object.entries(providers)) {
    const place = `providers.${shown(slug)}`;
    const known = Object.hasOwn(PRICES.providers, slug) ? PRICES.providers[slug] : undefined;
    if (!known) {
      return `has the unknown provider ${place}; the providers are ${Object.keys(PRICES.providers).join(', ')}`;
    }
    if (!isJsonObject(rates)) return `needs an object at ${place}; write {"<item>": 0.01}`;
    for (const [item, rate] of Object.entries(rates)) {
      if (!Object.hasOwn(known, item)) {
        return `has the unknown item ${place}.${shown(item)}; the items are ${Object.keys(known).join(', ')}`;
      }
      if (typeof rate !== 'number' || !(rate >= 0 && rate <= RATE_USD_MAX)) {
        return `has a wrong rate at ${place}.${shown(item)}; write US dollars as a number from 0 to ${RATE_USD_MAX}`;
      }
    }
  }
  return undefined;
}

const merged = (own: Readonly<Record<string, Rates>>): Readonly<Record<string, Rates>> =>
  Object.fromEntries(
    Object.entries(PRICES.providers).map(([slug, rates]) => [slug, { ...rates, ...own[slug] }]),
  );
