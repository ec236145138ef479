import { isJsonObject, type SearchOutput } from '@trawl/contract';
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
    parsed: { ...parsed, rows, ...clean({ answer, entities, related, verticals }) },
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
  const parts = clean({ answer, entities, related, verticals });
  return { output: { ...output, ...parts, results }, dropped };
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

/** The names under which entries of lists have their address. */
const ADDRESSES = ['url', 'link', 'href', 'page_url', 'source_url'] as const;

/** A copy without entries of lists, at any depth, whose address is denied. */
function without(value: unknown, isDenied: (url: unknown) => boolean): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const isOut = isJsonObject(item)
        ? ADDRESSES.some((name) => isDenied(item[name]))
        : isDenied(item);
      return isOut ? [] : [without(item, isDenied)];
    });
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, without(inner, isDenied)]),
  );
}
