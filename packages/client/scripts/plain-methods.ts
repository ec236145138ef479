import type { ADMIN_ROUTES, RouteId } from '@trawl/contract';

/** What `client.ts` calls itself: conversations, streams and texts go with it. */
type ByHand = 'search' | 'fetch' | 'createInteraction' | 'context' | 'replay' | 'diff';
type AdminRoute = keyof typeof ADMIN_ROUTES;
type DryRuns = 'probeDryRun' | 'createWatchDryRun' | 'runWatchDryRun';
type Plain = Exclude<RouteId, ByHand | AdminRoute> | DryRuns;

/** The plain methods, and what each says to its caller; empty where the name says it all. */
export const METHODS: Readonly<Record<Plain, string>> = {
  readInteraction: 'Reads one interaction back, as it was answered.',
  verify: 'Checks quotes against the records of a session. Costs nothing.',
  giveFeedback:
    'Records which results of an interaction were used, right or wrong. Replaces earlier feedback on the same results.',
  readFeedback: 'The latest feedback on each result of an interaction.',
  listSessions: 'One page of sessions, newest activity first.',
  sessionHistory:
    "One page of a session's interactions, oldest first. `next_after` is there when more follow.",
  sessionTrajectory: 'A session as a tree of interactions, runs and results.',
  deleteSession: 'Deletes a session with all its records.',
  probe:
    'Asks one provider once, to see whether it works. Costs what one call costs; a failure is in the answer.',
  probeDryRun: 'The call a probe would make, and its price.',
  providerHealth: 'How good the answers of a search provider are, next to its own of before.',
  resetProviderHealth: 'Forgets that a provider is ill, for one that works again.',
  createWatch:
    'Makes a watch of a search or of pages. It belongs to this key, and its first run follows within seconds.',
  createWatchDryRun:
    'What each run of a watch would call and cost, and a day of them. Nothing is made.',
  listWatches: 'One page of the watches of the project. `next_after` is there when more follow.',
  readWatch: '',
  changeWatch: 'Pauses or resumes a watch, or changes its name or interval.',
  runWatch: 'Makes one run of a watch now. Costs what its search or its pages cost.',
  runWatchDryRun: 'The calls a run of a watch would make, and their prices.',
  deleteWatch: 'Deletes a watch with its news. What its runs recorded stays.',
  watchNews: 'One page of what a watch found that is new. `next_after` is there when more follows.',
  usage: 'Calls and cost of the key, or of the whole project with permission `manage`.',
  preprocessors: 'The search providers of this server; with figures for a key that has `manage`.',
  fetchProviders: 'The fetch providers of this server.',
  health: 'Whether the process is up.',
  readiness: 'Whether the server accepts requests. A 503 is an answer here, not an error.',
  openapi: "The server's OpenAPI document.",
};

/** Those of the operator API. */
export const ADMIN_METHODS: Readonly<Record<AdminRoute, string>> = {
  listProjects: 'One page of projects. `next_after` is there when more follow.',
  createProject: 'Makes a project. A name that another one has is refused.',
  readProject: '',
  changeProject: 'Sets what is named; null removes a limit.',
  deleteProject: 'Deletes a project without keys and recorded sessions.',
  listKeys: 'One page of keys, without their secrets. `next_after` is there when more follow.',
  createKey: 'Makes a key. Only this answer has its secret.',
  readKey: '',
  changeKey: 'Sets what is named; null removes a limit. `disabled` ends and begins its use.',
  deleteKey: 'Ends a key for good.',
  rotateKey: 'Replaces a key by a new one with the same settings. Only this answer has its secret.',
  listMembers: 'One page of the people of the console. `next_after` is there when more follow.',
};
