import { BRACKETS } from './brackets.ts';
import { type FaultPlan, MalformedFault, parseFault } from './fault.ts';

/** A fault written inside a query: `[[exa:status=503]]`, `[[*:latency=200]]`. */
interface Directive {
  readonly target: string;
  readonly plan: FaultPlan;
}

const HEAD = /^\s*(\*|[a-z][a-z0-9_-]*)\s*(:?)/i;

/**
 * The faults that `text` asks of this vendor; its own win over those for `*`. Every directive is checked,
 * those for other vendors too, so that a misspelt one fails loudly instead of doing nothing.
 */
export function faultsIn(text: string, vendor: string, vendors: readonly string[]): FaultPlan {
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
