import type { KeyPermission, KeyProfile, McpLogin, WebRules } from '@trawl/contract';
import type { AllowedDomains } from './allowed-domains.ts';

/** Limits of a key or of all keys of a project. null = no limit. */
export interface Limits {
  /** Requests a minute. */
  readonly rateLimit: number | null;
  /** Millionths of a US dollar a calendar month, in UTC. */
  readonly monthlyBudgetMicros: number | null;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Absent without limits. */
  readonly limits?: Limits;
  /**
   * How long its interactions are kept; 0 = for ever, absent = as the setting of the deployment
   * says.
   */
  readonly retentionDays?: number;
  /** Absent without any. */
  readonly webRules?: WebRules;
  /** Who may let clients of `/mcp` log in; absent = as `LOGIN_DEFAULTS`. */
  readonly mcpLogin?: McpLogin;
  /** The monthly budget of each new login; absent = as `LOGIN_DEFAULTS`. */
  readonly loginBudgetMicros?: number;
}

/** What can be changed about a key after it was made. */
export interface KeySettings extends Limits {
  readonly name: string;
  readonly permissions: readonly KeyPermission[];
  /** ISO 8601; null = never. */
  readonly expiresAt: string | null;
  /** Slugs of the only providers that it may use; null = all. */
  readonly allowedProviders: readonly string[] | null;
  /** Whether it may only use providers that train no models on what is sent. */
  readonly noTraining: boolean;
  readonly allowedDomains: AllowedDomains;
  /** What it asks for where its requests do not say; null = nothing. */
  readonly profile: KeyProfile | null;
}

export interface ApiKey extends KeySettings {
  readonly id: string;
  readonly projectId: string;
  readonly lastFour: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
  /** A disabled key is refused until it is enabled again. */
  readonly disabledAt: string | null;
  /** The person who made it; null = the command line, or not known. */
  readonly createdBy: string | null;
  /** The key that it replaces. */
  readonly rotatedFrom: string | null;
  /**
   * The session whose records alone answer its searches and fetches; null = providers are asked.
   */
  readonly replaySession: string | null;
  /**
   * The id of the client of `/mcp` that `createdBy` let log in. Such a key is a login: it has no
   * secret, only tokens. null = it is not a login.
   */
  readonly loginClient: string | null;
  /** The console's own key of a project, which no list shows. */
  readonly isHidden: boolean;
  /**
   * Limits that all keys of its project share; absent without any. Read with the key, never
   * written.
   */
  readonly projectLimits?: Limits;
  /** The web rules of its project; absent without any. Read with the key, never written. */
  readonly projectRules?: WebRules;
}

/** A new key for an old one, which ends at a time, or at its own expiry if that is earlier. */
export interface KeyReplacement {
  readonly keyId: string;
  /** ISO 8601. */
  readonly endsAt: string;
  readonly successor: ApiKey;
  readonly digest: string;
}

/** A key as usage names it, whether it can still be used or not. */
export interface NamedKey
  extends Pick<
    ApiKey,
    'id' | 'name' | 'isHidden' | 'expiresAt' | 'revokedAt' | 'disabledAt' | 'monthlyBudgetMicros'
  > {
  readonly deletedAt: string | null;
}

/** All keys that a project ever had, in the order of their making. */
export type NamedKeyReader = (projectId: string) => Promise<readonly NamedKey[]>;

/** Projects and keys. Every change raises the revision, which running servers watch. */
export interface KeyStore {
  revision(): Promise<number>;
  /** Deleted and hidden keys are not found: no request is authenticated by them. */
  findKey(digest: string): Promise<ApiKey | undefined>;
  /**
   * Makes the key or, when the digest exists, sets its permissions and makes it valid again: it is
   * not revoked, disabled, deleted or expired any more.
   */
  ensureKey(key: ApiKey, digest: string): Promise<void>;
  createKey(key: ApiKey, digest: string): Promise<void>;
  /** The hidden key of a project, under which the console records. */
  hiddenKey(projectId: string): Promise<ApiKey | undefined>;
  /** Makes the hidden key of its project, unless there is one. */
  ensureHiddenKey(key: ApiKey, digest: string): Promise<void>;
  /** Without hidden and deleted keys. */
  listKeys(projectId: string | undefined): Promise<readonly ApiKey[]>;
  /** Also one that has ended; with the limits of its project. Not a deleted one. */
  keyOfId(keyId: string): Promise<ApiKey | undefined>;
  /** The name of a key that lists show. */
  keyName(keyId: string): Promise<string | undefined>;
  /** false when the key does not exist. Revoking twice keeps the first time. */
  revokeKey(keyId: string, at: string): Promise<boolean>;
  /**
   * Disables a key, or enables it again with null. Disabling twice keeps the first time. false when
   * the key does not exist.
   */
  disableKey(keyId: string, at: string | null): Promise<boolean>;
  /**
   * Ends a key for good; its row stays, so that usage can name it. false when the key does not
   * exist.
   */
  deleteKey(keyId: string, at: string): Promise<boolean>;
  /** Sets what is named. false when the key does not exist. */
  changeKey(keyId: string, settings: Partial<KeySettings>): Promise<boolean>;
  /** false when the key does not exist, is revoked, or has been replaced already. */
  replaceKey(replacement: KeyReplacement): Promise<boolean>;
  /** Sets the limits that are named. false when no project has this name. */
  limitProject(name: string, limits: Partial<Limits>): Promise<boolean>;
  /** Sets its web rules; null = none. false when there is no such project. */
  setWebRules(projectId: string, rules: WebRules | null): Promise<boolean>;
  /** Sets what is named. false when there is no such project. */
  setMcpLogin(
    projectId: string,
    settings: Partial<Required<Pick<Project, 'mcpLogin' | 'loginBudgetMicros'>>>,
  ): Promise<boolean>;
  /** The project of this name, created if it is new. */
  ensureProject(project: Project): Promise<Project>;
  listProjects(): Promise<readonly Project[]>;
  findProject(id: string): Promise<Project | undefined>;
}
