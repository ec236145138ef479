import { describe, expect, test } from 'vitest';
import type { SearchOptions } from '../src/contract/types.ts';
import { readEnvironmentValues, variableOf } from '../src/settings/read-values.ts';
import { resolveSettings } from '../src/settings/resolve.ts';
import { type PerCallOptions, searchOptions } from '../src/settings/search-options.ts';
import type { SettingName, SettingsValues, Source } from '../src/settings/settings.ts';

/** The value in each of the four places; all different if the setting has that many values. */
interface Said {
  readonly call: PerCallOptions;
  readonly project: SettingsValues;
  readonly user: SettingsValues;
  /** Text of the variable. */
  readonly environment: string;
  /** The `search` block that is sent when this place wins. */
  readonly sent: Readonly<Record<Place, SearchOptions>>;
}
type Place = 'call' | 'project' | 'user' | 'environment';
const PLACES: readonly Place[] = ['call', 'project', 'user', 'environment'];

const MATRIX: Readonly<Record<SettingName, Said>> = {
  tier: {
    call: { tier: 'max' },
    project: { tier: 'extended' },
    user: { tier: 'minimalist' },
    environment: 'default',
    sent: {
      call: { tier: 'max' },
      project: { tier: 'extended' },
      user: { tier: 'minimalist' },
      environment: { tier: 'default' },
    },
  },
  fields: {
    call: { fields: ['url'] },
    project: { fields: ['title'] },
    user: { fields: ['rank', 'url'] },
    environment: 'url, summary',
    sent: {
      call: { fields: ['url'] },
      project: { fields: ['title'] },
      user: { fields: ['rank', 'url'] },
      environment: { fields: ['url', 'summary'] },
    },
  },
  providersInclude: {
    call: { providers: { include: ['one'] } },
    project: { providersInclude: ['two'] },
    user: { providersInclude: ['three'] },
    environment: 'four, five',
    sent: {
      call: { providers: { include: ['one'] } },
      project: { providers: { include: ['two'] } },
      user: { providers: { include: ['three'] } },
      environment: { providers: { include: ['four', 'five'] } },
    },
  },
  providersExclude: {
    call: { providers: { exclude: ['one'] } },
    project: { providersExclude: ['two'] },
    user: { providersExclude: [] },
    environment: 'four,five',
    sent: {
      call: { providers: { exclude: ['one'] } },
      project: { providers: { exclude: ['two'] } },
      user: {},
      environment: { providers: { exclude: ['four', 'five'] } },
    },
  },
  fullContent: {
    call: { include_full_content: false },
    project: { fullContent: true },
    user: { fullContent: false },
    environment: '1',
    sent: {
      call: {},
      project: { include_full_content: true },
      user: {},
      environment: { include_full_content: true },
    },
  },
  autoRouting: {
    call: { auto_routing: 'accuracy' },
    project: { autoRouting: 'off' },
    user: { autoRouting: 'accuracy' },
    environment: 'off',
    sent: {
      call: { auto_routing: 'accuracy' },
      project: {},
      user: { auto_routing: 'accuracy' },
      environment: {},
    },
  },
};

/** The contract, in one line each. */
const ORDER: readonly Place[] = ['call', 'project', 'user', 'environment'];
const ROUTING_ORDER: readonly Place[] = ['call', 'environment', 'project', 'user'];

const subsets = <T>(items: readonly T[]): T[][] => {
  const [first, ...rest] = items;
  if (first === undefined) return [[]];
  return subsets(rest).flatMap((set) => [set, [first, ...set]]);
};

const sourceOf = (origin: Source['origin'], values: SettingsValues): Source => ({
  origin,
  values,
  placeOf: (name) => `${origin} ${name}`,
});

const settingsOf = (places: readonly Place[], name: SettingName, said: Said) =>
  resolveSettings([
    ...(places.includes('environment')
      ? [sourceOf('environment', readEnvironmentValues({ [variableOf(name)]: said.environment }))]
      : []),
    ...(places.includes('user') ? [sourceOf('user', said.user)] : []),
    ...(places.includes('project') ? [sourceOf('project', said.project)] : []),
  ]);

const NAMES = Object.keys(MATRIX) as SettingName[];
const combinations = NAMES.flatMap((name) =>
  subsets(PLACES).map((places) => [name, places.join('+') || 'nowhere', places] as const),
);

describe('5.5 precedence of every key, set in every combination of places', () => {
  test('these are 6 keys in 16 combinations', () => expect(combinations).toHaveLength(96));

  test.each(combinations)('%s set in %s', (name, _title, places) => {
    const said = MATRIX[name];
    const order = name === 'autoRouting' ? ROUTING_ORDER : ORDER;
    const winner = order.find((place) => places.includes(place));
    const settings = settingsOf(places, name, said);
    const perCall = places.includes('call') ? said.call : {};
    expect(searchOptions(settings, perCall)).toEqual(winner ? said.sent[winner] : {});
    const strongest = order.find((place) => place !== 'call' && places.includes(place));
    expect(settings[name]?.origin).toBe(strongest);
  });
});

