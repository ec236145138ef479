import { didYouMean, nearest } from '@trawl/base';
import { LIMITS } from '@trawl/contract';
import {
  type AskedFilters,
  type CountedBlock,
  keysAmong,
  refusedKeys,
  requestVolume,
} from '@trawl/providers';
import { DEFAULT_SET_VARIABLE, type Deployment } from '../deployment/deployment.ts';
import { providerHint } from '../deployment/provider-hint.ts';
import {
  ALL_PROVIDERS,
  type AllowedProviders,
  isAllowed,
  noneAllowed,
  notAllowed,
} from '../keys/allowed-providers.ts';
import { invalidAt, RequestError } from '../requests/request-error.ts';
import { checkRule } from '../web-rules/refusal.ts';
import type { WebRules } from '../web-rules/web-rules.ts';
import type { SearchCommand } from './command.ts';
import { fallbackNames } from './fallback.ts';
import { namedProviders, type ProviderSet, providerSet } from './provider-set.ts';
import { applicableSet, possibleSet } from './strict-filters.ts';

/** What a search is checked against, in addition to itself. */
export interface SearchBounds {
  /** The names of all postprocessors. */
  readonly postprocessors: readonly string[];
  /** The providers that the caller's key may use. */
  readonly allowed: AllowedProviders;
  /** The filters of the request; absent = none. */
  readonly filters?: AskedFilters | undefined;
  /** Whether we named the providers of the request; default false. */
  readonly isOwnChoice?: boolean | undefined;
}

/**
 * The rules that span fields, in the order in which they are reported; only the first is.
 * @throws RequestError 400, 403 for providers that the key may not use, or 422 for the volume
 */
export function checkSearch(
  command: SearchCommand,
  deployment: Deployment,
  { postprocessors, allowed, filters, isOwnChoice = false }: SearchBounds,
): ProviderSet {
  const { options, preprocessorNames } = command;
  const overrides = options.provider_overrides ?? {};
  checkNames(command, deployment, postprocessors);
  checkContradiction(command);
  if (options.tier !== undefined && options.fields !== undefined) {
    throw refusal('search: tier and fields exclude each other; send one of them');
  }
  if (options.filters?.include_domains && options.filters.exclude_domains) {
    throw refusal(
      'search.filters: include_domains and exclude_domains exclude each other; send one of them',
    );
  }
  if (preprocessorNames.length > 0 && options.providers?.include !== undefined) {
    throw refusal(
      'preprocessor_names and search.providers.include mean the same; send one of them',
    );
  }

  checkAllowed(command, allowed);

  const chosen = providerSet(command, deployment, allowed, isOwnChoice);
  const set = possibleSet(chosen, filters, deployment);
  // without a query nothing runs, so only providers named in the request can be wrong
  const needsProviders = command.queries.length > 0 || options.providers !== undefined;
  if (needsProviders && set.slugs.length === 0) throw emptySet(command, deployment, allowed);
  const applicable = applicableSet(set, filters, options, deployment);
  // with auto-routing any candidate may turn out to run
  const first = new Set([...chosen.slugs, ...(chosen.candidates ?? [])]);
  // `auto` may choose any provider, so only a list says which ones an override may name
  const listed = chosen.fallback?.isAuto ? [] : (chosen.fallback?.slugs ?? []);
  const outside = Object.keys(overrides).filter(
    (slug) => !first.has(slug) && !listed.includes(slug),
  );
  if (outside.length > 0) {
    throw refusal(
      `search.provider_overrides: ${outside.join(', ')} does not run in this request; add it to search.providers.include or leave its overrides out`,
    );
  }
  const ofFirst = Object.entries(overrides).filter(([slug]) => first.has(slug));
  checkVolume(
    command,
    ofFirst.map(([slug, block]) => ({
      block,
      multiplier: deployment.searchProviders.get(slug)?.declaration.multiplier,
    })),
  );
  return applicable;
}

/** Compares both spellings of the set with the exclusions: they mean the same. */
function checkContradiction({ options, preprocessorNames }: SearchCommand): void {
  const { include, exclude = [] } = options.providers ?? {};
  const spellings: readonly (readonly [string, readonly string[]])[] = [
    ['include', include ?? []],
    ['preprocessor_names', preprocessorNames],
  ];
  for (const [spelling, slugs] of spellings) {
    const both = [...new Set(slugs)].filter((slug) => exclude.includes(slug));
    if (both.length === 0) continue;
    throw refusal(
      `search.providers: ${both.join(', ')} in both ${spelling} and exclude; name it in one`,
    );
  }
}

/** Every place that asks for providers by name. One that excludes them asks for none. */
function checkAllowed(
  { options, preprocessorNames }: SearchCommand,
  allowed: AllowedProviders,
): void {
  const places: readonly (readonly [string, readonly string[]])[] = [
    ['search.providers.include', options.providers?.include ?? []],
    ['preprocessor_names', preprocessorNames],
    ['search.fallback', fallbackNames(options)],
    ['search.provider_overrides', Object.keys(options.provider_overrides ?? {})],
  ];
  for (const [place, slugs] of places) {
    const refused = [...new Set(slugs)].filter((slug) => !isAllowed(allowed, slug));
    if (refused.length > 0) throw notAllowed(place, refused, allowed);
  }
}

