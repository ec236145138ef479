// Made from the contract by `npm run generate -w @trawl/client`; not to be edited.

/** A free-form object. */
export type JsonObject = { readonly [key: string]: unknown };

/** Any text: what stands beside it in a union is what is known today. */
type Other = string & Record<never, never>;

export interface SearchRequest {
  /** Groups interactions; minted when absent. */
  readonly session_id?: string | null | undefined;
  /** One query object, or a list of them (a batch). */
  readonly user_input:
    | {
        readonly query: string;
        readonly [key: string]: unknown;
      }
    | readonly {
        readonly query: string;
        readonly [key: string]: unknown;
      }[];
  readonly metadata?: JsonObject | null | undefined;
  readonly search?: SearchOptions | null | undefined;
}

export interface SearchOptions {
  /** Let the service choose providers per query from the query’s topic. */
  readonly auto_routing?: 'accuracy' | null | undefined;
  /** Result field set; `default` when absent. */
  readonly tier?: 'minimalist' | 'default' | 'extended' | 'max' | null | undefined;
  /** Result fields by name. Excludes `tier`. */
  readonly fields?:
    | readonly (
        | 'url'
        | 'title'
        | 'rank'
        | 'summary'
        | 'excerpt'
        | 'full_content'
        | 'publish_date'
        | 'thumbnail'
        | 'favicon'
        | 'source'
        | 'enrichments'
        | 'fetch_meta'
        | 'usage'
        | 'answer'
        | 'entities'
        | 'related'
        | 'verticals'
        | 'latency_ms'
        | 'warnings'
      )[]
    | null
    | undefined;
  readonly providers?:
    | {
        /** Replaces the default provider set. */
        readonly include?: readonly string[] | null | undefined;
        /** Taken from the set that would otherwise run. */
        readonly exclude?: readonly string[] | null | undefined;
      }
    | null
    | undefined;
  readonly provider_overrides?: { readonly [name: string]: JsonObject } | null | undefined;
  /** Results per provider; 5 when absent. */
  readonly num_results?: number | null | undefined;
  /** Adds each run’s original answer as `raw_payload`. */
  readonly include_raw?: boolean | null | undefined;
  /** Asks for whole page text. */
  readonly include_full_content?: boolean | null | undefined;
}

export interface InteractionResponse {
  instance_id: string;
  session_id: string;
  interaction_id: string;
  trajectory_id: string;
  parent_trajectory_id?: string | undefined;
  trajectory_goal?: string | undefined;
  status: 'succeeded' | 'partially_succeeded' | 'failed';
  preprocessor_runs: PreprocessorRun[];
  postprocessor_runs: PostprocessorRun[];
  created_at: string;
  completed_at: string;
  normalized_schema_version: number | null;
  routing:
    | {
        topic:
          | 'news'
          | 'companies'
          | 'financial_filings'
          | 'academic_papers'
          | 'people_profiles'
          | 'wikipedia_encyclopedia'
          | 'finance_markets'
          | 'general'
          | Other
          | null;
        score: number | null;
        providers: string[];
      }[]
    | null;
}

export interface PreprocessorRun {
  id: string;
  preprocessor_name: string;
  status: 'succeeded' | 'failed';
  batch_index: number;
  query: string;
  request_payload: JsonObject;
  /** SearchOutput for a search run, FetchOutput for `web_fetch`; null when the run failed. */
  output_payload: SearchOutput | FetchOutput | null;
  raw_payload: JsonObject | null;
  /** Filled when the run failed. */
  error: RunError | null;
  latency_ms: number | null;
}

export interface SearchOutput {
  schema_version: 2;
  tier: 'minimalist' | 'default' | 'extended' | 'max' | null;
  fields: (
    | 'url'
    | 'title'
    | 'rank'
    | 'summary'
    | 'excerpt'
    | 'full_content'
    | 'publish_date'
    | 'thumbnail'
    | 'favicon'
    | 'source'
    | 'enrichments'
    | 'fetch_meta'
    | 'usage'
    | 'answer'
    | 'entities'
    | 'related'
    | 'verticals'
    | Other
  )[];
  results: ResultRow[];
  usage?: Usage | null | undefined;
  answer?:
    | {
        text: string;
        citations: {
          url: string | null;
          title: string | null;
        }[];
      }
    | null
    | undefined;
  entities?:
    | {
        name: string;
        type: string | null;
        description: string | null;
        url: string | null;
      }[]
    | undefined;
  related?: string[] | undefined;
  verticals?: JsonObject | null | undefined;
  latency_ms: number;
  warnings: Warning[];
}

