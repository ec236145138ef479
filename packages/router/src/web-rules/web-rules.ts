import { parsedUrl, plainHost, type WebRule, type WebRules as WrittenRules } from '@trawl/contract';
import { formsOf, hasKey, hasSecret } from './secrets.ts';

/** What one list of rules says, ready to be asked. */
export interface RuleList {
  readonly deny: HostSet;
  /** null = all hosts that are not denied. */
  readonly allow: HostSet | null;
  readonly refusesSecrets: boolean;
}

/** The rules on what one request sends and is shown. */
export interface WebRules {
  /** Whether hosts are denied at all. */
  readonly hasHosts: boolean;
  /** The rule against pages of a host, as a URL has it; null = none. */
  readonly ofHost: (hostname: string) => WebRule | null;
  /** The rule against a key or a secret in a text, whatever its host is. */
  readonly ofTokens: (text: string) => WebRule | null;
  /** The rule against asking for an address, which may be the target of a redirect. */
  readonly ofUrl: (url: string) => WebRule | null;
  /** The rule against sending a text. One that is a URL as a whole asks for that page. */
  readonly ofText: (text: string) => WebRule | null;
  /** The rule against sending any text of a JSON value, names of members included. */
  readonly ofValue: (value: unknown) => WebRule | null;
}

export const ruleList = ({ hosts, secrets }: WrittenRules): RuleList => ({
  deny: hostSet(hosts?.deny ?? []),
  allow: hosts?.allow && hosts.allow.length > 0 ? hostSet(hosts.allow) : null,
  refusesSecrets: secrets === 'refuse',
});

const lists = new WeakMap<WrittenRules, RuleList>();

/** The same, made once for rules that stay in memory. */
export function keptRuleList(written: WrittenRules): RuleList {
  const list = lists.get(written) ?? ruleList(written);
  lists.set(written, list);
  return list;
}

/**
 * All of these lists apply, so that one never loosens another.
 * @param ownKeys keys of this server and of providers, which are never sent anywhere
 */
export function webRules(applying: readonly RuleList[], ownKeys: readonly string[]): WebRules {
  const denying = applying.filter(({ deny }) => deny.size > 0);
  const allowing = applying.flatMap(({ allow }) => allow ?? []);
  const refusesSecrets = applying.some((list) => list.refusesSecrets);
  const hasHosts = denying.length > 0 || allowing.length > 0;
  const ofHost = (hostname: string): WebRule | null => {
    if (denying.some(({ deny }) => deny.has(hostname))) return 'hosts.deny';
    return allowing.every((allow) => allow.has(hostname)) ? null : 'hosts.allow';
  };
  const ofTokens = (text: string): WebRule | null => {
    const forms = formsOf(text);
    if (hasKey(forms, ownKeys)) return 'keys';
    return refusesSecrets && hasSecret(forms) ? 'secrets' : null;
  };
  const ofUrl = (url: string): WebRule | null => {
    const token = ofTokens(url);
    if (token !== null || !hasHosts) return token;
    const parsed = parsedUrl(url);
    return parsed && ofHost(parsed.hostname);
  };
  const ofText = (text: string): WebRule | null =>
    hasHosts && IS_URL.test(text) ? ofUrl(text.trim()) : ofTokens(text);
  return { hasHosts, ofHost, ofTokens, ofUrl, ofText, ofValue: (value) => ofParts(value, ofText) };
}

/** What a deployment has of them. */
export interface DeployedRules {
  /** null = none. */
  readonly webRules: WrittenRules | null;
  readonly ownKeys: readonly string[];
}

/** The rules of the deployment, with those of a project. */
export const webRulesOf = (
  { webRules: ofDeployment, ownKeys }: DeployedRules,
  ofProject: WrittenRules | undefined,
): WebRules =>
  webRules(
    [ofDeployment, ofProject].flatMap((written) => (written ? keptRuleList(written) : [])),
    ownKeys,
  );

const IS_URL = /^\s*https?:\/\/\S+\s*$/i;

function ofParts(value: unknown, ofText: WebRules['ofText']): WebRule | null {
  if (typeof value === 'string') return ofText(value);
  if (typeof value === 'number') return ofText(String(value));
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const rule = (Array.isArray(value) ? null : ofText(name)) ?? ofParts(inner, ofText);
    if (rule !== null) return rule;
  }
  return null;
}

/** Hosts of a web rule, as `ruleHost` writes them. */
interface HostSet {
  readonly size: number;
  /** Whether a host, as a URL has it, is one of them or a subdomain of one. */
  readonly has: (hostname: string) => boolean;
}

const ONLY_BELOW = '*.';

/** One look-up for each label of a host, however many hosts there are. */
function hostSet(hosts: readonly string[]): HostSet {
  const names = new Set(hosts);
  return {
    size: names.size,
    has: (hostname) => {
      const host = plainHost(hostname);
      if (host === null) return false;
      if (names.has(host)) return true;
      for (let at = host.indexOf('.'); at >= 0; at = host.indexOf('.', at + 1)) {
        const above = host.slice(at + 1);
        if (names.has(above) || names.has(ONLY_BELOW + above)) return true;
      }
      return false;
    },
  };
}
