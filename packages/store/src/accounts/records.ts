import type {
  AuditAction,
  AuditActor,
  AuditOutcome,
  InvitedRole,
  JsonObject,
  Role,
} from '@trawl/contract';
import type { AccountTime, OpenDatabase } from '@trawl/database';

/** Times are ISO 8601. */

export type SignInWay = 'password' | 'single_sign_on';

export interface PersonRecord {
  readonly id: string;
  readonly name: string;
  /** In lower case. */
  readonly email: string;
  readonly isOperator: boolean;
  readonly createdAt: string;
  readonly signsInBy: readonly SignInWay[];
  /** When a session was begun or last extended, to the day; null = no session is left. */
  readonly lastSeenAt: string | null;
}

/** A person who signs in with a password. */
export interface NewPerson extends Pick<PersonRecord, 'id' | 'name' | 'email' | 'isOperator'> {
  readonly passwordHash: string;
  readonly createdAt: string;
}

/** A session of a person, without its token. */
export interface SessionRecord {
  readonly id: string;
  readonly createdAt: string;
  /** When it was begun or last extended, to the day. */
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  /** null = not known. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** A person of a project. Operators are owners of every project, also without being members. */
export interface MemberRecord extends PersonRecord {
  readonly role: Role;
  /** null = not a member, only an operator. */
  readonly memberSince: string | null;
}

export interface NewInvitation {
  readonly id: string;
  /** null = invites an operator. */
  readonly projectId: string | null;
  /** In lower case. */
  readonly email: string;
  readonly role: InvitedRole;
  /** The id of a person; null = the command line. */
  readonly createdBy: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface InvitationRecord extends NewInvitation {
  /** null = invites an operator. */
  readonly projectName: string | null;
  /** null = that person was deleted. */
  readonly createdByName: string | null;
  readonly acceptedAt: string | null;
  readonly revokedAt: string | null;
}

/** What became of a change. The last owner of a project, or the last operator, stays. */
export type ChangeOutcome = 'changed' | 'unknown' | 'last_owner' | 'last_operator';

/** A change of what a person may do. */
export interface RoleChange {
  readonly outcome: ChangeOutcome;
  /**
   * Open invitations of the person that ended with it, because the person may not make them any
   * more.
   */
  readonly endedInvitations: readonly InvitationRecord[];
}

/** What an account had until its verified holder took it over. */
export interface HandOver {
  readonly hadPassword: boolean;
  /** How many ended. */
  readonly sessions: number;
  /** Open ones that it had made, which ended. */
  readonly endedInvitations: readonly InvitationRecord[];
  /**
   * Ids of API keys that it has made and that were neither revoked nor deleted, the newest 100.
   * They stay: a key belongs to its project.
   */
  readonly keys: readonly string[];
}

export interface AuditEntry {
  /** A uuid of version 7, so that ids sort by time. */
  readonly id: string;
  readonly createdAt: string;
  /** null = about the whole deployment. */
  readonly projectId: string | null;
  readonly actor: {
    readonly kind: AuditActor;
    readonly id: string | null;
    readonly name: string | null;
    readonly email: string | null;
  };
  readonly action: AuditAction;
  readonly target: {
    readonly kind: string;
    readonly id: string | null;
    readonly name: string | null;
  } | null;
  readonly outcome: AuditOutcome;
  /** Why it was refused. */
  readonly reason: string | null;
  /** Never a secret. */
  readonly detail: JsonObject | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
}

/** Each filter that is given narrows the answer. */
export interface AuditQuery {
  /** Absent = all projects and the deployment. */
  readonly projectId?: string | undefined;
  /** This action, or those that begin with it and a dot. */
  readonly action?: string | undefined;
  /** An id, or a part of a name or e-mail; A to Z in any case. */
  readonly actor?: string | undefined;
  /** An id, or a part of a name. */
  readonly target?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** Inclusive. */
  readonly from?: string | undefined;
  /** Exclusive. */
  readonly to?: string | undefined;
  /** Only entries older than this one, for the next page. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** `before` of the next page; null = this is the last one. */
  readonly next: string | null;
}

/** A time of a table of the sign-in library, as ISO 8601. */
export const isoOf = (time: AccountTime): string => new Date(time).toISOString();

/** The value to compare or store such a time with. */
export const timeValue = ({ isEmbedded }: OpenDatabase, iso: string): AccountTime =>
  isEmbedded ? iso : new Date(iso);
