import type { SearchOptions } from '../contract/types.ts';
import { TrawlError } from '../values/errors.ts';
import type { SettingOrigin, Settings } from './settings.ts';

/** The `search` block of one call; unlike there, `auto_routing: 'off'` may undo what the settings say. */
export interface PerCallOptions extends Omit<SearchOptions, 'auto_routing'> {
  readonly auto_routing?: 'accuracy' | 'off' | null | undefined;
}

/** The strongest first. */
const STRENGTH: readonly (SettingOrigin | 'call')[] = ['call', 'project', 'user', 'environment'];

/**
 * The `search` block of a request: what the call says, else the settings. Of tier and fields the one from the stronger place
 * is sent, from one place the fields; excluded providers are taken from the included ones.
 * @throws TrawlError `usage` where no provider is left
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
  const strengthOf = ({ origin }: { origin: SettingOrigin | 'call' }) => STRENGTH.indexOf(origin);
  if (byFields && (!byTier || strengthOf(byFields) <= strengthOf(byTier))) {
    return { fields: byFields.value };
  }
  return byTier ? { tier: byTier.value } : {};
}

function providersOf(
  settings: Settings,
  given: SearchOptions['providers'],
): SearchOptions['providers'] {
  const include = fromCall(given?.include) ?? settings.providersInclude;
  const exclude = fromCall(given?.exclude) ?? settings.providersExclude;
  if (!include) return exclude && exclude.value.length > 0 ? { exclude: exclude.value } : undefined;
  const left = include.value.filter((name) => !exclude?.value.includes(name));
  if (left.length > 0) return { include: left };
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
