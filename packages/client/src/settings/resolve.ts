import { SETTING_NAMES } from './read-values.ts';
import type { Settings, Source } from './settings.ts';

/**
 * For each key the strongest place that sets it: the project's file, then the user's, then the environment, save that
 * `SERVICE_AUTO_ROUTING` beats both files.
 * @param sources in any order
 */
export function resolveSettings(sources: readonly Source[]): Settings {
  const resolved = SETTING_NAMES.flatMap((name) => {
    const order =
      name === 'autoRouting'
        ? (['environment', 'project', 'user'] as const)
        : (['project', 'user', 'environment'] as const);
    const strongest = order
      .map((origin) => sources.find((source) => source.origin === origin))
      .find((source) => source?.values[name] !== undefined);
    if (!strongest) return [];
    const { origin, values } = strongest;
    return [[name, { value: values[name], origin, place: strongest.placeOf(name) }]];
  });
  return Object.fromEntries(resolved);
}
