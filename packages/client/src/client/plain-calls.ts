// Made from the contract by `npm run generate -w @trawl/client`; not to be edited.

import type * as Types from '../contract/types.ts';
import type { CallOptions, PaidCallOptions } from '../http/call.ts';
import type { Connection } from '../values/options.ts';
import { pay, read } from './send.ts';

/** Methods that send what they are given to a route, and return what it answers. */
export class PlainCalls {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Reads one interaction back, as it was answered. */
  readInteraction(
    query: Types.ReadInteractionQuery,
    options?: CallOptions,
  ): Promise<Types.InteractionDetails> {
    return read(this.#connection, { endpoint: 'GET /v1/interactions', query, options });
  }

  /** Checks quotes against the records of a session. Costs nothing. */
  verify(request: Types.VerifyRequest, options?: CallOptions): Promise<Types.VerifyResponse> {
    return read(this.#connection, { endpoint: 'POST /v1/verify', body: request, options });
  }

  /**
   * Records which results of an interaction were used, right or wrong. Replaces earlier feedback on
   * the same results.
   */
  giveFeedback(
    interactionId: string,
    feedback: Types.FeedbackRequest,
    options?: CallOptions,
  ): Promise<Types.FeedbackResponse> {
    return read(this.#connection, {
      endpoint: 'POST /v1/interactions/{interaction_id}/feedback',
      params: { interaction_id: interactionId },
      body: feedback,
      options,
    });
  }

  /** The latest feedback on each result of an interaction. */
  readFeedback(interactionId: string, options?: CallOptions): Promise<Types.FeedbackResponse> {
    return read(this.#connection, {
      endpoint: 'GET /v1/interactions/{interaction_id}/feedback',
      params: { interaction_id: interactionId },
      options,
    });
  }

  /** One page of sessions, newest activity first. */
  listSessions(
    query?: Types.ListSessionsQuery,
    options?: CallOptions,
  ): Promise<Types.SessionsResponse> {
    return read(this.#connection, { endpoint: 'GET /v1/sessions', query, options });
  }

  /** One page of a session's interactions, oldest first. `next_after` is there when more follow. */
  sessionHistory(
    sessionId: string,
    query?: Types.SessionHistoryQuery,
    options?: CallOptions,
  ): Promise<Types.SessionHistoryResponse> {
    return read(this.#connection, {
      endpoint: 'GET /v1/sessions/{session_id}/history',
      params: { session_id: sessionId },
      query,
      options,
    });
  }