describe('5.5 tier and fields, each set in every combination of places', () => {
  const both = subsets(PLACES).flatMap((tierPlaces) =>
    subsets(PLACES).map((fieldPlaces) => [tierPlaces, fieldPlaces] as const),
  );

  test.each(both)('tier in %j, fields in %j', (tierPlaces, fieldPlaces) => {
    const { tier, fields } = MATRIX;
    const valuesOf = (place: 'project' | 'user') => ({
      ...(tierPlaces.includes(place) ? tier[place] : {}),
      ...(fieldPlaces.includes(place) ? fields[place] : {}),
    });
    const settings = resolveSettings([
      sourceOf('project', valuesOf('project')),
      sourceOf('user', valuesOf('user')),
      sourceOf(
        'environment',
        readEnvironmentValues({
          SERVICE_TIER: tierPlaces.includes('environment') ? tier.environment : undefined,
          SERVICE_FIELDS: fieldPlaces.includes('environment') ? fields.environment : undefined,
        }),
      ),
    ]);
    const perCall = {
      ...(tierPlaces.includes('call') ? tier.call : {}),
      ...(fieldPlaces.includes('call') ? fields.call : {}),
    };
    const strongest = ORDER.find((place) => [...tierPlaces, ...fieldPlaces].includes(place));
    // from the same place the fields win
    const expected =
      strongest === undefined
        ? {}
        : (fieldPlaces.includes(strongest) ? fields : tier).sent[strongest];
    expect(searchOptions(settings, perCall)).toEqual(expected);
  });
});

describe('5.5 include and exclude, each set in every place', () => {
  const pairs = [...PLACES, undefined].flatMap((include) =>
    [...PLACES, undefined].map((exclude) => [include, exclude] as const),
  );
  const blockOf =
    (include: readonly string[], exclude: readonly string[]) =>
    (at: { readonly include: Place | undefined; readonly exclude: Place | undefined }) => {
      const valuesOf = (place: Place): SettingsValues => ({
        ...(at.include === place ? { providersInclude: include } : {}),
        ...(at.exclude === place ? { providersExclude: exclude } : {}),
      });
      const settings = resolveSettings(
        (['project', 'user', 'environment'] as const).map((place) =>
          sourceOf(place, valuesOf(place)),
        ),
      );
      return searchOptions(settings, {
        providers: {
          ...(at.include === 'call' ? { include } : {}),
          ...(at.exclude === 'call' ? { exclude } : {}),
        },
      });
    };

  test.each(pairs)(
    'include in %s, exclude in %s: excluded names are removed from include',
    (include, exclude) => {
      const block = blockOf(['a', 'b', 'c'], ['b', 'z'])({ include, exclude });
      if (include && exclude) expect(block).toEqual({ providers: { include: ['a', 'c'] } });
      else if (include) expect(block).toEqual({ providers: { include: ['a', 'b', 'c'] } });
      else expect(block).toEqual(exclude ? { providers: { exclude: ['b', 'z'] } } : {});
    },
  );

  test.each(pairs.filter(([include, exclude]) => include && exclude))(
    'include in %s, exclude in %s: with no provider left, nothing is sent',
    (include, exclude) => {
      expect(() => blockOf(['a'], ['a', 'b'])({ include, exclude })).toThrow(/no provider is left/);
    },
  );

  test('the error names both places', () => {
    const settings = resolveSettings([
      sourceOf('project', { providersInclude: ['a'] }),
      sourceOf('environment', readEnvironmentValues({ SERVICE_PROVIDERS_EXCLUDE: 'a' })),
    ]);
    expect(() => searchOptions(settings)).toThrow(
      'project providersInclude includes a, environment providersExclude excludes a',
    );
    expect(() => searchOptions({}, { providers: { include: [] } })).toThrow(
      'this call includes none',
    );
  });
});

describe('5.5 variables', () => {
  test.each(['true', 'yes', '0', ' 1', '1 ', '01', 'on', ''])(
    'SERVICE_FULL_CONTENT=%j asks for nothing',
    (text) => {
      expect(readEnvironmentValues({ SERVICE_FULL_CONTENT: text })).toEqual({});
    },
  );

  test('an empty variable is not set', () => {
    const empty = Object.fromEntries(NAMES.map((name) => [variableOf(name), ' ']));
    expect(readEnvironmentValues(empty)).toEqual({});
  });

  test('their names', () => {
    expect(NAMES.map(variableOf)).toEqual([
      'SERVICE_TIER',
      'SERVICE_FIELDS',
      'SERVICE_PROVIDERS_INCLUDE',
      'SERVICE_PROVIDERS_EXCLUDE',
      'SERVICE_FULL_CONTENT',
      'SERVICE_AUTO_ROUTING',
    ]);
  });

  test.each([
    ['SERVICE_TIER', 'huge'],
    ['SERVICE_FIELDS', 'url,urls'],
    ['SERVICE_AUTO_ROUTING', 'on'],
  ])('%s=%s is refused by name', (variable, text) => {
    expect(() => readEnvironmentValues({ [variable]: text })).toThrow(variable);
  });
});

test('options that only a call can set are sent unchanged', () => {
  const perCall = { num_results: 7, include_raw: true, provider_overrides: { a: { b: 1 } } };
  expect(searchOptions({}, perCall)).toEqual(perCall);
});

test('auto_routing: off per call overrides the settings, null does not', () => {
  const settings = resolveSettings([sourceOf('project', { autoRouting: 'accuracy' })]);
  expect(searchOptions(settings, { auto_routing: 'off' })).toEqual({});
  expect(searchOptions(settings, { auto_routing: null })).toEqual({ auto_routing: 'accuracy' });
});
