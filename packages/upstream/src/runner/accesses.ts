import { hash } from 'node:crypto';
import { type Breaker, circuitOf, coolsDown, isAboutKey, type ProviderHealth } from './breaker.ts';
import { keyTailOf } from './secret.ts';
import type { UpstreamFailure, UpstreamTarget } from './types.ts';

/**
 * One of several ways to a provider: one of its keys, or one of its addresses. A provider with one
 * key and one address has none.
 */
export interface Access {
  readonly by: 'key' | 'address';
  /** The target with this key or address alone. */
  readonly target: UpstreamTarget;
  /** The name of its own circuit, which has a hash of the key or address. */
  readonly circuit: string;
}

/** The present state of one key or address. */
export interface AccessHealth extends ProviderHealth {
  /** null = it is too short to be shown, or the provider has no key. */
  readonly keyTail: string | null;
  /** null where keys are what differs. */
  readonly address: string | null;
}

export interface Accesses {
  /**
   * Empty = there is nothing to choose from.
   * @param circuit of the only one wanted, if the provider still has it
   */
  of(target: UpstreamTarget, circuit?: string): readonly Access[];
  /**
   * The key with the fewest calls in progress, of these the one used longest ago; or the first
   * address. One that cools down comes last, then the one whose cool-down ends first. undefined =
   * all are in `used`.
   */
  choose(accesses: readonly Access[], used: ReadonlySet<Access>): Access | undefined;
  /** It does not cool down. */
  passes(access: Access): boolean;
  /** The name of the circuit of one of several keys of a provider, whose own is `circuit`. */
  circuitOf(circuit: string, key: string): string;
  /** A call uses it from now on. Returns the function that ends the use. */
  begin(access: Access): () => void;
  /** Of the provider: open if its own circuit is, or those of all its keys or addresses. */
  health(target: UpstreamTarget): ProviderHealth;
  /** The state of each key or address; of the only one too. */
  states(target: UpstreamTarget): readonly AccessHealth[];
}

/** @param salt makes the hashes in names of circuits useless outside this deployment */
export function createAccesses(breaker: Breaker, salt: string): Accesses {
  const uses = new Map<string, { active: number; last: number }>();
  let begun = 0;

  const useOf = ({ circuit }: Access) => uses.get(circuit) ?? { active: 0, last: 0 };

  const healthOf = (target: UpstreamTarget): ProviderHealth =>
    breaker.health(circuitOf(target.slug, target.operation));

  const waitOf = ({ circuit }: Access): number => breaker.health(circuit).retryAfterMs ?? 0;

  /** Negative = the first one comes first; equal ones stay in their order. */
  const compare = (one: Access, other: Access): number => {
    const wait = waitOf(one) - waitOf(other);
    if (wait !== 0 || one.by === 'address') return wait;
    const [a, b] = [useOf(one), useOf(other)];
    return a.active - b.active || a.last - b.last;
  };

  return {
    of(target, circuit) {
      const accesses = accessesOf(target, salt);
      const own = accesses.find((access) => access.circuit === circuit);
      return own === undefined ? accesses : [own];
    },
    choose: (accesses, used) => accesses.filter((access) => !used.has(access)).toSorted(compare)[0],
    passes: (access) => waitOf(access) === 0,
    circuitOf: (circuit, key) => named(circuit, salt, key),
    begin(access) {
      const use = useOf(access);
      begun += 1;
      use.active += 1;
      use.last = begun;
      uses.set(access.circuit, use);
      return () => {
        use.active -= 1;
      };
    },
    health(target) {
      const own = healthOf(target);
      const accesses = own.retryAfterMs === null ? accessesOf(target, salt) : [];
      if (accesses.length === 0) return own;
      return together(
        own,
        accesses.map(({ circuit }) => breaker.health(circuit)),
      );
    },
    states(target) {
      const accesses = accessesOf(target, salt);
      if (accesses.length === 0) {
        const address = target.credentials.length > 0 ? null : target.baseUrl;
        return [stateOf(target, address, healthOf(target))];
      }
      return accesses.map((access) => {
        const address = access.by === 'key' ? null : access.target.baseUrl;
        return stateOf(access.target, address, breaker.health(access.circuit));
      });
    },
  };
}

/** Empty = there is one key, or one address, or less. */
export function accessesOf(target: UpstreamTarget, salt = ''): readonly Access[] {
  const { credentials, baseUrl, otherBaseUrls = [] } = target;
  const circuit = circuitOf(target.slug, target.operation);
  if (credentials.length > 1) {
    return credentials.map((key) => ({
      by: 'key',
      target: { ...target, credentials: [key] },
      circuit: named(circuit, salt, key),
    }));
  }
  if (otherBaseUrls.length === 0 || baseUrl === null) return [];
  return [baseUrl, ...otherBaseUrls].map((address) => ({
    by: 'address',
    target: { ...target, baseUrl: address, otherBaseUrls: [] },
    circuit: named(circuit, salt, address),
  }));
}

const stateOf = (
  { credentials: [key] }: UpstreamTarget,
  address: string | null,
  health: ProviderHealth,
): AccessHealth => ({ ...health, keyTail: keyTailOf(key), address });

/** Whether a call that failed so may succeed with another key, or at another address. */
export const isOfAccess = ({ by }: Access, { code }: UpstreamFailure): boolean =>
  by === 'key' ? isAboutKey(code) : coolsDown(code);

/** @param own of a circuit that lets calls pass */
function together(own: ProviderHealth, states: readonly ProviderHealth[]): ProviderHealth {
  const passing = states.find(({ retryAfterMs }) => retryAfterMs === null);
  if (passing === undefined) {
    const wait = ({ retryAfterMs }: ProviderHealth) => retryAfterMs ?? 0;
    return states.reduce((soonest, state) => (wait(state) < wait(soonest) ? state : soonest));
  }
  if (own.state !== 'closed') return own;
  return states.find(({ state }) => state === 'closed') ?? passing;
}

const named = (circuit: string, salt: string, text: string): string =>
  `${circuit}:${hash('sha256', `${salt}\n${text}`, 'hex').slice(0, 12)}`;
