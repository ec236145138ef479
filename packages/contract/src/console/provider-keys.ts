import { z } from 'zod';
import { dateTimeOut, uuid, uuidOut } from '../schemas/json.ts';
import { CONSOLE_API, type ConsoleRoute } from './route.ts';

/**
 * What a server does with a key: `in_use`; `overruled` by the environment, which wins; `closed`:
 * it was sealed under another secret, so the server cannot open it.
 */
export const PROVIDER_KEY_STATES = ['in_use', 'overruled', 'closed'] as const;

/** A provider's key that was set in the console. The key itself is never sent. */
export const ProviderKey = z.object({
  id: uuidOut,
  provider: z.string(),
  /** Its last four characters; null for a short key. */
  tail: z.string().nullable(),
  created_at: dateTimeOut,
  /** The name of the operator who set it. */
  created_by: z.string(),
  state: z.enum(PROVIDER_KEY_STATES),
});
export type ProviderKey = z.output<typeof ProviderKey>;

export const ProviderKeys = z.object({
  /** Why no key can be set here; null = one can. */
  obstacle: z.string().nullable(),
  /** Every provider that takes a key. */
  providers: z.array(
    z.object({
      slug: z.string(),
      /** The variable of its key. */
      setting: z.string(),
      /** Whether the environment sets its key, and so wins. */
      is_set_by_environment: z.boolean(),
    }),
  ),
  /** The oldest first. */
  keys: z.array(ProviderKey),
});
export type ProviderKeys = z.output<typeof ProviderKeys>;

export const PROVIDER_KEY_ROUTES = {
  listProviderKeys: {
    method: 'GET',
    path: `${CONSOLE_API}/provider-keys`,
    summary: 'The keys of providers that were set in the console, without the keys',
    access: 'operator',
    status: 200,
    response: ProviderKeys,
  },
  addProviderKey: {
    method: 'POST',
    path: `${CONSOLE_API}/provider-keys`,
    summary: 'Set a key of a provider, in addition to those that it has',
    access: 'operator',
    body: z.object({ provider: z.string(), key: z.string() }),
    hasSecret: true,
    status: 200,
    response: ProviderKey,
  },
  removeProviderKey: {
    method: 'DELETE',
    path: `${CONSOLE_API}/provider-keys/{key_id}`,
    summary: 'Remove a key of a provider',
    access: 'operator',
    params: z.object({ key_id: uuid }),
    status: 204,
    response: z.undefined(),
  },
} as const satisfies Record<string, ConsoleRoute>;