  /** A session as a tree of interactions, runs and results. */
  sessionTrajectory(
    sessionId: string,
    query?: Types.SessionTrajectoryQuery,
    options?: CallOptions,
  ): Promise<Types.SessionTrajectoryResponse> {
    return read(this.#connection, {
      endpoint: 'GET /v1/sessions/{session_id}/trajectory',
      params: { session_id: sessionId },
      query,
      options,
    });
  }

  /** Deletes a session with all its records. */
  deleteSession(sessionId: string, options?: CallOptions): Promise<void> {
    return read(this.#connection, {
      endpoint: 'DELETE /v1/sessions/{session_id}',
      params: { session_id: sessionId },
      options,
    });
  }

  /**
   * Asks one provider once, to see whether it works. Costs what one call costs; a failure is in the
   * answer.
   */
  probe(
    provider: string,
    request: Types.ProbeRequest,
    options?: PaidCallOptions,
  ): Promise<Types.ProbeResponse> {
    return pay(
      this.#connection,
      { endpoint: 'POST /v1/providers/{name}/probe', params: { name: provider }, body: request },
      options,
    );
  }

  /** The call a probe would make, and its price. */
  probeDryRun(
    provider: string,
    request: Types.ProbeRequest,
    options?: CallOptions,
  ): Promise<Types.DryRun> {
    return read(this.#connection, {
      endpoint: 'POST /v1/providers/{name}/probe',
      params: { name: provider },
      body: request,
      query: { dry_run: true },
      options,
    });
  }

  /** How good the answers of a search provider are, next to its own of before. */
  providerHealth(provider: string, options?: CallOptions): Promise<Types.HealthReport> {
    return read(this.#connection, {
      endpoint: 'GET /v1/providers/{name}/health',
      params: { name: provider },
      options,
    });
  }

  /** Forgets that a provider is ill, for one that works again. */
  resetProviderHealth(provider: string, options?: CallOptions): Promise<Types.HealthReport> {
    return read(this.#connection, {
      endpoint: 'POST /v1/providers/{name}/health/reset',
      params: { name: provider },
      options,
    });
  }

  /**
   * Makes a watch of a search or of pages. It belongs to this key, and its first run follows within
   * seconds.
   */
  createWatch(watch: Types.NewWatch, options?: CallOptions): Promise<Types.Watch> {
    return read(this.#connection, {
      endpoint: 'POST /v1/watches',
      body: watch,
      buys: true,
      options,
    });
  }

  /** What each run of a watch would call and cost, and a day of them. Nothing is made. */
  createWatchDryRun(watch: Types.NewWatch, options?: CallOptions): Promise<Types.WatchDryRun> {
    return read(this.#connection, {
      endpoint: 'POST /v1/watches',
      body: watch,
      query: { dry_run: true },
      options,
    });
  }

  /** One page of the watches of the project. `next_after` is there when more follow. */
  listWatches(
    query?: Types.ListWatchesQuery,
    options?: CallOptions,
  ): Promise<Types.WatchesResponse> {
    return read(this.#connection, { endpoint: 'GET /v1/watches', query, options });
  }

  readWatch(watchId: string, options?: CallOptions): Promise<Types.Watch> {
    return read(this.#connection, {
      endpoint: 'GET /v1/watches/{watch_id}',
      params: { watch_id: watchId },
      options,
    });
  }

  /** Pauses or resumes a watch, or changes its name or interval. */
  changeWatch(
    watchId: string,
    change: Types.WatchChange,
    options?: CallOptions,
  ): Promise<Types.Watch> {
    return read(this.#connection, {
      endpoint: 'PATCH /v1/watches/{watch_id}',
      params: { watch_id: watchId },
      body: change,
      options,
    });
  }

  /** Makes one run of a watch now. Costs what its search or its pages cost. */
  runWatch(watchId: string, options?: PaidCallOptions): Promise<Types.WatchRun> {
    return pay(
      this.#connection,
      { endpoint: 'POST /v1/watches/{watch_id}/run', params: { watch_id: watchId } },
      options,
    );
  }

  /** The calls a run of a watch would make, and their prices. */
  runWatchDryRun(watchId: string, options?: CallOptions): Promise<Types.DryRun> {
    return read(this.#connection, {
      endpoint: 'POST /v1/watches/{watch_id}/run',
      params: { watch_id: watchId },
      query: { dry_run: true },
      options,
    });
  }

  /** Deletes a watch with its news. What its runs recorded stays. */
  deleteWatch(watchId: string, options?: CallOptions): Promise<void> {
    return read(this.#connection, {
      endpoint: 'DELETE /v1/watches/{watch_id}',
      params: { watch_id: watchId },
      options,
    });
  }

  /** One page of what a watch found that is new. `next_after` is there when more follows. */
  watchNews(
    watchId: string,
    query?: Types.WatchNewsQuery,
    options?: CallOptions,
  ): Promise<Types.NewsResponse> {
    return read(this.#connection, {
      endpoint: 'GET /v1/watches/{watch_id}/news',
      params: { watch_id: watchId },
      query,
      options,
    });
  }

  /** Calls and cost of the key, or of the whole project with permission `manage`. */
  usage(
    query?: Omit<Types.UsageQuery, 'format'>,
    options?: CallOptions,
  ): Promise<Types.UsageReport> {
    return read(this.#connection, { endpoint: 'GET /v1/usage', query, options });
  }

  /** The search providers of this server; with figures for a key that has `manage`. */
  preprocessors(options?: CallOptions): Promise<Types.PreprocessorRoster> {
    return read(this.#connection, { endpoint: 'GET /v1/preprocessors', mayLackKey: true, options });
  }

  /** The fetch providers of this server. */
  fetchProviders(options?: CallOptions): Promise<Types.FetchProviderRoster> {
    return read(this.#connection, {
      endpoint: 'GET /v1/fetch-providers',
      mayLackKey: true,
      options,
    });
  }

  /** Whether the process is up. */
  health(options?: CallOptions): Promise<Types.Health> {
    return read(this.#connection, { endpoint: 'GET /healthz', isOpen: true, options });
  }

  /** Whether the server accepts requests. A 503 is an answer here, not an error. */
  readiness(options?: CallOptions): Promise<Types.Health> {
    return read(this.#connection, {
      endpoint: 'GET /readyz',
      isOpen: true,
      alsoAnswers: 503,
      options,
    });
  }

  /** The server's OpenAPI document. */
  openapi(options?: CallOptions): Promise<Types.JsonObject> {
    return read(this.#connection, { endpoint: 'GET /openapi.json', isOpen: true, options });
  }
}

/** Methods that send what they are given to a route, and return what it answers. */
export class PlainAdminCalls {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** One page of projects. `next_after` is there when more follow. */
  listProjects(
    query?: Types.ListProjectsQuery,
    options?: CallOptions,
  ): Promise<Types.ProjectsResponse> {
    return read(this.#connection, { endpoint: 'GET /v1/admin/projects', query, options });
  }

  /** Makes a project. A name that another one has is refused. */
  createProject(project: Types.NewProject, options?: CallOptions): Promise<Types.AdminProject> {
    return read(this.#connection, {
      endpoint: 'POST /v1/admin/projects',
      body: project,
      buys: true,
      options,
    });
  }

  readProject(projectId: string, options?: CallOptions): Promise<Types.AdminProject> {
    return read(this.#connection, {
      endpoint: 'GET /v1/admin/projects/{project_id}',
      params: { project_id: projectId },
      options,
    });
  }

  /** Sets what is named; null removes a limit. */
  changeProject(
    projectId: string,
    change: Types.ProjectChange,
    options?: CallOptions,
  ): Promise<Types.AdminProject> {
    return read(this.#connection, {
      endpoint: 'PATCH /v1/admin/projects/{project_id}',
      params: { project_id: projectId },
      body: change,
      options,
    });
  }

  /** Deletes a project without keys and recorded sessions. */
  deleteProject(projectId: string, options?: CallOptions): Promise<void> {
    return read(this.#connection, {
      endpoint: 'DELETE /v1/admin/projects/{project_id}',
      params: { project_id: projectId },
      options,
    });
  }

  /** One page of keys, without their secrets. `next_after` is there when more follow. */
  listKeys(query?: Types.ListKeysQuery, options?: CallOptions): Promise<Types.KeysResponse> {
    return read(this.#connection, { endpoint: 'GET /v1/admin/keys', query, options });
  }

  /** Makes a key. Only this answer has its secret. */
  createKey(key: Types.NewKey, options?: CallOptions): Promise<Types.IssuedKey> {
    return read(this.#connection, {
      endpoint: 'POST /v1/admin/keys',
      body: key,
      buys: true,
      options,
    });
  }

  readKey(keyId: string, options?: CallOptions): Promise<Types.AdminKey> {
    return read(this.#connection, {
      endpoint: 'GET /v1/admin/keys/{key_id}',
      params: { key_id: keyId },
      options,
    });
  }

  /** Sets what is named; null removes a limit. `disabled` ends and begins its use. */
  changeKey(
    keyId: string,
    change: Types.KeyChange,
    options?: CallOptions,
  ): Promise<Types.AdminKey> {
    return read(this.#connection, {
      endpoint: 'PATCH /v1/admin/keys/{key_id}',
      params: { key_id: keyId },
      body: change,
      options,
    });
  }

  /** Ends a key for good. */
  deleteKey(keyId: string, options?: CallOptions): Promise<void> {
    return read(this.#connection, {
      endpoint: 'DELETE /v1/admin/keys/{key_id}',
      params: { key_id: keyId },
      options,
    });
  }

  /** Replaces a key by a new one with the same settings. Only this answer has its secret. */
  rotateKey(
    keyId: string,
    rotation: Types.KeyRotation,
    options?: CallOptions,
  ): Promise<Types.RotatedKey> {
    return read(this.#connection, {
      endpoint: 'POST /v1/admin/keys/{key_id}/rotate',
      params: { key_id: keyId },
      body: rotation,
      buys: true,
      options,
    });
  }

  /** One page of the people of the console. `next_after` is there when more follow. */
  listMembers(
    query?: Types.ListMembersQuery,
    options?: CallOptions,
  ): Promise<Types.MembersResponse> {
    return read(this.#connection, { endpoint: 'GET /v1/admin/members', query, options });
  }
}
