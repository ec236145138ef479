import { userInfo } from 'node:os';
import { systemClock } from '@trawl/base';
import type { AuditAction, JsonObject } from '@trawl/contract';
import type { ApiKey, KeySettings, KeyStore } from '@trawl/router';
import { auditEntry } from '@trawl/server';
import type { Store } from '@trawl/store';

interface Change {
  readonly action: AuditAction;
  readonly projectId: string | null;
  readonly target: { readonly kind: string; readonly id: string | null; readonly name: string };
  readonly detail?: JsonObject;
}

type Write = (change: Change) => Promise<void>;

/** Writes what was done on the command line to the audit log, which the console shows. */
export const auditWriter =
  ({ accounts }: Pick<Store, 'accounts'>): Write =>
  (event) => {
    const actor = { kind: 'command_line', id: null, name: userName(), email: null } as const;
    return accounts.audit.write(auditEntry(event, { actor }, systemClock));
  };

/** The keys and projects of a store; each change is in its audit log. */
export function auditedKeys(store: Pick<Store, 'keys' | 'accounts'>): KeyStore {
  const { keys } = store;
  const write = auditWriter(store);
  return { ...keys, ...auditedChanges(keys, write), ...auditedProjects(keys, write) };
}

function auditedChanges(keys: KeyStore, write: Write): Partial<KeyStore> {
  /** Does a change, and writes it if there is such a key. */
  const changed = async (
    id: string,
    action: AuditAction,
    change: () => Promise<boolean>,
    detail?: JsonObject,
  ): Promise<boolean> => {
    const key = (await keys.listKeys(undefined)).find((candidate) => candidate.id === id);
    const isDone = await change();
    if (isDone && key) await write(changeOf(key, action, detail));
    return isDone;
  };
  return {
    createKey: async (key, digest) => {
      await keys.createKey(key, digest);
      await write(changeOf(key, 'key.created', settingsJson(key)));
    },
    revokeKey: (id, at) => changed(id, 'key.revoked', () => keys.revokeKey(id, at)),
    disableKey: (id, at) =>
      changed(id, at === null ? 'key.enabled' : 'key.disabled', () => keys.disableKey(id, at)),
    deleteKey: (id, at) => changed(id, 'key.deleted', () => keys.deleteKey(id, at)),
    changeKey: (id, settings) =>
      changed(id, 'key.changed', () => keys.changeKey(id, settings), settingsJson(settings)),
    replaceKey: (replacement) =>
      changed(replacement.keyId, 'key.rotated', () => keys.replaceKey(replacement), {
        ends_at: replacement.endsAt,
        replaced_by: replacement.successor.id,
      }),
  };
}

function auditedProjects(keys: KeyStore, write: Write): Partial<KeyStore> {
  return {
    ensureProject: async (wanted) => {
      const project = await keys.ensureProject(wanted);
      const { id, name } = project;
      const target = { kind: 'project', id, name };
      // another id = the project existed before
      if (id === wanted.id) await write({ action: 'project.created', projectId: id, target });
      return project;
    },
    limitProject: async (name, limits) => {
      const isKnown = await keys.limitProject(name, limits);
      const id = (await keys.listProjects()).find((project) => project.name === name)?.id ?? null;
      const target = { kind: 'project', id, name };
      const detail = settingsJson(limits);
      if (isKnown) await write({ action: 'project.limits_changed', projectId: id, target, detail });
      return isKnown;
    },
  };
}

const changeOf = (key: ApiKey, action: AuditAction, detail?: JsonObject): Change => ({
  action,
  projectId: key.projectId,
  target: { kind: 'key', id: key.id, name: key.name },
  ...(detail ? { detail } : {}),
});

/** The settings that are named, by the words of the console. Never a secret. */
const settingsJson = (settings: Partial<KeySettings>): JsonObject =>
  Object.fromEntries(
    Object.entries({
      name: settings.name,
      permissions: settings.permissions,
      expires_at: settings.expiresAt,
      rate_limit: settings.rateLimit,
      monthly_budget_micros: settings.monthlyBudgetMicros,
      allowed_providers: settings.allowedProviders,
      no_training: settings.noTraining,
      allowed_domains: settings.allowedDomains,
      profile: settings.profile,
    }).filter(([, value]) => value !== undefined),
  );

/** Who runs the command; null = the system does not know the user. */
function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
