import type { PageField, Warning } from '@trawl/contract';
import { type FetchFacts, type ParsedPage, pageGapsOf } from '@trawl/providers';
import { type Deployment, keylessWarning } from '../deployment/deployment.ts';
import { planFor } from './chain.ts';
import type { PageOptions } from './command.ts';
import type { FetchedPage, MeasuredText } from './normalize.ts';

/** The warnings of a row: failed attempts, missing fields, cut texts. */
export function warningsOf(
  fetched: FetchedPage,
  options: PageOptions,
  deployment: Deployment,
  text: MeasuredText | null,
): Warning[] {
  const { result } = fetched;
  if (result.kind === 'failed') return [...result.warnings];
  const provider = deployment.fetchProviders.get(result.provider);
  const facts = provider?.declaration;
  const isAsked = provider && 'target' in provider && !result.isCached;
  return [
    ...result.warnings,
    ...(isAsked ? keylessWarning(provider) : []),
    ...result.page.remarks,
    ...(text?.isCut ? [cutWarning(text, options)] : []),
    ...(options.fields.has('passages') && fetched.passages === null ? [UNFOCUSED] : []),
    ...(facts ? gapWarnings(facts, fetched, result.page, options) : []),
  ];
}

/** `warning`: all warnings except gaps, as one text; null without any. */
export function warningText(warnings: readonly Warning[]): string | null {
  const shown = warnings.filter(({ code }) => code !== 'capability_gap');
  return shown.length > 0 ? shown.map(({ message }) => message).join('; ') : null;
}

const UNFOCUSED: Warning = {
  code: 'focus_ignored',
  message: 'focus: the passages of this page could not be found in time',
};

const isMissing = (value: ParsedPage[PageField]): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

function cutWarning({ length }: MeasuredText, { inlineMaxCharacters }: PageOptions): Warning {
  return {
    code: 'content_truncated',
    message: `content: the first ${inlineMaxCharacters} of ${length} characters; raise options.inline_max_chars for more`,
  };
}

/**
 * One entry for all fields that the provider cannot supply here, one for a format that it does not
 * offer.
 */
function gapWarnings(
  facts: FetchFacts,
  { target, result, knownTitle, passages }: FetchedPage,
  page: ParsedPage,
  options: PageOptions,
): readonly Warning[] {
  const isCached = result.kind === 'page' && result.isCached;
  const plan = planFor({ declaration: facts }, target, options, 0);
  const ofPage = page.gaps?.filter(({ field }) => plan.fields.has(field)) ?? [];
  const isFocused = options.fields.has('passages') && passages !== null;
  const gaps = [...pageGapsOf(facts.capabilities, plan), ...ofPage].filter(
    ({ field }) =>
      !(field === 'title' && knownTitle !== null) &&
      !(field === 'cache_state' && isCached) &&
      !(isFocused && (field === 'chunks' || field === 'excerpt')) &&
      // a page cached at a higher tier may have fields that this tier does not ask for
      isMissing(page[field]),
  );
  const plain = gaps.filter(({ reason }) => reason === null).map(({ field }) => field);
  const parts = [
    ...(plain.length > 0 ? [`${plain.join(', ')}: ${facts.slug} cannot supply these`] : []),
    ...gaps
      .filter(({ reason }) => reason !== null)
      .map(({ field, reason }) => `${field}: ${reason}`),
  ];
  const warnings: Warning[] =
    parts.length > 0 ? [{ code: 'capability_gap', message: parts.join('; ') }] : [];
  const age = isCached ? null : ageGap(facts, options);
  if (age !== null) warnings.push({ code: 'capability_gap', message: age });
  if (page.content_format !== options.contentFormat) {
    warnings.push({
      code: 'capability_gap',
      message: `content_format: ${facts.slug} delivers ${page.content_format} only`,
    });
  }
  return warnings;
}

/**
 * What to say of a provider that cannot serve pages as young as the caller wants; null = it can.
 */
function ageGap(
  { slug, lowestMaxAgeSeconds: lowest }: FetchFacts,
  { maxAgeSeconds, noCache }: PageOptions,
): string | null {
  if (maxAgeSeconds === null || noCache) return null;
  if (lowest === null) return `max_age_seconds: ${slug} cannot limit the age of its copies`;
  if (maxAgeSeconds >= lowest) return null;
  return `max_age_seconds: ${slug} accepts no age below ${lowest} s, so this copy may be that old`;
}
