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
  /** Limits that all keys of its project share; absent without any. Read with the key, never written. */
  readonly projectLimits?: Limits;
}

/** Projects and keys. Every change raises the revision, which running servers watch. */
export interface KeyStore {
  revision(): Promise<number>;
  findKey(digest: string): Promise<ApiKey | undefined>;
  /** Makes the key or, when the digest exists, sets its permissions, ends its revocation and clears its expiry. */
  ensureKey(key: ApiKey, digest: string): Promise<void>;
  createKey(key: ApiKey, digest: string): Promise<void>;
  listKeys(projectId: string | undefined): Promise<readonly ApiKey[]>;
  /** false when the key does not exist. Revoking twice keeps the first time. */
  revokeKey(keyId: string, at: string): Promise<boolean>;
  /** Sets the limits that are named. false when the key does not exist. */
  limitKey(keyId: string, limits: Partial<Limits>): Promise<boolean>;
  /** Sets the limits that are named. false when no project has this name. */
  limitProject(name: string, limits: Partial<Limits>): Promise<boolean>;
  /** The project of this name, created if it is new. */
  ensureProject(project: Project): Promise<Project>;
  listProjects(): Promise<readonly Project[]>;
}
