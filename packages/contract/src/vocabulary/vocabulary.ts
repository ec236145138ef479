/**
 * The words of the service: tiers, result fields and statuses. All tables of tiers and fields in
 * code and docs are made from these.
 */

export const TIERS = ['minimalist', 'default', 'extended', 'max'] as const;
export type Tier = (typeof TIERS)[number];
export const DEFAULT_TIER: Tier = 'default';

/** Fields of one result row, in the order in which they appear. */
export const ROW_FIELDS = [
  'url',
  'title',
  'rank',
  'summary',
  'excerpt',
  'full_content',
  'publish_date',
  'thumbnail',
  'favicon',
  'source',
  'enrichments',
  'fetch_meta',
] as const;
export type RowField = (typeof ROW_FIELDS)[number];

/**
 * Fields of a run's envelope that a tier or `fields` switches on, in the order in which they
 * appear.
 */
export const ENVELOPE_FIELDS = ['usage', 'answer', 'entities', 'related', 'verticals'] as const;
export type EnvelopeField = (typeof ENVELOPE_FIELDS)[number];

export type ResultField = RowField | EnvelopeField;
export const RESULT_FIELDS: readonly ResultField[] = [...ROW_FIELDS, ...ENVELOPE_FIELDS];

/** Always on the envelope, so naming them in `fields` is allowed and changes nothing. */
export const CONSTANT_ENVELOPE_FIELDS = ['latency_ms', 'warnings'] as const;
export const NAMEABLE_FIELDS = [
  ...ROW_FIELDS,
  ...ENVELOPE_FIELDS,
  ...CONSTANT_ENVELOPE_FIELDS,
] as const;

/** What each tier adds to the tiers before it. */
export const TIER_ADDS: Record<Tier, readonly ResultField[]> = {
  minimalist: ['url', 'title', 'rank'],
  default: ['summary'],
  extended: ['excerpt', 'full_content', 'publish_date', 'usage'],
  max: [
    'thumbnail',
    'favicon',
    'source',
    'enrichments',
    'fetch_meta',
    'answer',
    'entities',
    'related',
    'verticals',
  ],
};

/** The fields of a tier, including those of the tiers below it, in table order. */
export function fieldsOfTier(tier: Tier): readonly ResultField[] {
  const adding = TIERS.slice(0, TIERS.indexOf(tier) + 1).flatMap((step) => TIER_ADDS[step]);
  return RESULT_FIELDS.filter((field) => adding.includes(field));
}

/** Fields of one fetched page that a provider may lack, in the order in which they appear. */
export const PAGE_FIELDS = [
  'title',
  'http_status',
  'canonical_url',
  'cache_state',
  'request_id',
  'js_rendered',
  'pdf_mode',
  'description',
  'raw_html',
  'html',
  'chunks',
  'screenshot',
  'page_count',
  'content_type',
  'summary',
  'language',
  'author',
  'publish_date',
  'favicon',
  'thumbnail',
  'links',
  'images',
  'metadata',
  'usage',
  'media',
  'transcript',
  'excerpt',
  'structured',
  'subpages',
  'enrichments',
] as const;
export type PageField = (typeof PAGE_FIELDS)[number];

/** Fields of one fetched page that the service itself sets. */
export const OWN_PAGE_FIELDS = [
  'content',
  'content_format',
  'warning',
  'provider',
  'latency_ms',
  'content_length',
  'content_sha256',
  'provider_chain',
  'quality',
  'findings',
  // only with options.focus
  'passages',
] as const;
export type FetchField = PageField | (typeof OWN_PAGE_FIELDS)[number];

/** On every row of a fetch, whatever the tier. */
export const CONSTANT_FETCH_FIELDS = [
  'url',
  'status',
  'error',
  'title',
  'content',
  'content_format',
  'content_length',
  'http_status',
  'provider',
  'latency_ms',
  'warnings',
  'truncated',
] as const;

/** What each tier of a fetch adds to the tiers before it. */
export const FETCH_TIER_ADDS: Record<Tier, readonly FetchField[]> = {
  minimalist: [
    'content',
    'content_format',
    'canonical_url',
    'title',
    'http_status',
    'warning',
    'provider',
    'cache_state',
    'request_id',
    'latency_ms',
  ],
  default: ['js_rendered', 'pdf_mode', 'content_length', 'content_sha256', 'description'],
  extended: [
    'raw_html',
    'html',
    'chunks',
    'screenshot',
    'page_count',
    'content_type',
    'summary',
    'language',
    'author',
    'publish_date',
    'favicon',
    'thumbnail',
    'links',
    'images',
    'metadata',
    'provider_chain',
    'quality',
    'findings',
    'usage',
  ],
  max: ['media', 'transcript', 'excerpt', 'structured', 'subpages', 'enrichments'],
};

