import type { InteractionRequest, JsonObject, QueryInput, SearchOptions } from '@trawl/contract';
import type { RecordedContext } from '../interaction/records.ts';
import type { AsRecorded } from '../replay/recorded.ts';

/** A search as it is asked for here: that of a context says so in its record. */
export type AskedSearch = InteractionRequest & {
  readonly context?: RecordedContext | undefined;
};

/** A search or an interaction as validated, with its two spellings merged. */
export interface SearchCommand {
  readonly sessionId: string | undefined;
  readonly userId: string | undefined;
  /** The queries in batch order; empty for an interaction without input. */
  readonly queries: readonly string[];
  /** The input to read back: the query object, `{queries}` for a batch, null without input. */
  readonly userInput: JsonObject | null;
  readonly metadata: JsonObject;
  readonly options: SearchOptions;
  readonly preprocessorNames: readonly string[];
  readonly postprocessorNames: readonly string[];
  /** The context that it is a part of. */
  readonly context: RecordedContext | undefined;
}

/** A search as its record has it; a step without input has no request. */
export const recordedSearch = ({
  userInput,
  options,
  preprocessorNames,
  postprocessorNames,
  context,
}: SearchCommand): AsRecorded => ({
  userInput,
  request: userInput && {
    search: options,
    preprocessor_names: notEmpty(preprocessorNames),
    postprocessor_names: notEmpty(postprocessorNames),
    context,
  },
});

const notEmpty = (names: readonly string[]): readonly string[] | undefined =>
  names.length > 0 ? names : undefined;

const isBatch = (input: QueryInput | readonly QueryInput[]): input is readonly QueryInput[] =>
  Array.isArray(input);

const unique = (names: readonly string[] | undefined): readonly string[] => [...new Set(names)];

/** POST /v1/search passes the same request without user_id and the names, which it ignores. */
export function searchCommand(request: AskedSearch): SearchCommand {
  const input = request.user_input;
  const batch = input === undefined ? [] : isBatch(input) ? input : [input];
  return {
    sessionId: request.session_id,
    userId: request.user_id,
    queries: batch.map(({ query }) => query),
    userInput: input === undefined ? null : isBatch(input) ? { queries: input } : input,
    metadata: request.metadata ?? {},
    options: request.search ?? {},
    preprocessorNames: unique(request.preprocessor_names),
    postprocessorNames: unique(request.postprocessor_names),
    context: request.context,
  };
}
