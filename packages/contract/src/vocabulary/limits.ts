/** Limits of the contract. Sizes in bytes are of UTF-8 text. */
export const LIMITS = {
  bodyBytes: 1_048_576,
  nestingLevels: 64,
  queriesPerBatch: 32,
  resultsMin: 1,
  resultsMax: 20,
  resultsDefault: 5,
  volumeBudget: 160,
  overridesBytes: 16_384,
  /** More runs that one query gets by `fallback`. */
  fallbackRuns: 2,
  /** A week: how old a recorded answer may be that is served again. */
  searchAgeSeconds: 604_800,
  /** What the cap of one call may say at most, in US dollars. */
  maxCostUsd: 10_000,
  /** Host names in one filter. */
  filterDomains: 50,
  /** Hosts in one list of web rules: of a project, and of the file of the deployment. */
  projectRuleHosts: 1_000,
  fileRuleHosts: 500_000,
  userIdCharacters: 256,
  urlCharacters: 2_048,
  inlineCharactersDefault: 20_000,
  /** Of the query of `options.focus`, and of the passages that it returns. */
  focusQueryCharacters: 2_000,
  focusCharactersMax: 20_000,
  focusCharactersDefault: 4_000,
  /** Of an answer as text for a model. */
  textCharactersMin: 2_000,
  textCharactersMax: 200_000,
  textCharactersDefault: 40_000,
  /** Of a context: tokens, pages that it reads, and seconds until it is answered. */
  contextTokensMin: 500,
  contextTokensMax: 32_000,
  contextTokensDefault: 6_000,
  contextPagesMax: 12,
  contextPagesDefault: 6,
  contextSecondsMin: 3,
  contextSecondsMax: 60,
  contextSecondsDefault: 20,
  /** Of one passage of a context, and of a page that it chooses passages from: code points. */
  contextPassageCharacters: 1_200,
  contextPageCharacters: 200_000,
  /** All rows of one fetch together; a page that does not fit any more is a failed row. */
  fetchBytes: 67_108_864,
  sessionsDefault: 50,
  sessionsMax: 200,
  /** Characters of the first query or URL in a list of sessions. */
  firstInputCharacters: 500,
  historyMax: 1_000,
  /** Interactions of one answer with `type=full` and no `limit`. */
  historyFullDefault: 1_000,
  /**
   * Text of runs, metadata and inputs in one answer of a history or trajectory, in characters; an
   * interaction is never split, and the first is always there.
   */
  historyCharacters: 16_000_000,
  /** Of an id or a name that is sent to find something. */
  idCharacters: 200,
  /** Projects, keys or members in one answer of the operator API. */
  adminPageDefault: 50,
  adminPageMax: 200,
  /** A hundred years: how long a project may keep what is recorded. */
  retentionDays: 36_500,
  /** Rows and days that one usage report spans. */
  usageRows: 10_000,
  usageDays: 400,
  usageDaysDefault: 30,
  /** Results that one request gives feedback on, and characters of its note. */
  feedbackResults: 100,
  noteCharacters: 1_000,
  /** Quotes of one verification, and characters of each. */
  quotes: 100,
  quoteCharacters: 2_000,
  /** Watches of a project, and minutes from one run of a watch to the next (31 days). */
  watches: 100,
  watchMinutesMin: 15,
  watchMinutesMax: 44_640,
  /** News of a watch in one answer. */
  newsDefault: 50,
  newsMax: 200,
  /** Faults that one 422 lists. */
  reportedIssues: 100,
} as const;

/** Limits of what people write in the console. */
export const CONSOLE_LIMITS = {
  nameCharacters: 100,
  emailCharacters: 254,
  passwordMin: 12,
  passwordMax: 128,
  /** Ids, codes and tokens that are sent back. */
  tokenCharacters: 200,
  pathCharacters: 4_000,
  /** Requests a minute. */
  rateLimit: 1_000_000,
  budgetUsd: 10_000_000,
  auditPage: 200,
} as const;
