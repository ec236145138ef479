export {
  connectionSettings,
  conversationSettings,
  type Environment,
  type LoadedSettings,
  loadSettings,
  type SettingsFile,
  type Surroundings,
} from './load.ts';
export { SETTING_NAMES, variableOf } from './read-values.ts';
export { type PerCallOptions, searchOptions } from './search-options.ts';
export type {
  Field,
  Overridden,
  Resolved,
  SettingName,
  SettingOrigin,
  Settings,
  SettingsValues,
  Tier,
} from './settings.ts';
