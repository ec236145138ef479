import { SETTING_NAMES } from './read-values.ts';
import type { Overridden, Resolved, SettingName, Settings, Source } from './settings.ts';

/**
 * The value of each key from the place of highest precedence: the project's file, then the user's,
 * then the environment. Only `SERVICE_AUTO_ROUTING` comes before both files.
 * @param sources in any order
 */
export const resolveSettings = (sources: readonly Source[]): Settings =>
  perName((name) => fromStrongest(sources, name)[0]);

/** For each key, the places of lower precedence that set it too, highest first. */
export const overriddenSettings = (sources: readonly Source[]): Overridden =>
  perName((name) => {
    const [, ...weaker] = fromStrongest(sources, name);
    return weaker.length === 0 ? undefined : weaker;
  });

function perName<Value>(read: (name: SettingName) => Value | undefined) {
  const found = SETTING_NAMES.map((name) => [name, read(name)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** All places that set a key, highest precedence first. */
function fromStrongest(sources: readonly Source[], name: SettingName): Resolved<unknown>[] {
  const order =
    name === 'autoRouting'
      ? (['environment', 'project', 'user'] as const)
      : (['project', 'user', 'environment'] as const);
  return order.flatMap((origin) => {
    const source = sources.find((one) => one.origin === origin);
    const value = source?.values[name];
    return source === undefined || value === undefined
      ? []
      : { value, origin, place: source.placeOf(name) };
  });
}
