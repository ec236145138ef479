import { isJsonObject, type JsonObject, type SearchOutput } from '@trawl/contract';
import { comparableUrl, type DropReason, type ParsedSearch } from '@trawl/providers';
import type { WebRules } from '../web-rules/web-rules.ts';

/** How many parts each rule dropped. */
export type DroppedParts = ReadonlyMap<DropReason, number>;

const NONE: DroppedParts = new Map();

/** What a vendor answered, without rows and other entries of hosts that a web rule denies. */
export function withoutDenied(
  parsed: ParsedSearch,
  rules: WebRules | undefined,
): { readonly parsed: ParsedSearch; readonly dropped: DroppedParts } {
  if (!rules?.hasHosts) return { parsed, dropped: NONE };
  const { clean, isDenied, dropped } = cleaner(rules);
  const rows = parsed.rows
    .filter(({ url }) => !isDenied(url))
    .map((row) => ({ ...row, enrichments: clean(row.enrichments) }));
  const { answer, entities, related, verticals } = parsed;
  return {
    parsed: { ...parsed, rows, ...cleanParts({ answer, entities, related, verticals }, clean) },
    dropped,
  };
}

/** The same for an answer as it was recorded; ranks have no holes. */
export function allowedOutput(
  output: SearchOutput,
  rules: WebRules,
): { readonly output: SearchOutput; readonly dropped: DroppedParts } {
  if (!rules.hasHosts) return { output, dropped: NONE };
  const { clean, isDenied, dropped } = cleaner(rules);
  const { answer, entities, related, verticals } = output;
  const results = output.results
    .filter(({ url }) => !isDenied(url))
    .map((row, index) => ({
      ...row,
      ...(row.rank === undefined ? {} : { rank: index + 1 }),
      ...clean({ enrichments: row.enrichments }),
    }));
  const parts = cleanParts({ answer, entities, related, verticals }, clean);
  return { output: { ...output, ...parts, results }, dropped };
}

type Clean = ReturnType<typeof cleaner>['clean'];

/** An answer in words says what its sources say: without any that may be shown it is left out. */
function cleanParts<Parts extends Pick<SearchOutput, 'answer'>>(parts: Parts, clean: Clean): Parts {
  const left = clean(parts);
  const isUnfounded = parts.answer?.citations.length && left.answer?.citations.length === 0;
  return isUnfounded ? { ...left, answer: null } : left;
}

function cleaner(rules: WebRules) {
  const dropped = new Map<DropReason, number>();
  const isDenied = (url: unknown): boolean => {
    const address = typeof url === 'string' ? comparableUrl(url) : null;
    const rule = address && rules.ofHost(address.domain);
    if (!rule) return false;
    dropped.set(rule, (dropped.get(rule) ?? 0) + 1);
    return true;
  };
  const clean = <Value>(value: Value) => without(value, isDenied) as Value;
  return { clean, isDenied, dropped };
}

/** The names under which parts have their address, without `_` and in lower case. */
const ADDRESSES: ReadonlySet<string> = new Set([
  ...['url', 'uri', 'link', 'href', 'permalink', 'website', 'homepage'],
  ...['pageurl', 'sourceurl', 'canonicalurl', 'finalurl', 'weburl', 'siteurl'],
]);

const isAddress = (name: string): boolean => ADDRESSES.has(name.replaceAll('_', '').toLowerCase());

/** A copy without parts, at any depth, whose address is denied: of a member is left null. */
function without(value: unknown, isDenied: (url: unknown) => boolean): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const isOut = isJsonObject(item) ? hasAddress(item, isDenied) : isDenied(item);
      return isOut ? [] : [without(item, isDenied)];
    });
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isJsonObject(inner) && hasAddress(inner, isDenied) ? null : without(inner, isDenied),
    ]),
  );
}

const hasAddress = (part: JsonObject, isDenied: (url: unknown) => boolean): boolean =>
  Object.entries(part).some(([name, inner]) => isAddress(name) && isDenied(inner));

/**
 * Whether an answer as it came shows a denied host: any URL of one that `hosts.deny` names, and the
 * address of a part of one that `hosts.allow` does not name.
 */
export function showsDenied(value: unknown, rules: WebRules, name?: string): boolean {
  if (!rules.hasHosts || value === null) return false;
  if (typeof value === 'string') {
    const address = IS_URL.test(value) ? comparableUrl(value) : null;
    const rule = address && rules.ofHost(address.domain);
    return rule === 'hosts.deny' || (rule !== null && (name === undefined || isAddress(name)));
  }
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.some((item) => showsDenied(item, rules));
  return Object.entries(value).some(([member, inner]) => showsDenied(inner, rules, member));
}

const IS_URL = /^https?:/i;