export interface ResultRow {
  url?: string | undefined;
  title?: string | null | undefined;
  rank?: number | undefined;
  summary?: string | null | undefined;
  excerpt?: string | null | undefined;
  full_content?: string | null | undefined;
  publish_date?: string | null | undefined;
  thumbnail?: string | null | undefined;
  favicon?: string | null | undefined;
  source?:
    | {
        domain: string;
        author: string | null;
      }
    | undefined;
  enrichments?: JsonObject | undefined;
  fetch_meta?:
    | {
        status: number | null;
        cached: boolean | null;
        fetched_at: string | null;
      }
    | null
    | undefined;
}

export interface Usage {
  requests: number;
  units: JsonObject;
  cost_usd: number | null;
  cost_source: 'reported' | 'price_list' | Other | null;
}

export interface Warning {
  code:
    | 'capability_gap'
    | 'count_clamped'
    | 'provider_skipped'
    | 'routing_unavailable'
    | 'provider_error'
    | 'relative_links'
    | 'upstream_error'
    | 'content_truncated'
    | 'upstream_warning'
    | Other;
  message: string;
}

export interface FetchOutput {
  fetched_results: FetchRow[];
  succeeded_count: number;
  failed_count: number;
  warnings: Warning[];
}

export interface FetchRow {
  url: string;
  status: 'succeeded' | 'failed';
  error: JsonObject | null;
  title: string | null;
  content?: string | null | undefined;
  content_format: 'markdown' | 'text' | null;
  content_length: number | null;
  http_status: number | null;
  provider: string | null;
  latency_ms: number | null;
  warnings: Warning[];
  truncated: boolean;
  warning: string | null;
  canonical_url: string | null;
  cache_state: 'hit' | 'miss' | null;
  request_id: string | null;
  js_rendered?: boolean | null | undefined;
  pdf_mode?: 'parsed' | null | undefined;
  content_sha256?: string | null | undefined;
  description?: string | null | undefined;
  raw_html?: string | null | undefined;
  html?: string | null | undefined;
  chunks?: string[] | undefined;
  screenshot?: string | null | undefined;
  page_count?: number | null | undefined;
  content_type?: string | null | undefined;
  summary?: string | null | undefined;
  language?: string | null | undefined;
  author?: string | null | undefined;
  publish_date?: string | null | undefined;
  favicon?: string | null | undefined;
  thumbnail?: string | null | undefined;
  links?: string[] | undefined;
  images?: string[] | undefined;
  metadata?: JsonObject | null | undefined;
  provider_chain?:
    | {
        provider: string;
        outcome: 'answered' | 'failed' | 'skipped' | 'declined' | Other;
        code: string | null;
        latency_ms: number | null;
      }[]
    | undefined;
  usage?: Usage | null | undefined;
  media?: string[] | undefined;
  transcript?: string | null | undefined;
  excerpt?: string | null | undefined;
  structured?: JsonObject | null | undefined;
  subpages?:
    | {
        url: string;
        title: string | null;
        content: string | null;
      }[]
    | undefined;
  enrichments?: JsonObject | undefined;
}

export interface RunError {
  /** One of missing_credential, invalid_credential, rate_limited, quota_exhausted, bad_request, timeout, network_error, upstream_error, bad_response, circuit_open, cancelled, internal_error; open for append. */
  code: string;
  message: string;
  provider: string;
  http_status: number | null;
  retryable: boolean;
  retry_after_ms: number | null;
  warnings: Warning[];
  readonly [key: string]: unknown;
}

export interface PostprocessorRun {
  id: string;
  postprocessor_name: string;
  status: 'succeeded' | 'failed';
  batch_index: number;
  query: string;
  preprocessor_run_ids: string[];
  output_payload: JsonObject;
  error: JsonObject | null;
  latency_ms: number | null;
}

export interface DryRun {
  dry_run: true;
  calls: PlannedCall[];
  /** null when the price of a call is unknown. */
  total_usd: number | null;
}

