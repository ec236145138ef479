export type { TrawlAdmin } from './client/admin.ts';
export { type ExecuteOptions, Trawl } from './client/client.ts';
export {
  type Conversation,
  type ConversationOptions,
  type ConversationState,
  createConversation,
  type LineageRequest,
  type Turn,
} from './client/conversation.ts';
export type {
  ContextInput,
  FetchInput,
  PerCall,
  PerCallOptions,
  QueryRequest,
  SearchInput,
} from './client/requests.ts';
export {
  type ContextEvent,
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
} from './contract/answers.ts';
export type * from './contract/types.ts';
export { type WarningGroup, warningsOf } from './contract/warnings.ts';
export type { CallOptions, PaidCallOptions, ResponseHead } from './http/call.ts';
export { createEventParser, type ServerSentEvent } from './http/sse.ts';
export { type Find, type MergedRow, merged } from './text/merge.ts';
export {
  type PagesPrompt,
  type PromptOptions,
  type PromptSource,
  pagesAsPrompt,
} from './text/prompt.ts';
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
} from './values/errors.ts';
export type { ApiKey, TrawlOptions } from './values/options.ts';
export { VERSION } from './values/version.ts';
