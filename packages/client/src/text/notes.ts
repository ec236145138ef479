import { type HasRuns, isSearchOutput, pagesOf } from '../contract/answers.ts';
import type { Usage } from '../contract/types.ts';
import { type WarningGroup, warningsOf } from '../contract/warnings.ts';
import { cutText } from './cut.ts';
import { oneLine } from './fence.ts';

const SHOWN_WARNINGS = 12;

/**
 * The warnings of an answer: all gaps in one line, then each other warning once, the most frequent
 * first, up to `room` characters.
 */
export function warningLines(answer: HasRuns, room = Number.POSITIVE_INFINITY): readonly string[] {
  const groups = warningsOf(answer);
  const others = groups.filter((group) => gapFields(group).length === 0);
  const all = [...gapLine(groups), ...others.map(warningLine)];
  if (all.length === 0) return [];
  const lines: string[] = [];
  let left = room;
  for (const line of all.slice(0, SHOWN_WARNINGS)) {
    left -= line.length;
    if (left < 0) break;
    lines.push(line);
  }
  const more = all.length - lines.length;
  return [['Warnings:', ...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')];
}

/** Gaps that concern the call, not a field of the results. */
const ABOUT_THE_CALL = new Set(['num_results', 'query', 'content_format']);

/**
 * The fields that a gap names: `a, b: x cannot supply these; c: why`. Empty for any other warning.
 */
function gapFields({ code, message }: WarningGroup): readonly string[] {
  if (code !== 'capability_gap') return [];
  return message.split('; ').flatMap((part) => {
    const [names = '', reason] = part.split(': ', 2);
    const fields = names.split(', ');
    const isList = fields.every((name) => /^\w+$/.test(name) && !ABOUT_THE_CALL.has(name));
    return reason !== undefined && isList ? fields : [];
  });
}

function gapLine(groups: readonly WarningGroup[]): readonly string[] {
  const missing = new Map<string, Set<string>>();
  for (const group of groups) {
    for (const field of gapFields(group)) {
      missing.set(field, new Set([...(missing.get(field) ?? []), ...group.providers]));
    }
  }
  if (missing.size === 0) return [];
  const parts = [...missing].map(([field, by]) =>
    by.size > 0 ? `${field} (${[...by].join(', ')})` : field,
  );
  return [`- not supplied: ${oneLine(cutText(parts.join(', '), 1_000))}`];
}

function warningLine({ code, message, count, providers }: WarningGroup): string {
  // provider_error names the failed provider in its message; another one may have read the page
  // after it
  const isNamed = code === 'provider_error' || providers.length === 0;
  const by = isNamed ? '' : ` (${providers.join(', ')})`;
  const text = oneLine(cutText(argumentNames(message), 300));
  return `- ${code}${by}: ${text}${count > 1 ? ` ×${count}` : ''}`;
}

/** Removes `options.`: the arguments of the tools are flat. */
export const argumentNames = (message: string): string => message.replace(/\boptions\.(?=\w)/g, '');

/** The sum of the costs that the answer has, with their providers. Empty without any. */
export function costLine(answer: HasRuns): readonly string[] {
  const { preprocessor_runs: runs = [] } = answer;
  const costs = [
    ...runs.flatMap(({ preprocessor_name, output_payload, cache }) =>
      // a recorded answer shows what it had cost
      isSearchOutput(output_payload) && (cache ?? MISS).state === 'miss'
        ? costOf(preprocessor_name, output_payload.usage)
        : [],
    ),
    ...pagesOf(answer).flatMap(({ provider, usage }) => costOf(provider, usage)),
  ];
  if (costs.length === 0) return [];
  const sum = costs.reduce((total, { usd }) => total + usd, 0);
  const providers = [...new Set(costs.map(({ provider }) => provider))].filter(Boolean);
  return [`Cost: $${Number(sum.toFixed(6))} (${providers.join(', ')})`];
}

const MISS = { state: 'miss' };

const costOf = (provider: string | null, usage: Usage | null | undefined) =>
  typeof usage?.cost_usd === 'number' ? [{ provider, usd: usage.cost_usd }] : [];
