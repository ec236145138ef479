export {
  type Failure,
  type FetchAnswer,
  type FetchEvent,
  type FetchRun,
  type FoundRow,
  failures,
  failuresOf,
  type HasRuns,
  isFetchOutput,
  isSearchOutput,
  pagesOf,
  rowsOf,
  type SearchAnswer,
  type SearchEvent,
  type SearchRun,
} from './answers.ts';
export type { CallOptions, PaidCallOptions, ResponseHead } from './call.ts';
export { type ExecuteOptions, Trawl } from './client.ts';
export {
  type Conversation,
  type ConversationOptions,
  type ConversationState,
  createConversation,
  type LineageRequest,
  type Turn,
} from './conversation.ts';
export {
  isApiError,
  isAuthError,
  isFailedError,
  isProviderUnavailable,
  isRateLimited,
  isTrawlError,
  isValidationError,
  type Refusal,
  TrawlApiError,
  TrawlError,
  type TrawlErrorDetails,
  type TrawlErrorKind,
  TrawlFailedError,
} from './errors.ts';
export type { ApiKey, TrawlOptions } from './options.ts';
export {
  type PagesPrompt,
  type PromptOptions,
  type PromptSource,
  pagesAsPrompt,
} from './prompt.ts';
export type { FetchInput, QueryRequest, SearchInput } from './requests.ts';
export { createEventParser, type ServerSentEvent } from './sse.ts';
export type * from './types.ts';
export { VERSION } from './version.ts';
export { type WarningGroup, warningsOf } from './warnings.ts';
