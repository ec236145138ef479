import { dropOldest } from '../util/drop-oldest.ts';
import { BRACKETS } from './brackets.ts';
import { type FaultPlan, MalformedFault, parseFault } from './fault.ts';

/** A fault written inside a query: `[[exa:status=503]]`, `[[*:latency=200]]`. */
interface Directive {
  readonly target: string;
  readonly plan: FaultPlan;
}

const HEAD = /^\s*(\*|[a-z][a-z0-9_-]*)\s*(:?)/i;

/**
 * The faults that `text` requests for this vendor; its own take precedence over those for `*`.
 * Every directive is checked, including those for other vendors, so that a misspelt one fails
 * instead of being ignored.
 */
function faultsIn(text: string, vendor: string, vendors: readonly string[]): FaultPlan {
  if (!text.includes('[[')) return {};
  const plans = new Map<string, FaultPlan>();
  for (const { target, plan } of directivesIn(text, vendors)) {
    const earlier = plans.get(target) ?? {};
    const clash = Object.keys(plan).find((member) => Object.hasOwn(earlier, member));
    if (clash) throw new MalformedFault(`two fault directives for ${target} set ${clash}`);
    plans.set(target, { ...earlier, ...plan });
  }
  return { ...plans.get('*'), ...plans.get(vendor) };
}

function directivesIn(text: string, vendors: readonly string[]): readonly Directive[] {
  const found: Directive[] = [];
  for (const [whole, inner = '', close] of text.matchAll(BRACKETS)) {
    const [head = '', name = '', colon] = HEAD.exec(inner) ?? [];
    const target = name.toLowerCase();
    const known = target === '*' || vendors.includes(target);
    // Double brackets around anything else, such as a shell test, are plain query text.
    if (!known && !(colon === ':' && name === target)) continue;
    const wrong = (why: string) => new MalformedFault(`fault directive ${whole}: ${why}`);
    if (!known) throw wrong(`unknown vendor; the vendors are ${vendors.join(', ')} and *`);
    if (close !== ']]') throw wrong('not closed by ]]');
    if (colon !== ':') throw wrong('a colon must follow the vendor');
    try {
      found.push({ target, plan: parseFault(inner.slice(head.length)) });
    } catch (cause) {
      throw cause instanceof MalformedFault ? wrong(cause.message) : cause;
    }
  }
  return found;
}

export interface InjectOptions {
  /** How many calls get the fault; default: all until `clearFaults`. */
  readonly times?: number | undefined;
  /** Only calls to this path of the vendor, such as `/search`. */
  readonly path?: string | undefined;
}

interface Injected {
  readonly target: string;
  readonly plan: FaultPlan;
  readonly path: string | undefined;
  remaining: number;
}

const COUNTED_TEXTS_MAX = 10_000;

/** Decides which faults the next call gets: injected ones and those in its own text. */
export class FaultBook {
  readonly #vendors: readonly string[];
  #injected: Injected[] = [];
  readonly #callsByText = new Map<string, number>();

  constructor(vendors: readonly string[]) {
    this.#vendors = vendors;
  }

  inject(target: string, fault: string, options: InjectOptions = {}): void {
    if (target !== '*' && !this.#vendors.includes(target)) {
      throw new MalformedFault(`unknown vendor "${target}"; use ${this.#vendors.join(', ')} or *`);
    }
    const plan = parseFault(fault);
    if (plan.failFirst !== undefined) {
      throw new MalformedFault('"fail-first" is for directives; inject with times instead');
    }
    const { times, path } = options;
    if (times !== undefined && !(Number.isInteger(times) && times >= 1)) {
      throw new MalformedFault('times must be a whole number of 1 or more');
    }
    const remaining = times ?? Number.POSITIVE_INFINITY;
    this.#injected.push({ target, plan, path, remaining });
  }

  clear(): void {
    this.#injected = [];
    this.#callsByText.clear();
  }

  /**
   * Returns the faults of the next call and counts it. A directive in the text takes precedence
   * over an injected fault.
   */
  next(vendor: string, path: string, text: string): FaultPlan {
    const asked = faultsIn(text, vendor, this.#vendors);
    const plan = { ...this.#takeInjected(vendor, path), ...asked };
    return plan.failFirst === undefined ? plan : this.#failingFirst(vendor, text, plan);
  }

  #takeInjected(vendor: string, path: string): FaultPlan {
    const found = this.#injected.find(
      (entry) =>
        (entry.target === '*' || entry.target === vendor) &&
        (entry.path === undefined || entry.path === path),
    );
    if (!found) return {};
    found.remaining -= 1;
    if (found.remaining <= 0) this.#injected = this.#injected.filter((entry) => entry !== found);
    return found.plan;
  }

  /**
   * Applies the failure only to the first calls with this text; the other settings apply to all
   * calls.
   */
  #failingFirst(vendor: string, text: string, plan: FaultPlan): FaultPlan {
    const { status, retryAfterSeconds, connection, body, failFirst = 0, ...rest } = plan;
    const key = `${vendor}\u0000${text}`;
    const earlier = this.#callsByText.get(key) ?? 0;
    this.#callsByText.delete(key);
    this.#callsByText.set(key, earlier + 1);
    dropOldest(this.#callsByText, COUNTED_TEXTS_MAX);
    if (earlier >= failFirst) return rest;
    const fails = status !== undefined || connection !== undefined || body !== undefined;
    return fails ? plan : { ...plan, status: 503 };
  }
}
