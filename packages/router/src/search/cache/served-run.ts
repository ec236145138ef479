import { type JsonText, readJson, recorded } from '@trawl/base';
import { parseJson, type RunCache, type SearchRun, writeJson } from '@trawl/contract';
import { droppedWarnings } from '@trawl/providers';
import type { AnswerFacts } from '../../interaction/records.ts';
import type { WebRules } from '../../web-rules/web-rules.ts';
import { allowedOutput, showsDenied } from '../denied-parts.ts';
import { type NormalizedRun, RAW_LEFT_OUT, type RowFacts, type Served } from '../normalize.ts';
import type { RunPlan } from '../plan.ts';

/** A recorded run that can answer: it was read whole. */
export interface ReadAnswer extends RecordedAnswer {
  readonly run: SearchRun;
  readonly text: JsonText<SearchRun>;
}

/** The run of a recorded answer; undefined = its text was not read, or it has no rows. */
export function readAnswer(answer: RecordedAnswer): ReadAnswer | undefined {
  const { text } = answer;
  if (text === null) return undefined;
  const run = readJson(text);
  return run.output_payload ? { ...answer, text, run } : undefined;
}

/**
 * The run of a plan that a recorded one answers. The answer is as it was; the warnings about the
 * request are those of this one.
 */
export function servedRun(
  plan: RunPlan,
  { run: then, ownWarnings, hidden, interactionId, costMicros }: ReadAnswer,
  { id, cache, rules }: { readonly id: string; readonly cache: RunCache; readonly rules: WebRules },
): NormalizedRun {
  const recordedOutput = then.output_payload ?? null;
  const allowed = recordedOutput && allowedOutput(recordedOutput, rules);
  const dropped = allowed?.dropped ?? new Map();
  const { slug } = plan.provider.declaration;
  const isCensored =
    then.raw_payload !== null && (dropped.size > 0 || showsDenied(then.raw_payload, rules));
  const output = allowed && {
    ...allowed.output,
    warnings: [
      ...plan.warnings,
      ...allowed.output.warnings.slice(ownWarnings),
      ...droppedWarnings(slug, dropped),
      ...(isCensored ? [RAW_LEFT_OUT] : []),
    ],
  };
  const run = recorded<SearchRun>({
    ...then,
    id,
    batch_index: plan.batchIndex,
    query: plan.query,
    output_payload: output,
    raw_payload: isCensored ? null : then.raw_payload,
    latency_ms: null,
    cache,
  });
  const served: Served = { from: interactionId, savedMicros: costMicros };
  return {
    run,
    cost: NOT_ASKED,
    rows: hidden === null ? [] : allowedRows(hiddenRows(hidden), rules),
    resultCount: output?.results.length ?? 0,
    served,
  };
}

/** The cost of a run that was answered without a call. */
export const NOT_ASKED = { calls: 0, costUsd: 0, source: null, keyTail: null } as const;

const allowedRows = <Row extends { readonly domain: string }>(
  rows: readonly Row[],
  rules: WebRules,
): readonly Row[] => rows.filter(({ domain }) => rules.ofHost(domain) === null);

/** The newest recorded run of a fingerprint. */
export interface RecordedAnswer extends Omit<AnswerFacts, 'fingerprint'> {
  readonly interactionId: string;
  /** null = it is older than what was wanted. */
  readonly text: JsonText<SearchRun> | null;
}

/** Reads recorded runs that may answer others. */
export interface AnswerReader {
  /**
   * The newest answer of each fingerprint that has one in the project.
   * @param notBefore only answers of this time and later come with their text
   */
  newestAnswers(
    projectId: string,
    fingerprints: readonly string[],
    notBefore: string,
  ): Promise<ReadonlyMap<string, RecordedAnswer>>;
}

/** The members of a row that merged lists and postprocessors read. */
const MEMBERS = [
  'url',
  'domain',
  'title',
  'summary',
  'excerpt',
  'publish_date',
  'author',
] as const satisfies readonly (keyof RowFacts)[];

/** Rows as they are kept next to a run that may not show all of their members. */
export const hiddenText = (rows: readonly RowFacts[]): string =>
  writeJson(rows.map((row) => MEMBERS.map((member) => row[member])));

/** The rows of `hiddenText`. */
function hiddenRows(text: string): readonly RowFacts[] {
  // what `hiddenText` wrote
  const rows = parseJson(text) as (string | null)[][];
  return rows.map(
    (values) =>
      Object.fromEntries(
        MEMBERS.map((member, at) => [member, values[at] ?? null]),
      ) as unknown as RowFacts,
  );
}
