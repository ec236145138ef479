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

/** Where a setting may come from. */
export type SettingOrigin = 'project' | 'user' | 'environment';

/** A setting that applies, and its place: the path of a file, or the name of a variable. */
export interface Resolved<Value> {
  readonly value: Value;
  readonly origin: SettingOrigin;
  readonly place: string;
}

/** The settings that apply, each with its origin. A setting that is not set is absent. */
export type Settings = {
  readonly [Name in SettingName]?: Resolved<Exclude<SettingsValues[Name], undefined>>;
};

/**
 * Settings overridden by a place of higher precedence, highest first. A key that is set in one
 * place only is absent.
 */
export type Overridden = { readonly [Name in SettingName]?: readonly Resolved<unknown>[] };

/** The settings of one place. */
export interface Source {
  readonly origin: SettingOrigin;
  readonly values: SettingsValues;
  /** The place of a setting: the path of the file, or the name of the variable. */
  placeOf(name: SettingName): string;
}
