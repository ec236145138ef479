import { jsonText } from '@trawl/base';
import { KEY_CALLS } from '@trawl/contract/console';
import { providerSlugs, RequestError, readStore } from '@trawl/router';
import { createKeyChanges, type KeyChangeOptions, type KeyPlace, keyJson } from '@trawl/server';
import type { Store } from '@trawl/store';
import { type ChangeRecording, changerOf } from '../accounts/changer.ts';
import type { ConsoleHandlers } from '../serving/handler.ts';
import { type KeyReads, keyViews } from './key-views.ts';

export interface KeyRouteOptions extends KeyChangeOptions, ChangeRecording {
  readonly store: KeyReads & Pick<Store, 'keys' | 'accounts' | 'changing'>;
}

/** The keys of a project. */
export function keyRoutes(
  options: KeyRouteOptions,
): Pick<
  ConsoleHandlers,
  'listKeys' | 'createKey' | 'readKey' | 'changeKey' | 'rotateKey' | 'deleteKey'
> {
  const { store, clock, deployment } = options;
  const around = {
    providers: [...providerSlugs(deployment)],
    search_providers: [...deployment.searchProviders.keys()],
  };
  const changes = createKeyChanges(options);
  const views = (projectId: string) => readStore(() => keyViews(store, projectId, clock.now()));
  return {
    listKeys: async ({ params }) => {
      const { keys, usageFrom } = await views(params.project_id);
      return { text: jsonText({ keys: [...keys], usage_from: usageFrom, ...around }) };
    },
    readKey: async ({ params }) => {
      const { projectId, keyId } = whereOf(params);
      const { keys, usageFrom } = await views(projectId);
      const key = keys.find(({ id }) => id === keyId);
      if (!key) throw new RequestError(404, 'Key not found');
      const calls = await readStore(() => store.keyUsage.calls(projectId, keyId, KEY_CALLS));
      return { text: jsonText({ key, usage_from: usageFrom, ...around, calls: [...calls] }) };
    },
    createKey: async ({ params, body }, context) => {
      const by = changerOf(context, options);
      const { record, key: secret } = await changes.create(params.project_id, body, by);
      return { text: jsonText({ ...keyJson(record), secret }) };
    },
    changeKey: async ({ params, body }, context) => {
      await changes.change(whereOf(params), body, changerOf(context, options));
      return { empty: true };
    },
    rotateKey: async ({ params, body }, context) => {
      const made = await changes.rotate(whereOf(params), body.grace, changerOf(context, options));
      const { record, key: secret, endsAt } = made;
      return { text: jsonText({ ...keyJson(record), secret, old_expires_at: endsAt }) };
    },
    deleteKey: async ({ params }, context) => {
      await changes.remove(whereOf(params), changerOf(context, options));
      return { empty: true };
    },
  };
}

const whereOf = (params: { readonly project_id: string; readonly key_id: string }): KeyPlace => ({
  projectId: params.project_id,
  keyId: params.key_id.toLowerCase(),
});
