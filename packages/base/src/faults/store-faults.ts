/** Why a database cannot be used. */
export type StoreFaultKind =
  | 'full'
  | 'corrupt'
  | 'read_only'
  | 'locked'
  | 'slow'
  | 'no_answer'
  | 'unreachable'
  | 'refused'
  | 'no_database'
  | 'schema'
  | 'untrusted'
  | 'no_tls'
  | 'no_url'
  | 'cannot_open'
  | 'unknown';

/**
 * Codes of the embedded database, of PostgreSQL (SQLSTATE) and of sockets. The longest matching
 * prefix counts.
 */
const KINDS: readonly (readonly [prefix: string, kind: StoreFaultKind])[] = [
  ['SQLITE_FULL', 'full'],
  ['SQLITE_IOERR', 'full'],
  ['SQLITE_CORRUPT', 'corrupt'],
  ['SQLITE_NOTADB', 'corrupt'],
  ['SQLITE_READONLY', 'read_only'],
  ['SQLITE_BUSY', 'locked'],
  ['SQLITE_LOCKED', 'locked'],
  ['SQLITE_CANTOPEN', 'cannot_open'],
  ['SQLITE_PERM', 'cannot_open'],
  ['ENOSPC', 'full'],
  ['EROFS', 'read_only'],
  ['EACCES', 'cannot_open'],
  ['EPERM', 'cannot_open'],
  ['ENOTDIR', 'cannot_open'],
  ['EEXIST', 'cannot_open'],
  ['ENOENT', 'cannot_open'],
  ['53100', 'full'],
  ['XX001', 'corrupt'],
  ['XX002', 'corrupt'],
  ['25006', 'read_only'],
  ['55P03', 'locked'],
  ['40P01', 'locked'],
  ['57014', 'slow'],
  ['25P03', 'slow'],
  ['NO_ANSWER', 'no_answer'],
  ['STALLED', 'no_answer'],
  ['ECONN', 'unreachable'],
  ['ENOTFOUND', 'unreachable'],
  ['EAI_AGAIN', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['ETIMEDOUT', 'unreachable'],
  ['EPIPE', 'unreachable'],
  ['57P', 'unreachable'],
  ['08', 'unreachable'],
  ['53300', 'refused'],
  ['28', 'refused'],
  ['42501', 'refused'],
  ['3D000', 'no_database'],
  ['SELF_SIGNED_CERT', 'untrusted'],
  ['DEPTH_ZERO_SELF_SIGNED', 'untrusted'],
  ['UNABLE_TO_', 'untrusted'],
  ['CERT_', 'untrusted'],
  ['ERR_TLS_CERT', 'untrusted'],
  ['ERR_INVALID_URL', 'no_url'],
  ['42P01', 'schema'],
  ['42703', 'schema'],
];

/** Texts without addresses and paths, because `/readyz` is open without a key. */
const REASONS: Readonly<Record<StoreFaultKind, string>> = {
  full: 'its disk is full or cannot be written',
  corrupt: 'its file is damaged',
  read_only: 'it is read-only',
  locked: 'another program holds a lock on it',
  slow: 'it takes longer than a statement may',
  no_answer: 'it does not answer in time',
  unreachable: 'it cannot be reached',
  refused: 'it refuses the connection',
  no_database: 'the database does not exist',
  schema: 'a table or column is missing',
  untrusted: 'its certificate is not trusted',
  no_tls: 'it does not offer TLS',
  no_url: 'its address is not a URL',
  cannot_open: 'its file cannot be opened',
  unknown: 'it refuses writes',
};

/** The code of an error or of its cause, such as `SQLITE_FULL`, `57014` or `ECONNREFUSED`. */
export function faultCode(error: unknown): string | undefined {
  let found: unknown = error;
  for (let depth = 0; found instanceof Error && depth < 10; depth += 1) {
    if ('code' in found && typeof found.code === 'string') return found.code;
    // Node tries each address of a host and collects the errors.
    const inner: unknown = found instanceof AggregateError ? found.errors[0] : undefined;
    found = inner ?? found.cause;
  }
  return undefined;
}

export function faultKind(error: unknown): StoreFaultKind {
  const code = faultCode(error);
  if (code !== undefined) {
    const known = KINDS.find(([prefix]) => code.startsWith(prefix));
    if (known) return known[1];
  }
  return kindOfText(error instanceof Error ? error.message : '');
}

/** Some errors of the drivers lack a code, or have one that is too general. */
function kindOfText(message: string): StoreFaultKind {
  const text = message.slice(0, 1_000).toLowerCase();
  if (text.includes('no such table') || text.includes('no such column')) return 'schema';
  if (text.includes('timeout') || text.includes('timed out')) return 'unreachable';
  if (text.includes('connection terminated')) return 'unreachable';
  if (text.includes('unable to open')) return 'cannot_open';
  if (text.includes('does not support ssl')) return 'no_tls';
  if (text.includes('sslmode=')) return 'untrusted';
  return 'unknown';
}

/** The rest of the sentence "The store cannot be used: …". Names no host, path or user. */
export const faultReason = (error: unknown): string => REASONS[faultKind(error)];
