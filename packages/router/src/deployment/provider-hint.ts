import { didYouMean, nearest } from '@trawl/base';
import type { Deployment } from './deployment.ts';

type Operation = 'search' | 'fetch';

const PLACES: Readonly<Record<Operation, string>> = {
  search: 'search.providers.include of POST /v1/search',
  fetch: 'options.providers of POST /v1/fetch',
};

/**
 * A request may have a hundred thousand names, and each is compared with all providers. The message
 * shows no more of them either.
 */
const COMPARED_MAX = 5;

/**
 * What to write instead of names that are not providers of this operation; undefined = no name is
 * close.
 */
export function providerHint(
  unknown: readonly string[],
  operation: Operation,
  { searchProviders, fetchProviders }: Deployment,
): string | undefined {
  const [own, others, other] =
    operation === 'search'
      ? ([searchProviders, fetchProviders, 'fetch'] as const)
      : ([fetchProviders, searchProviders, 'search'] as const);
  for (const name of unknown.slice(0, COMPARED_MAX)) {
    const known = name.toLowerCase();
    if (others.has(known) && !own.has(known)) {
      return `${known} is a ${other} provider: name it in ${PLACES[other]}`;
    }
    const meant = nearest(name, own.keys());
    if (meant !== undefined) return didYouMean(meant);
  }
  return undefined;
}
