import type { Permission } from '@trawl/contract';

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
}

export interface ApiKey extends Limits {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly lastFour: string;
  readonly permissions: readonly Permission[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** A disabled key is refused until it is enabled again. */
  readonly disabledAt: string | null;
  /** The person who made it; null = the command line, or not known. */
  readonly createdBy: string | null;
  /** Slugs of the only providers that it may use; null = all. */
  readonly allowedProviders: readonly string[] | null;
  /** The key that it replaces. */
  readonly rotatedFrom: string | null;
  /** The console's own key of a project, which no list shows. */
  readonly isHidden: boolean;
  /** Limits that all keys of its project share; absent without any. Read with the key, never written. */
  readonly projectLimits?: Limits;
}

/** Projects and keys. Every change raises the revision, which running servers watch. */
export interface KeyStore {
  revision(): Promise<number>;
  /** Deleted and hidden keys are not found: no request is authenticated by them. */
  findKey(digest: string): Promise<ApiKey | undefined>;
  /**
   * Makes the key or, when the digest exists, sets its permissions and makes it valid again: it is not revoked, disabled,
   * deleted or expired any more.
   */
  ensureKey(key: ApiKey, digest: string): Promise<void>;
  createKey(key: ApiKey, digest: string): Promise<void>;
  /** The hidden key of a project, under which the console records. */
  hiddenKey(projectId: string): Promise<ApiKey | undefined>;
  /** Makes the hidden key of its project, unless there is one. */
  ensureHiddenKey(key: ApiKey, digest: string): Promise<void>;
  /** Without hidden and deleted keys. */
  listKeys(projectId: string | undefined): Promise<readonly ApiKey[]>;
  /** false when the key does not exist. Revoking twice keeps the first time. */
  revokeKey(keyId: string, at: string): Promise<boolean>;
  /** Disables a key, or enables it again with null. Disabling twice keeps the first time. false when the key does not exist. */
  disableKey(keyId: string, at: string | null): Promise<boolean>;
  /** Ends a key for good; its row stays, so that usage can name it. false when the key does not exist. */
  deleteKey(keyId: string, at: string): Promise<boolean>;
  /** Sets the limits that are named. false when the key does not exist. */
  limitKey(keyId: string, limits: Partial<Limits>): Promise<boolean>;
  /** Sets the limits that are named. false when no project has this name. */
  limitProject(name: string, limits: Partial<Limits>): Promise<boolean>;
  /** The project of this name, created if it is new. */
  ensureProject(project: Project): Promise<Project>;
  listProjects(): Promise<readonly Project[]>;
}
