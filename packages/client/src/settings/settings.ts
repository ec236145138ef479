import type { FIELDS, TIERS } from '../contract/routes.ts';

export type Tier = (typeof TIERS)[number];
export type Field = (typeof FIELDS)[number];

/** The keys of a settings file. */
export interface SettingsValues {
  readonly tier?: Tier | undefined;
  readonly fields?: readonly Field[] | undefined;
  readonly providersInclude?: readonly string[] | undefined;
  readonly providersExclude?: readonly string[] | undefined;
  readonly fullContent?: boolean | undefined;
  readonly autoRouting?: 'accuracy' | 'off' | undefined;
}
export type SettingName = keyof SettingsValues;

/** Where a setting may stand. */
export type SettingOrigin = 'project' | 'user' | 'environment';

/** A setting that applies, and where it stands: a file's path, or a variable's name. */
export interface Resolved<Value> {
  readonly value: Value;
  readonly origin: SettingOrigin;
  readonly place: string;
}

/** The settings that apply, each with its origin. What is set nowhere is absent. */
export type Settings = {
  readonly [Name in SettingName]?: Resolved<Exclude<SettingsValues[Name], undefined>>;
};

/** Settings that a stronger place replaces, the strongest of them first. A key that is set in one place alone is absent. */
export type Overridden = { readonly [Name in SettingName]?: readonly Resolved<unknown>[] };

/** The settings of one place. */
export interface Source {
  readonly origin: SettingOrigin;
  readonly values: SettingsValues;
  /** Where a setting stands in it. */
  placeOf(name: SettingName): string;
}
