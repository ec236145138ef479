import type { InteractionDetails } from '@trawl/contract';
import { isJsonObject, type JsonObject } from '@trawl/contract/json-object';
import { isFallback } from './fallback-runs.ts';
import type { PlannedRequest } from './planned.ts';

/**
 * The request that would repeat a recorded interaction, in a session of its own. A record of a
 * search does not hold its count of results and its overrides: they are absent here. Null for a
 * step without any input.
 */
export function requestOfRecord(
  record: Pick<
    InteractionDetails,
    'user_input' | 'metadata' | 'preprocessor_runs' | 'postprocessor_runs' | 'routing'
  >,
): PlannedRequest | null {
  const { user_input: input, preprocessor_runs: runs, metadata } = record;
  if (input === null) return null;
  const kept = withoutTrajectory(metadata);
  const described = Object.keys(kept).length > 0 ? { metadata: kept } : {};
  if (Array.isArray(input.urls)) {
    const options = runs[0]?.request_payload.options;
    return {
      mode: 'fetch',
      body: { urls: input.urls, ...(isJsonObject(options) ? { options } : {}), ...described },
    };
  }
  const postprocessors = [
    ...new Set(record.postprocessor_runs.map((run) => run.postprocessor_name)),
  ];
  return {
    mode: 'search',
    body: {
      user_input: Array.isArray(input.queries) ? input.queries : input,
      search: searchOptions(record),
      ...(postprocessors.length > 0 ? { postprocessor_names: postprocessors } : {}),
      ...described,
    },
  };
}

function searchOptions({
  preprocessor_runs: runs,
  routing,
}: Pick<InteractionDetails, 'preprocessor_runs' | 'routing'>): JsonObject {
  const outputs = runs
    .map(({ output_payload }) => output_payload)
    .filter((output) => output !== null);
  const output = outputs.find((found) => 'tier' in found);
  const namesOf = (some: typeof runs) => [...new Set(some.map((run) => run.preprocessor_name))];
  const include = namesOf(runs.filter((run) => !isFallback(run)));
  const fallback = namesOf(runs.filter(isFallback));
  return {
    ...(output?.tier ? { tier: output.tier } : {}),
    ...(output && !output.tier && output.fields.length > 0 ? { fields: output.fields } : {}),
    // what ran is known; with auto-routing the choice is made again
    ...(routing ? { auto_routing: 'accuracy' } : include.length > 0 && { providers: { include } }),
    ...(fallback.length > 0 ? { fallback } : {}),
    ...(runs.some((run) => run.raw_payload !== null) ? { include_raw: true } : {}),
  };
}

/** A repeated step is not a step of the same trajectory. */
const withoutTrajectory = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(metadata).filter(([name]) => !/^(?:parent_)?trajectory_(?:id|goal)$/.test(name)),
  );