/**
 * Why no provider is left: the key may not use those that would run, or the request and the
 * settings leave none.
 */
function emptySet(
  command: SearchCommand,
  deployment: Deployment,
  allowed: AllowedProviders,
): RequestError {
  if (providerSet(command, deployment, ALL_PROVIDERS).slugs.length > 0) {
    return noneAllowed('search.providers', allowed);
  }
  const cause = isDefaultEmpty(command, deployment)
    ? `; ${DEFAULT_SET_VARIABLE} of the server names no known provider`
    : '';
  return refusal(`search.providers: no provider is left to run${cause}; ${available(deployment)}`);
}

/** Whether the default set applies and all its names are unknown. */
const isDefaultEmpty = (command: SearchCommand, { defaultSet }: Deployment): boolean =>
  namedProviders(command) === undefined && defaultSet.length === 0;

function checkNames(
  { options, preprocessorNames, postprocessorNames }: SearchCommand,
  deployment: Deployment,
  postprocessors: readonly string[],
): void {
  const overrides = options.provider_overrides ?? {};
  const places: readonly (readonly [string, readonly string[]])[] = [
    ['search.providers.include', options.providers?.include ?? []],
    ['search.providers.exclude', options.providers?.exclude ?? []],
    ['preprocessor_names', preprocessorNames],
    ['search.fallback', fallbackNames(options)],
    ['search.provider_overrides', Object.keys(overrides)],
  ];
  for (const [place, slugs] of places) {
    const unknown = slugs.filter((slug) => !deployment.searchProviders.has(slug));
    if (unknown.length > 0) {
      throw refusal(
        `${place}: unknown provider ${quoted(unknown)}; ${available(deployment)}`,
        providerHint(unknown, 'search', deployment),
      );
    }
  }
  const unknown = postprocessorNames.filter((name) => !postprocessors.includes(name));
  if (unknown.length > 0) {
    const names = postprocessors.join(', ');
    throw refusal(
      `postprocessor_names: unknown postprocessor ${quoted(unknown)}; available: ${names}`,
      didYouMean(nearest(unknown[0] ?? '', postprocessors)),
    );
  }
  for (const [slug, block] of Object.entries(overrides)) {
    const provider = deployment.searchProviders.get(slug)?.declaration;
    const [personal] = keysAmong(block, provider?.personalOverrides ?? []);
    if (personal !== undefined) throw personalOverride(slug, personal);
    const refused = refusedKeys(block, provider?.refusedOverrides);
    if (refused.length === 0) continue;
    throw refusal(
      `search.provider_overrides.${slug}: ${quoted(refused)} cannot be overridden: credentials, addresses, streaming and the form of the answer are the service's; leave ${refused.length > 1 ? 'them' : 'it'} out`,
    );
  }
}

/** Without the value, which is about a person. */
function personalOverride(slug: string, key: string): RequestError {
  const msg = `Value error, ${key} holds facts on a person, and is never sent to ${slug}; leave it out`;
  const loc = ['body', 'search', 'provider_overrides', slug, key];
  const issue = { type: 'value_error', loc, msg, input: undefined };
  return new RequestError(422, [issue]);
}

function checkVolume(
  { queries, options }: SearchCommand,
  overrides: readonly CountedBlock[],
): void {
  const numResults = options.num_results ?? LIMITS.resultsDefault;
  const volume = requestVolume(queries.length, numResults, overrides);
  if (volume <= LIMITS.volumeBudget) return;
  const perQuery = volume / queries.length;
  const cause = perQuery > numResults ? 'the counts in search.provider_overrides' : 'num_results';
  const message = `${queries.length} queries x ${perQuery} results = ${volume}, over the volume budget of ${LIMITS.volumeBudget} per request; send fewer queries or lower ${cause}`;
  throw invalidAt(['body', 'search', 'num_results'], message, numResults);
}

const refusal = (detail: string, hint?: string): RequestError =>
  new RequestError(400, detail, { hint });

/** Names from the caller in a message: cut, so a hostile name cannot make it long. */
const quoted = (names: readonly string[]): string =>
  names
    .slice(0, 5)
    .map((name) => JSON.stringify(name.slice(0, 64)))
    .join(', ');

const available = ({ searchProviders }: Deployment): string =>
  `available providers: ${[...searchProviders.keys()].join(', ')}`;

/**
 * What a search would send, before any of it is sent. One refused query refuses the whole request.
 * @throws RequestError 403
 */
export function checkWhatLeaves({ queries, options }: SearchCommand, rules: WebRules): void {
  for (const [index, query] of queries.entries()) {
    const place = queries.length > 1 ? `user_input[${index}].query` : 'user_input.query';
    checkRule(place, rules.ofText(query));
  }
  checkRule('search.provider_overrides', rules.ofValue(options.provider_overrides));
  checkRule('search.filters', rules.ofValue(options.filters));
}
