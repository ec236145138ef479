import type * as z from 'zod/v4';
import type { SearchAnswer } from '../contract/answers.ts';
import { fetchDescription, searchDescription } from '../text/descriptions.ts';
import {
  type FetchToolAnswer,
  type FetchToolOptions,
  fetchFor,
  fetchTexts,
  fetchToolOptions,
  type SearchToolOptions,
  searchFor,
  searchTexts,
  searchToolOptions,
} from '../tools/ask.ts';
import { FetchToolInput, SearchToolInput } from '../tools/inputs.ts';

export type { FetchToolAnswer, FetchToolOptions, SearchToolOptions };

/** A tool that versions 5 to 7 of the AI SDK accept as it is, without their `tool()`. */
export interface WebTool<Schema extends z.ZodType, Output> {
  readonly description: string;
  readonly inputSchema: Schema;
  /** Returns the whole answer; throws a `TrawlError`, which the SDK reports to the model. */
  readonly execute: (
    input: z.output<Schema>,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<Output>;
  /**
   * The text for the model, within the budget. Version 5 passes the output itself, later ones an
   * object that has it.
   */
  readonly toModelOutput: (given: Output | { readonly output: Output }) => {
    type: 'text';
    value: string;
  };
}

/**
 * A tool that searches the web. The model sets queries, a count and filters; the developer sets
 * everything else.
 */
export function webSearch(
  given: SearchToolOptions = {},
): WebTool<typeof SearchToolInput, SearchAnswer> {
  const options = searchToolOptions(given);
  const textOf = searchTexts(options);
  return {
    description: options.description ?? searchDescription('the tool that fetches pages'),
    inputSchema: SearchToolInput,
    execute: (input, call) => searchFor(input, options, call?.abortSignal),
    toModelOutput: (result) => ({ type: 'text', value: textOf(outputOf(result)) }),
  };
}

/** A tool that reads pages. The model sets URLs, and an offset to read on. */
export function webFetch(
  given: FetchToolOptions = {},
): WebTool<typeof FetchToolInput, FetchToolAnswer> {
  const options = fetchToolOptions(given);
  const textOf = fetchTexts(options);
  return {
    description: options.description ?? fetchDescription('a search'),
    inputSchema: FetchToolInput,
    execute: (input, call) => fetchFor(input, options, call?.abortSignal),
    toModelOutput: (result) => ({ type: 'text', value: textOf(outputOf(result)) }),
  };
}

/** No answer of the API has a member of this name. */
const outputOf = <Output extends object>(given: Output | { readonly output: Output }): Output =>
  'output' in given ? given.output : given;
