import type { PerCallOptions } from '../client/requests.ts';
import type { SearchOptions } from '../contract/types.ts';
import { TrawlError } from '../values/errors.ts';
import type { SettingOrigin, Settings } from './settings.ts';

export type { PerCallOptions };

/** Highest precedence first. */
const PRECEDENCE: readonly (SettingOrigin | 'call')[] = ['call', 'project', 'user', 'environment'];

/**
 * The `search` block of a request: values of the call, else of the settings. Of tier and fields,
 * only the one of higher precedence is sent, and fields if both come from one place. Excluded
 * providers are removed from the included ones.
 * @throws TrawlError `usage` when no provider is left
 */
export function searchOptions(settings: Settings, perCall: PerCallOptions = {}): SearchOptions {
  const { auto_routing, tier, fields, providers, include_full_content, ...others } = perCall;
  const routing = auto_routing ?? settings.autoRouting?.value;
  const fullContent = include_full_content ?? settings.fullContent?.value;
  const chosen = providersOf(settings, providers);
  return {
    ...others,
    ...(routing === 'accuracy' ? { auto_routing: routing } : {}),
    ...shapeOf(settings, tier, fields),
    ...(chosen ? { providers: chosen } : {}),
    ...(fullContent === true ? { include_full_content: true } : {}),
  };
}

function shapeOf(
  settings: Settings,
  tier: SearchOptions['tier'],
  fields: SearchOptions['fields'],
): SearchOptions {
  const byTier = fromCall(tier) ?? settings.tier;
  const byFields = fromCall(fields) ?? settings.fields;
  const rankOf = ({ origin }: { origin: SettingOrigin | 'call' }) => PRECEDENCE.indexOf(origin);
  if (byFields && (!byTier || rankOf(byFields) <= rankOf(byTier))) {
    return { fields: byFields.value };
  }
  return byTier ? { tier: byTier.value } : {};
}

function providersOf(
  settings: Settings,
  given: SearchOptions['providers'],
): SearchOptions['providers'] {
  // others are unknown to the server, which says so
  const { include: givenInclude, exclude: givenExclude, ...others } = given ?? {};
  const include = fromCall(givenInclude) ?? settings.providersInclude;
  const exclude = fromCall(givenExclude) ?? settings.providersExclude;
  if (!include) {
    const block = { ...others, ...(exclude?.value.length ? { exclude: exclude.value } : {}) };
    return Object.keys(block).length === 0 ? undefined : block;
  }
  const left = include.value.filter((name) => !exclude?.value.includes(name));
  if (left.length > 0) return { ...others, include: left };
  const sentences = [
    `${include.place} includes ${list(include.value)}`,
    ...(exclude ? [`${exclude.place} excludes ${list(exclude.value)}`] : []),
  ];
  throw new TrawlError(
    'usage',
    `no provider is left: ${sentences.join(', ')}; include another one`,
  );
}

const fromCall = <Value>(value: Value | null | undefined) =>
  value == null ? undefined : { value, origin: 'call' as const, place: 'this call' };

const list = (names: readonly string[]): string => names.join(', ') || 'none';
