import { Trawl } from '../client/client.ts';
import type { Conversation } from '../client/conversation.ts';
import type { PerCallOptions } from '../client/requests.ts';
import type { FetchAnswer, SearchAnswer } from '../contract/answers.ts';
import type { FetchOptions, SearchFilters } from '../contract/types.ts';
import { budgetOf } from '../text/budget.ts';
import { fetchAsText } from '../text/fetch.ts';
import { searchAsText } from '../text/search.ts';
import { checkNames, namesOf } from '../values/names.ts';
import type { FetchToolInput, SearchToolInput } from './inputs.ts';

/** The client of a call, and where it is recorded. */
export interface AskOptions {
  /** `Trawl.fromSettings()` when absent, which is for Node only. */
  readonly client?: Trawl | undefined;
  /** Records all calls in this session; a new one for each call when absent. */
  readonly sessionId?: string | undefined;
  /** Sends its turns, and keeps all calls that share it in one session. */
  readonly conversation?: Conversation | undefined;
}

export interface ToolOptions extends AskOptions {
  /** Replaces the tool's description for the model. */
  readonly description?: string | undefined;
  /** Upper bound of the text for the model; 40,000 when absent, at least 2,000. */
  readonly maxCharacters?: number | undefined;
}

export interface SearchToolOptions extends ToolOptions {
  /**
   * Tier, fields, providers and so on, as in the API. `num_results` applies when the model does not
   * set it; a filter is not replaced by the model's.
   */
  readonly search?: PerCallOptions | undefined;
}

export interface FetchToolOptions extends ToolOptions {
  /**
   * Tier, providers, format and so on, as in the API. `inline_max_chars` is `maxCharacters` when
   * absent.
   */
  readonly fetch?: FetchOptions | undefined;
}

export const ASK_NAMES = namesOf<AskOptions>({
  client: true,
  sessionId: true,
  conversation: true,
});
const TOOL_NAMES = [
  ...ASK_NAMES,
  ...namesOf<Omit<ToolOptions, keyof AskOptions>>({ description: true, maxCharacters: true }),
];

/** Options with the client that makes the calls. */
export type WithClient<Options extends AskOptions> = Options & { readonly client: Trawl };

/**
 * @param owner for the message, such as `the retriever`
 * @throws TrawlError `usage` when an option is unknown, or a settings file is wrong
 */
export function withClient<Options extends AskOptions>(
  owner: string,
  options: Options,
  known: readonly string[],
): WithClient<Options> {
  checkNames(owner, options, known);
  return { ...options, client: options.client ?? Trawl.fromSettings() };
}

export const searchToolOptions = (options: SearchToolOptions): WithClient<SearchToolOptions> =>
  withClient('the tool that searches', options, [...TOOL_NAMES, 'search']);

export const fetchToolOptions = (options: FetchToolOptions): WithClient<FetchToolOptions> =>
  withClient('the tool that fetches', options, [...TOOL_NAMES, 'fetch']);

/**
 * The answer of a fetch, and the offset from which the model reads its pages. Their `content` is
 * whole.
 */
export interface FetchToolAnswer extends FetchAnswer {
  readonly offset: number;
}

/**
 * Options of a call. A call with a signal is sent without an idempotency key, so that aborting it
 * also ends the calls to providers. Any other is retried after a broken connection.
 */
export const askedBy = ({ conversation }: AskOptions, signal: AbortSignal | undefined) => ({
  conversation,
  signal,
  // a model reads what failed in the answer
  throwOnFailure: false,
  idempotencyKey: signal === undefined ? undefined : null,
});

export function searchFor(
  { query = '', queries, num_results, ...filters }: SearchToolInput,
  options: WithClient<SearchToolOptions>,
  signal: AbortSignal | undefined,
): Promise<SearchAnswer> {
  const { client, sessionId: session_id, search } = options;
  const user_input = queries?.map((one) => ({ query: one })) ?? { query };
  const count = num_results === undefined ? {} : { num_results };
  return client.search(
    { user_input, session_id, search: { ...search, ...count, ...withFilters(search, filters) } },
    askedBy(options, signal),
  );
}

/** The model may add filters, but not loosen those of the developer. */
function withFilters(
  search: PerCallOptions | undefined,
  { include_domains, exclude_domains, ...others }: SearchFilters,
): Pick<PerCallOptions, 'filters'> {
  const own = search?.filters ?? {};
  // both lists in one request contradict each other
  const hasDomains = (own.include_domains ?? own.exclude_domains) != null;
  const filters = {
    ...(hasDomains ? {} : { include_domains, exclude_domains }),
    ...others,
    ...own,
  };
  return Object.values(filters).some((value) => value != null) ? { filters } : {};
}

export async function fetchFor(
  { urls, offset = 0 }: FetchToolInput,
  options: WithClient<FetchToolOptions>,
  signal: AbortSignal | undefined,
): Promise<FetchToolAnswer> {
  const { client, sessionId: session_id, fetch } = options;
  const length = fetch?.inline_max_chars ?? budgetOf(options);
  const answer = await client.fetch(
    { urls, session_id, options: { ...fetch, inline_max_chars: offset + length } },
    askedBy(options, signal),
  );
  return { ...answer, offset };
}

/**
 * Creates the function that writes a tool's answers for the model. Checks the options before the
 * first call.
 */
export function searchTexts(options: ToolOptions): (answer: SearchAnswer) => string {
  const maxCharacters = budgetOf(options);
  return (answer) => searchAsText(answer, { maxCharacters });
}

export function fetchTexts(options: ToolOptions): (answer: FetchToolAnswer) => string {
  const maxCharacters = budgetOf(options);
  return (answer) => fetchAsText(answer, { maxCharacters, offset: answer.offset });
}
