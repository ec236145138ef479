import type { Context, InteractionResponse, Warning } from '@trawl/contract';

/** About fields of rows, which no one sees in a context; not about what the caller asked for. */
const isAboutRows = ({ code, message }: Warning): boolean =>
  code === 'content_truncated' ||
  (code === 'capability_gap' && !/^(?:max_age_seconds|num_results):/.test(message));

/** What failed or was adjusted in the parts of a context, each once. */
export function contextWarnings(
  search: InteractionResponse,
  pages: InteractionResponse | null,
  context: Context,
): Warning[] {
  const all = [
    ...[search, pages].flatMap((part) => part?.preprocessor_runs ?? []).flatMap(runWarnings),
    ...nothingFits(context),
  ];
  const named = new Map(all.map((warning) => [`${warning.code} ${warning.message}`, warning]));
  return [...named.values()].filter((warning) => !isAboutRows(warning));
}

function runWarnings(run: InteractionResponse['preprocessor_runs'][number]): readonly Warning[] {
  const { preprocessor_name: name, output_payload: output, error } = run;
  if (error !== null) {
    const message = `${name}: ${error.code}: ${error.message}`;
    const adjusted = Array.isArray(error.warnings) ? (error.warnings as Warning[]) : [];
    return [{ code: 'provider_error', message }, ...adjusted];
  }
  const rows = output && 'fetched_results' in output ? output.fetched_results : [];
  return [...(output?.warnings ?? []), ...rows.flatMap(({ warnings }) => warnings)];
}

function nothingFits({ sources, left_out }: Context): readonly Warning[] {
  const isCrowded = sources.length === 0 && left_out.some(({ reason }) => reason === 'budget');
  if (!isCrowded) return [];
  const message = 'max_tokens: no passage fits into it; ask for more tokens';
  return [{ code: 'nothing_fits', message }];
}