/** The fields of a tier of a fetch, including those of the tiers below it. */
export function fetchFieldsOfTier(tier: Tier): readonly FetchField[] {
  return TIERS.slice(0, TIERS.indexOf(tier) + 1).flatMap((step) => FETCH_TIER_ADDS[step]);
}

/** Whether rows of a tier have the passages that `options.focus` asks for. */
export const hasPassages = (tier: Tier): boolean => fetchFieldsOfTier(tier).includes('chunks');

/** How a run of a search came to its answer. */
export const CACHE_STATES = ['hit', 'joined', 'miss'] as const;

export const RUN_STATUSES = ['succeeded', 'failed'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const INTERACTION_STATUSES = ['succeeded', 'partially_succeeded', 'failed'] as const;
export type InteractionStatus = (typeof INTERACTION_STATUSES)[number];

/**
 * How an interaction ended for those who read lists, filters and logs: a search by its runs, a
 * fetch by its pages. `status` of a fetch says only whether it could be answered.
 */
export const INTERACTION_OUTCOMES = ['succeeded', 'partial', 'failed'] as const;
export type InteractionOutcome = (typeof INTERACTION_OUTCOMES)[number];

export const outcomeOfStatus = (status: InteractionStatus): InteractionOutcome =>
  status === 'partially_succeeded' ? 'partial' : status;

/** Whether a recorded input is that of a search, not of a fetch. */
export const isSearchInput = (input: object | null): boolean =>
  input !== null && ('query' in input || 'queries' in input);

export const TOPICS = [
  'news',
  'companies',
  'financial_filings',
  'academic_papers',
  'people_profiles',
  'wikipedia_encyclopedia',
  'finance_markets',
  'general',
] as const;
export type Topic = (typeof TOPICS)[number];

/**
 * Topics on which no provider is better than the others: their queries run on the default
 * providers.
 */
export const UNROUTED_TOPICS: ReadonlySet<Topic> = new Set<Topic>(['general', 'finance_markets']);

/** What a key may do in its project. All of them together are "every permission". */
export const PERMISSIONS = ['search', 'fetch', 'read', 'manage'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * The operator API. Only the command line on the server's machine grants it, and a key that has it
 * has no other permission.
 */
export const ADMIN_PERMISSION = 'admin';
export const KEY_PERMISSIONS = [...PERMISSIONS, ADMIN_PERMISSION] as const;
export type KeyPermission = (typeof KEY_PERMISSIONS)[number];

/** Whether it is a key of the operator API. */
export const isAdminKey = ({
  permissions,
}: {
  readonly permissions: readonly KeyPermission[];
}): boolean => permissions.includes(ADMIN_PERMISSION);

/** How long a key stays valid after it was rotated, in minutes. */
export const GRACE_MINUTES = { now: 0, '15m': 15, '1h': 60, '6h': 360, '24h': 1_440 } as const;
export type GracePeriod = keyof typeof GRACE_MINUTES;
export const GRACE_PERIODS = Object.keys(GRACE_MINUTES) as [GracePeriod, ...GracePeriod[]];

/** How a key is. Of several, the first is shown. */
export const KEY_STATES = [
  'revoked',
  'disabled',
  'expired',
  'out_of_budget',
  'nearly_out_of_budget',
  'rate_limited',
  'expires_soon',
  'elevated_failures',
  'operational',
] as const;
export type KeyState = (typeof KEY_STATES)[number];

export const CONTENT_FORMATS = ['markdown', 'text'] as const;
export type ContentFormat = (typeof CONTENT_FORMATS)[number];
/** What a page may hide, or say to programs that read it. */
export const FINDING_KINDS = ['hidden_text', 'invisible_characters', 'text_for_agents'] as const;
export const CHAIN_OUTCOMES = ['answered', 'failed', 'skipped', 'declined'] as const;
/** What a list of sessions may hold in addition to the sessions. */
export const SESSION_PARTS = ['summary'] as const;
export const HISTORY_TYPES = ['short', 'full'] as const;
export const NODE_TYPES = [
  'session',
  'interaction',
  'preprocessor_run',
  'postprocessor_run',
  'result',
  'document',
] as const;

/** The verdicts on a result. */
export const VERDICTS = ['used', 'right', 'wrong'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The version of the normalized search vocabulary; null on fetch answers. */
export const SCHEMA_VERSION = 2;

/** What `novelty` compares with: what earlier answers of the session gave. */
export const NOVELTY = ['session'] as const;

/** Where the text of a source of a context is from. */
export const CONTEXT_TEXTS = ['page', 'row'] as const;

/** Why a page is not in a context. */
export const LEFT_OUT_REASONS = [
  'budget',
  'time',
  'cost',
  'failed',
  'seen',
  'same',
  'refused',
] as const;
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** Words of `search.fallback`; a list of providers is the other form. */
export const FALLBACK_MODES = ['auto', 'off'] as const;
export type FallbackMode = (typeof FALLBACK_MODES)[number];
export const isFallbackMode = (value: unknown): value is FallbackMode =>
  FALLBACK_MODES.some((mode) => mode === value);

/**
 * How a search goes on for a query of which no run succeeded: a mode, or providers in their order.
 */
export type FallbackChoice = FallbackMode | readonly string[];

/** How certain the price of a call is before it is made. */
export const COST_KINDS = ['known', 'estimated', 'unknown'] as const;

/** What usage is summed by, in the order of its rows. */
export const USAGE_GROUPS = ['day', 'provider', 'key_id', 'user_id', 'key_tail'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** What a person may do in a project, from least to most; each includes those before it. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role includes another. */
export const includesRole = (role: Role, needed: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(needed);

export const isRole = (word: string): word is Role => (ROLES as readonly string[]).includes(word);

/** What a person can be invited as: a role in a project, or an operator of the deployment. */
export const INVITED_ROLES = [...ROLES, 'operator'] as const;
export type InvitedRole = (typeof INVITED_ROLES)[number];

/**
 * Whether a person with this role in the project, or an operator, may invite as the wanted role.
 * Without a project, to the operators.
 */
export function mayInvite(
  person: { readonly isOperator: boolean; readonly role: Role | null },
  wanted: { readonly projectId: string | null; readonly role: InvitedRole },
): boolean {
  if (person.isOperator) return true;
  if (wanted.projectId === null || !isRole(wanted.role)) return false;
  return person.role === 'owner' || (person.role === 'admin' && wanted.role !== 'owner');
}

/** What a person may do in the deployment, with the roles by the id of the project. */
export interface Standing {
  readonly isOperator: boolean;
  readonly roles: ReadonlyMap<string, Role>;
}

/**
 * Whether a person may make a link with which another one sets a new password. An operator may for
 * all but operators. Others may for people who sign in by a password only, if they administer all
 * projects of that person with at least the same role.
 */
export function mayResetPassword(
  by: Standing,
  person: Standing & { readonly hasSingleSignOn: boolean },
): boolean {
  if (by.isOperator || person.isOperator) return !person.isOperator;
  if (person.hasSingleSignOn || person.roles.size === 0) return false;
  return [...person.roles].every(([project, role]) => {
    const own = by.roles.get(project);
    return own !== undefined && includesRole(own, 'admin') && includesRole(own, role);
  });
}

/** Who of a project may let a client of `/mcp` log in. */
export const MCP_LOGINS = ['off', 'admins', 'members'] as const;
export type McpLogin = (typeof MCP_LOGINS)[number];

/**
 * What holds for logins of a project where nothing is set; the budget is that of a month, the limit
 * one of requests a minute.
 */
export const LOGIN_DEFAULTS = {
  mcp_login: 'admins',
  mcp_login_budget_usd: 5,
  rate_limit: 60,
} as const;

const ROLE_FOR_LOGIN: Readonly<Record<McpLogin, Role | null>> = {
  off: null,
  admins: 'admin',
  members: 'member',
};

/** Whether a person with this role may have a login for `/mcp` in a project. */
export function mayLogIn(role: Role | null, setting: McpLogin): boolean {
  const needed = ROLE_FOR_LOGIN[setting];
  return role !== null && needed !== null && includesRole(role, needed);
}

/**
 * Who did something: a signed-in person, the command line on the server's machine, an API key, or a
 * caller that is not signed in.
 */
export const AUDIT_ACTORS = ['person', 'command_line', 'key', 'anonymous'] as const;
export type AuditActor = (typeof AUDIT_ACTORS)[number];

export const AUDIT_OUTCOMES = ['succeeded', 'refused'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** What the audit log records. */
export const AUDIT_ACTIONS = [
  'setup.code_created',
  'setup.completed',
  'session.signed_in',
  'session.signed_out',
  'session.revoked',
  'person.renamed',
  'person.password_changed',
  'person.linked',
  'password_link.created',
  'password_link.used',
  'person.deleted',
  'invitation.created',
  'invitation.resent',
  'invitation.revoked',
  'invitation.accepted',
  'key.created',
  'key.changed',
  'key.disabled',
  'key.enabled',
  'key.revoked',
  'key.rotated',
  'key.deleted',
  'login.granted',
  'login.refused',
  'login.ended',
  'login_client.added',
  'login_client.removed',
  'provider_key.added',
  'provider_key.removed',
  'provider.health_reset',
  'member.added',
  'member.role_changed',
  'member.removed',
  'operator.added',
  'operator.removed',
  'project.created',
  'project.renamed',
  'project.limits_changed',
  'project.retention_changed',
  'project.web_rules_changed',
  'project.mcp_login_changed',
  'project.deleted',
  'history.deleted',
  'routing.promoted',
  'routing.reverted',
  'routing.shadow_changed',
  'access.refused',
  'admin.read',
  'admin.refused',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Whether a watch runs. */
export const WATCH_STATES = ['active', 'paused', 'stopped'] as const;
export type WatchState = (typeof WATCH_STATES)[number];
export const SETTABLE_WATCH_STATES = ['active', 'paused'] as const satisfies readonly WatchState[];
/** What ends a key, and with it its watches. */
export const WATCH_STOPS = ['disabled', 'revoked', 'expired', 'deleted'] as const;
export type WatchStop = (typeof WATCH_STOPS)[number];
/** How a run of a watch ended. */
export const WATCH_RUN_STATUSES = ['succeeded', 'partial', 'failed', 'refused'] as const;
export type WatchRunStatus = (typeof WATCH_RUN_STATUSES)[number];
export const NEWS_KINDS = ['result', 'content'] as const;

/** What a provider can be probed for. */
export const PROBE_OPERATIONS = ['search', 'fetch'] as const;
export type ProbeOperation = (typeof PROBE_OPERATIONS)[number];
export const PROBE_STATUSES = ['works', 'page_failed', 'failed'] as const;
/** Whether calls to a provider are sent at present. */
export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;

/** Why single sign-on brought a person back without signing them in. */
export const SINGLE_SIGN_ON_REFUSALS = [
  'cancelled',
  'email_not_verified',
  'invitation_required',
  'failed',
] as const;
export type SingleSignOnRefusal = (typeof SINGLE_SIGN_ON_REFUSALS)[number];

/** The tools of the MCP server; a host gets the usual ones where no others are chosen. */
export const MCP_TOOL_NAMES = [
  'web_search',
  'web_fetch',
  'web_context',
  'search_history',
  'verify_quotes',
  'search',
  'fetch',
] as const;
export type McpToolName = (typeof MCP_TOOL_NAMES)[number];
export const USUAL_MCP_TOOLS: readonly McpToolName[] = [
  'web_search',
  'web_fetch',
  'search_history',
];

/** What a client of `/mcp` may ask a person for: permissions of a key, the scopes of OAuth. */
export const LOGIN_SCOPES = ['search', 'fetch', 'read'] as const satisfies readonly Permission[];
export type LoginScope = (typeof LOGIN_SCOPES)[number];

/** What a web rule says of texts that look like secrets. */
export const SECRET_RULES = ['off', 'refuse'] as const;
/** The rules on what leaves and what is shown, in the order in which they are asked. */
export const WEB_RULES = ['keys', 'secrets', 'hosts.deny', 'hosts.allow'] as const;
export type WebRule = (typeof WEB_RULES)[number];
/** The reason of a row that a web rule refused. */
export const WEB_RULE_REASON = 'web_rule';

/** How good the answers of a provider are, next to its own of before. */
export const HEALTH_STATES = ['well', 'doubtful', 'ill', 'unknown'] as const;
export type HealthState = (typeof HEALTH_STATES)[number];
/** Fields of rows whose absence is counted; the order is that of stored bits, and only grows. */
export const HEALTH_FIELDS = [
  'title',
  'summary',
  'excerpt',
  'full_content',
  'publish_date',
  'thumbnail',
  'favicon',
] as const satisfies readonly RowField[];
export type HealthField = (typeof HEALTH_FIELDS)[number];
/** What is done about a provider that is ill. */
export const HEALTH_ACTIONS = ['none', 'last'] as const;
