import { jsonText } from '@trawl/base';
import { type ApiKey, RequestError, readStore } from '@trawl/router';
import { keyJson } from '../../admin/json.ts';
import { createKeyChanges, type KeyChangeOptions } from '../../admin/key-changes.ts';
import { createProjectChanges } from '../../admin/project-changes.ts';
import type { Handlers } from '../../http/handler.ts';
import { changerOf, pageOf, refuseRepeatKey } from './shared.ts';

export type KeyHandlers = Pick<
  Handlers,
  'listKeys' | 'createKey' | 'readKey' | 'changeKey' | 'deleteKey' | 'rotateKey'
>;

export function keyHandlers(options: KeyChangeOptions): KeyHandlers {
  const { keys } = options.store;
  const changes = createKeyChanges(options);
  const projects = createProjectChanges(options);
  const find = async (keyId: string): Promise<ApiKey> => {
    const all = await readStore(() => keys.listKeys(undefined));
    const key = all.find(({ id }) => id === keyId);
    if (!key) throw new RequestError(404, 'Key not found');
    return key;
  };
  const placeOf = async (keyId: string) => ({ keyId, projectId: (await find(keyId)).projectId });
  return {
    listKeys: async ({ query: { project_id: projectId, name, ...page } }, context) => {
      if (projectId !== undefined) await projects.find(projectId);
      const all = await readStore(() => keys.listKeys(projectId));
      const found = all.filter((key) => name === undefined || key.name === name);
      const { rows, next } = pageOf(found, page);
      const target = { kind: 'keys' };
      await context.audit({ action: 'admin.read', projectId: projectId ?? null, target });
      return { text: jsonText({ keys: rows.map(keyJson), ...next }) };
    },
    createKey: async ({ body }, context) => {
      refuseRepeatKey(context);
      const { project_id: projectId, ...sent } = body;
      const project = await projects.find(projectId);
      const { key: secret, record } = await changes.create(project.id, sent, changerOf(context));
      return { text: jsonText({ ...keyJson(record), secret }) };
    },
    readKey: async ({ params }, context) => {
      const key = await find(params.key_id);
      await context.audit({
        action: 'admin.read',
        projectId: key.projectId,
        target: { kind: 'key', id: key.id, name: key.name },
      });
      return { text: jsonText(keyJson(key)) };
    },
    changeKey: async ({ params, body }, context) => {
      await changes.change(await placeOf(params.key_id), body, changerOf(context));
      return { text: jsonText(keyJson(await find(params.key_id))) };
    },
    deleteKey: async ({ params }, context) => {
      await changes.remove(await placeOf(params.key_id), changerOf(context));
      return { empty: true };
    },
    rotateKey: async ({ params, body: { grace } }, context) => {
      refuseRepeatKey(context);
      const place = await placeOf(params.key_id);
      const {
        key: secret,
        record,
        endsAt,
      } = await changes.rotate(place, grace, changerOf(context));
      return { text: jsonText({ ...keyJson(record), secret, old_expires_at: endsAt }) };
    },
  };
}
