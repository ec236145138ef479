import type { Defaults, ReadDefaults } from '../client/defaults.ts';
import { type PerCall, withoutOff } from '../client/requests.ts';
import type { InteractionRequest } from '../contract/types.ts';
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
  const isIncludedTwice = names != null && search?.providers?.include != null;
  // a step without a query asks no provider; the server refuses both lists together
  if (request.user_input == null || isIncludedTwice) return withoutOff(request);
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