export interface PlannedCall {
  provider: string;
  /** Of a search: which query. */
  batch_index?: number | undefined;
  /** Of a fetch: which page, as sent. */
  url?: string | undefined;
  cost_usd: number | null;
  /** `estimated`: it depends on what comes back. `unknown`: there is no price for it. */
  cost_kind: 'known' | 'estimated' | 'unknown';
}

export interface ValidationIssue {
  type: string;
  loc: (string | number)[];
  msg: string;
  input: unknown;
  ctx?: JsonObject | undefined;
}

export interface FetchRequest {
  readonly session_id?: string | null | undefined;
  readonly urls: readonly string[];
  readonly options?: FetchOptions | null | undefined;
  readonly metadata?: JsonObject | null | undefined;
}

export interface FetchOptions {
  /** Pins the chain to these; a pinned provider never serves from the cache. */
  readonly providers?: readonly string[] | null | undefined;
  /** false leaves the page text out; true when absent. */
  readonly inline_content?: boolean | null | undefined;
  /** Cap per page; 20000 when absent. */
  readonly inline_max_chars?: number | null | undefined;
  /** `markdown` when absent. */
  readonly content_format?: 'markdown' | 'text' | null | undefined;
  /** `default` when absent. */
  readonly tier?: 'minimalist' | 'default' | 'extended' | 'max' | null | undefined;
  /** Only a cached page younger than this is served. */
  readonly max_age_seconds?: number | null | undefined;
  /** true: the page cache is neither read nor written. */
  readonly no_cache?: boolean | null | undefined;
}

export interface InteractionRequest {
  readonly session_id?: string | null | undefined;
  readonly user_id?: string | null | undefined;
  readonly user_input?:
    | {
        readonly query: string;
        readonly [key: string]: unknown;
      }
    | readonly {
        readonly query: string;
        readonly [key: string]: unknown;
      }[]
    | null
    | undefined;
  /** The same as `search.providers.include`. */
  readonly preprocessor_names?: readonly string[] | null | undefined;
  readonly postprocessor_names?: readonly string[] | null | undefined;
  readonly metadata?: JsonObject | null | undefined;
  readonly search?: SearchOptions | null | undefined;
}

export interface InteractionDetails {
  instance_id: string;
  session_id: string;
  interaction_id: string;
  trajectory_id: string;
  parent_trajectory_id?: string | undefined;
  trajectory_goal?: string | undefined;
  status: 'succeeded' | 'partially_succeeded' | 'failed';
  preprocessor_runs: PreprocessorRun[];
  postprocessor_runs: PostprocessorRun[];
  created_at: string;
  completed_at: string;
  normalized_schema_version: number | null;
  routing:
    | {
        topic:
          | 'news'
          | 'companies'
          | 'financial_filings'
          | 'academic_papers'
          | 'people_profiles'
          | 'wikipedia_encyclopedia'
          | 'finance_markets'
          | 'general'
          | Other
          | null;
        score: number | null;
        providers: string[];
      }[]
    | null;
  user_input: JsonObject | null;
  metadata: JsonObject;
}

export interface SessionsResponse {
  sessions: Session[];
}

export interface Session {
  id: string;
  created_at: string;
  updated_at: string;
  interaction_count: number;
  latest_interaction_at: string;
}

export interface SessionHistoryResponse {
  instance_id: string;
  session_id: string;
  interactions: InteractionRecordSummary[];
  /** Present when there is more: pass it as `after`. */
  next_after?: string | undefined;
}

export interface InteractionRecordSummary {
  id: string;
  session_id: string;
  user_input: JsonObject | null;
  status: 'succeeded' | 'partially_succeeded' | 'failed';
  created_at: string;
  completed_at: string | null;
  /** With type=full. */
  metadata?: JsonObject | undefined;
  /** With type=full. */
  preprocessor_runs?: PreprocessorRun[] | undefined;
  /** With type=full. */
  postprocessor_runs?: PostprocessorRun[] | undefined;
}

export interface SessionTrajectoryResponse {
  instance_id: string;
  session_id: string;
  trajectory: SessionTrajectoryNode;
  /** Present when there is more: pass it as `after`. */
  next_after?: string | undefined;
}

