import { jsonText } from '@trawl/base';
import type { ProviderKey } from '@trawl/contract/console';
import { changeStore, RequestError, readStore } from '@trawl/router';
import { providerVariables, type ServerParts, type SetKey, secret } from '@trawl/server';
import type { AuditTrail, PersonEvent } from '../accounts/audit-trail.ts';
import { factsOf } from '../accounts/request-facts.ts';
import { type ConsoleContext, type ConsoleHandlers, personOf } from '../serving/handler.ts';

export interface ProviderKeyOptions extends Pick<ServerParts, 'providerKeys'> {
  readonly trail: AuditTrail;
  readonly publicUrl: string | undefined;
}

/** The keys of providers that operators set in the console, for operators. */
export function providerKeyRoutes(
  options: ProviderKeyOptions,
): Pick<ConsoleHandlers, 'listProviderKeys' | 'addProviderKey' | 'removeProviderKey'> {
  const { providerKeys } = options;
  const { stored } = providerKeys;
  const view = (key: SetKey) => providerKey(key, providerKeys.isSetByEnvironment(key.provider));
  return {
    listProviderKeys: async () => {
      const keys = await readStore(() => stored.list());
      const providers = settable().map(([slug, setting]) => ({
        slug,
        setting,
        is_set_by_environment: providerKeys.isSetByEnvironment(slug),
      }));
      return { text: jsonText({ obstacle: stored.obstacle(), providers, keys: keys.map(view) }) };
    },
    addProviderKey: async ({ body: { provider, key } }, context) => {
      const change = { action: 'provider_key.added', context } as const;
      const refused = faultOf(provider, key) ?? stored.obstacle();
      if (refused !== null) return refuse(options, change, provider, refused);
      const createdBy = personOf(context).name;
      const made = await changeStore(() =>
        stored.add({ provider, key, createdBy }, entryOf(options, change)),
      );
      if ('refused' in made) return refuse(options, change, provider, made.refused);
      return { text: jsonText(view(made)) };
    },
    removeProviderKey: async ({ params }, context) => {
      const change = { action: 'provider_key.removed', context } as const;
      const id = params.key_id.toLowerCase();
      const removed = await changeStore(() => stored.remove(id, entryOf(options, change)));
      if (!removed) throw new RequestError(404, 'Key not found: it may have been removed already');
      return { empty: true };
    },
  };
}

const providerKey = (key: SetKey, isOverruled: boolean): ProviderKey => ({
  id: key.id,
  provider: key.provider,
  tail: key.tail,
  created_at: key.createdAt,
  created_by: key.createdBy,
  state: !key.isOpen ? 'closed' : isOverruled ? 'overruled' : 'in_use',
});

/** The providers that take a key, each with the variable of the key. */
const settable = (): readonly (readonly [slug: string, setting: string])[] =>
  providerVariables().flatMap(([slug, [setting]]) =>
    setting === undefined ? [] : [[slug, setting] as const],
  );

/** Longer ones are no keys of any vendor. */
const KEY_CHARACTERS = 2_000;

/** Quotes nothing that was sent: a key may be in the wrong place. */
function faultOf(provider: string, key: string): string | null {
  const slugs = settable().map(([slug]) => slug);
  if (!slugs.includes(provider)) {
    return `This provider takes no key here; those that do are ${slugs.join(', ')}`;
  }
  if (key.length > KEY_CHARACTERS) return `key must have at most ${KEY_CHARACTERS} characters`;
  const fault = secret.safeParse(key).error?.issues[0]?.message;
  return fault === undefined ? null : `key ${fault}`;
}

interface Change extends Pick<PersonEvent, 'action'> {
  readonly context: ConsoleContext;
}

async function refuse(
  options: ProviderKeyOptions,
  change: Change,
  provider: string,
  refused: string,
): Promise<never> {
  const isKnown = settable().some(([slug]) => slug === provider);
  const target = { kind: 'provider', id: null, name: isKnown ? provider : null };
  await options.trail.record({ ...eventOf(change), target, refused }, factsOn(options, change));
  throw new RequestError(400, refused);
}

/** The audit entry of a change that is made. */
const entryOf =
  (options: ProviderKeyOptions, change: Change) =>
  ({ id, provider, tail }: SetKey) => {
    const target = { kind: 'provider', id, name: provider };
    const event = { ...eventOf(change), target, detail: { tail } };
    return options.trail.entry(event, factsOn(options, change));
  };

const eventOf = ({ action, context }: Change) => ({ action, by: personOf(context) });
const factsOn = ({ publicUrl }: ProviderKeyOptions, { context }: Change) =>
  factsOf(context.branch, publicUrl);
