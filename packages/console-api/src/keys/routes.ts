import { type Clock, jsonText } from '@trawl/base';
import { KEY_CALLS, type MadeKey } from '@trawl/contract/console';
import { providerSlugs, RequestError, readStore } from '@trawl/router';
import type { IssuedKey } from '@trawl/server';
import type { ConsoleHandlers } from '../serving/handler.ts';
import { createKeyChanges, type KeyChangeOptions, type Where } from './key-changes.ts';
import { type KeyReads, keyViews } from './key-views.ts';

export interface KeyRouteOptions extends Omit<KeyReads, 'keys'>, KeyChangeOptions {
  readonly clock: Clock;
}

/** The keys of a project. */
export function keyRoutes(
  options: KeyRouteOptions,
): Pick<
  ConsoleHandlers,
  'listKeys' | 'createKey' | 'readKey' | 'changeKey' | 'rotateKey' | 'deleteKey'
> {
  const { clock, deployment, keyUsage } = options;
  const around = {
    providers: [...providerSlugs(deployment)],
    search_providers: [...deployment.searchProviders.keys()],
  };
  const changes = createKeyChanges(options);
  const views = (projectId: string) => readStore(() => keyViews(options, projectId, clock.now()));
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
      const calls = await readStore(() => keyUsage.calls(projectId, keyId, KEY_CALLS));
      return { text: jsonText({ key, usage_from: usageFrom, ...around, calls: [...calls] }) };
    },
    createKey: async ({ params, body }, context) => {
      const made = await changes.create(params.project_id, body, context);
      return { text: jsonText(madeKey(made)) };
    },
    changeKey: async ({ params, body }, context) => {
      await changes.change(whereOf(params), body, context);
      return { empty: true };
    },
    rotateKey: async ({ params, body }, context) => {
      const made = await changes.rotate(whereOf(params), body, context);
      return { text: jsonText({ ...madeKey(made), old_expires_at: made.endsAt }) };
    },
    deleteKey: async ({ params }, context) => {
      await changes.remove(whereOf(params), context);
      return { empty: true };
    },
  };
}

const whereOf = (params: { readonly project_id: string; readonly key_id: string }): Where => ({
  projectId: params.project_id,
  keyId: params.key_id.toLowerCase(),
});

const madeKey = ({ key, record }: IssuedKey): MadeKey => ({
  id: record.id,
  name: record.name,
  secret: key,
  expires_at: record.expiresAt,
});