export interface SessionTrajectoryNode {
  node_id: string;
  node_type:
    | 'session'
    | 'interaction'
    | 'preprocessor_run'
    | 'postprocessor_run'
    | 'result'
    | 'document'
    | Other;
  entity_id?: string | undefined;
  /** `entity_id` of the node above. */
  parent_id?: string | undefined;
  label: string;
  data: JsonObject;
  children: SessionTrajectoryNode[];
}

export interface UsageReport {
  from: string;
  /** Not included. */
  to: string;
  /** By day, then provider, key_id and user_id, as far as grouped by them. */
  rows: UsageRow[];
}

export interface UsageRow {
  /** UTC. When grouped by it. */
  day?: string | undefined;
  /** When grouped by it. */
  provider?: string | undefined;
  /** When grouped by it. */
  key_id?: string | undefined;
  /** null = none was given. When grouped by it. */
  user_id?: string | null | undefined;
  /** Requests that may have reached the provider, retries included. */
  calls: number;
  /** Those of the calls whose cost is not known. */
  unpriced_calls: number;
  /** Of the calls whose cost is known; null when there are none. */
  cost_usd: number | null;
}

export interface PreprocessorRoster {
  preprocessors: PreprocessorEntry[];
}

export interface PreprocessorEntry {
  slug: string;
  name: string;
  active_by_default: boolean;
  /** Whether its credential is set, or it needs none. */
  configured: boolean;
  requires_key: boolean;
  /** Most rows one call returns; null when not limited. */
  max_results: number | null;
  /** `native`: a count is sent. `trim`: rows are cut. `page`: one page is returned and cut. */
  count_control: 'native' | 'trim' | 'page' | Other;
  auto_routable: boolean;
  /** Never supplied, at any tier or option. */
  unsupported_fields: (
    | 'url'
    | 'title'
    | 'rank'
    | 'summary'
    | 'excerpt'
    | 'full_content'
    | 'publish_date'
    | 'thumbnail'
    | 'favicon'
    | 'source'
    | 'enrichments'
    | 'fetch_meta'
    | 'usage'
    | 'answer'
    | 'entities'
    | 'related'
    | 'verticals'
    | Other
  )[];
  description: string;
  docs_url: string;
}

export interface FetchProviderRoster {
  fetch_providers: FetchProviderEntry[];
}

export interface FetchProviderEntry {
  name: string;
  in_default_chain: boolean;
  chain_position: number | null;
  requires_key: boolean;
  configured: boolean;
  pin_only: boolean;
  content_formats: ('markdown' | 'text' | Other)[];
  unsupported_fields: string[];
  description: string;
  docs_url: string;
}

export interface Health {
  status: 'ok' | 'unavailable';
  detail?: string | undefined;
}

/** Parameters of: Read one interaction back */
export interface ReadInteractionQuery {
  readonly session_id: string;
  readonly interaction_id: string;
}

/** Parameters of: List sessions, newest activity first */
export interface ListSessionsQuery {
  /** 50 when absent. */
  readonly limit?: number | undefined;
  /** Only sessions whose newest interaction is older: pass the last `latest_interaction_at` to page on. */
  readonly before?: string | undefined;
  /** With `before`: of the sessions at that very time, those whose id comes after this one as well. */
  readonly before_id?: string | undefined;
}

/** Parameters of: Interactions of a session, oldest first */
export interface SessionHistoryQuery {
  /** `short` when absent. */
  readonly type?: 'short' | 'full' | undefined;
  /** All when absent. */
  readonly limit?: number | undefined;
  /** Only interactions after this one. */
  readonly after?: string | undefined;
}

/** Parameters of: Session as a tree of interactions, runs and results */
export interface SessionTrajectoryQuery {
  /** All when absent. */
  readonly limit?: number | undefined;
  /** Only interactions after this one. */
  readonly after?: string | undefined;
}

/** Parameters of: Calls and cost: of the key, or with `manage` of the project */
export interface UsageQuery {
  /** First moment: a date (UTC, from its beginning) or a date-time. 30 days before `to` when absent. */
  readonly from?: string | undefined;
  /** End: a date (UTC, the whole day included) or a date-time (itself not included). Now when absent. */
  readonly to?: string | undefined;
  /** Comma list of day, provider, key_id, user_id; day,provider when absent. */
  readonly group_by?: string | undefined;
}
