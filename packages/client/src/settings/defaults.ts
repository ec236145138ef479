import type { Defaults, ReadDefaults } from '../client/defaults.ts';
import { type PerCall, withoutOff } from '../client/requests.ts';
import type { InteractionRequest } from '../contract/types.ts';
import { isObject } from '../values/json.ts';
import { conversationSettings, loadSettings } from './load.ts';
import { searchOptions } from './search-options.ts';
import type { Settings } from './settings.ts';

/** The defaults of a client in this process: its working directory, its user and its variables. */
export const readDefaults: ReadDefaults = (): Defaults => {
  const { settings } = loadSettings();
  const { incremental = true } = conversationSettings();
  return { fill: (request) => filled(settings, request), incremental };
};

function filled(settings: Settings, request: PerCall<InteractionRequest>): InteractionRequest {
  const { search, preprocessor_names: names, ...rest } = request;
  // a step without a query asks no provider
  if (request.user_input == null || isRefused(request)) return withoutOff(request);
  // the names are the included providers of this call
  const given = names == null ? search?.providers : { ...search?.providers, include: names };
  const block = searchOptions(settings, { ...search, providers: given });
  if (names != null) {
    const { providers, ...others } = block;
    return { ...rest, preprocessor_names: providers?.include ?? names, search: others };
  }
  // without options, the request stays as it was
  return search == null && Object.keys(block).length === 0 ? rest : { ...rest, search: block };
}

/**
 * Whether the server refuses the request in any case. It says why, so the request is sent as it is.
 */
function isRefused({ search, preprocessor_names: names }: PerCall<InteractionRequest>): boolean {
  const providers = search?.providers;
  if ([search, providers].some((block) => block != null && !isObject(block))) return true;
  const lists: readonly unknown[] = [providers?.include, providers?.exclude, names];
  if (lists.some((list) => list != null && !Array.isArray(list))) return true;
  return names != null && providers?.include != null;
}
