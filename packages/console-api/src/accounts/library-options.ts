import type { Clock, ReportFault } from '@trawl/base';
import { CONSOLE_LIMITS } from '@trawl/contract';
import type { AccountStore } from '@trawl/store';
import type { BetterAuthOptions } from 'better-auth';

export interface LibrarySettings {
  readonly database: AccountStore['database'];
  /** Signs the cookies. */
  readonly secret: string;
  readonly publicUrl: string | undefined;
  readonly clock: Pick<Clock, 'newId'>;
  readonly reportFault: ReportFault;
  /** How passwords are hashed; absent = scrypt at the cost that the library has chosen. */
  readonly passwords?: Passwords | undefined;
}

/** Hashes passwords, and compares them. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(given: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

const DAY_SECONDS = 86_400;
const SESSION_DAYS = 14;
/** Set by us only, from the socket: what a caller sends under this name is never passed on. */
export const ADDRESS_HEADER = 'x-console-address';
/** Requests never reach this address; it is what the library's own URLs start with. */
const UNUSED_URL = 'http://localhost';

/**
 * How the library that signs people in is set up. Its routes are not served: we call its functions.
 */
export function libraryOptions(settings: LibrarySettings) {
  const { database, secret, publicUrl, clock, reportFault, passwords } = settings;
  return {
    appName: 'trawl',
    baseURL: publicUrl === undefined ? UNUSED_URL : new URL(publicUrl).origin,
    basePath: '/console/api/single-sign-on',
    // given as a list, the library does not look for a secret in the environment
    secrets: [{ version: 1, value: secret }],
    secret,
    database: { db: database.db, type: database.type },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: { level: 'error', log: faultReporter(reportFault) },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: CONSOLE_LIMITS.passwordMin,
      maxPasswordLength: CONSOLE_LIMITS.passwordMax,
      ...(passwords ? { password: passwords } : {}),
    },
    session: {
      ...SESSION_TABLE,
      expiresIn: SESSION_DAYS * DAY_SECONDS,
      updateAge: DAY_SECONDS,
      cookieCache: { enabled: false },
    },
    user: USER_TABLE,
    verification: VERIFICATION_TABLE,
    account: {
      ...ACCOUNT_TABLE,
      updateAccountOnSignIn: false,
      // encrypted in a cookie: anyone may begin a sign-in, and would leave a row of a table
      // otherwise
      storeStateStrategy: 'cookie',
      accountLinking: {
        enabled: true,
        trustedProviders: [],
        // no address is verified by mail: the first verified identity takes the account over
        // (take-over.ts)
        requireLocalEmailVerified: false,
      },
    },
    advanced: {
      cookiePrefix: 'trawl',
      useSecureCookies: publicUrl?.startsWith('https:') ?? false,
      defaultCookieAttributes: { path: '/console', httpOnly: true, sameSite: 'lax' },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => clock.newId(), validateSchema: false },
    },
  } satisfies BetterAuthOptions;
}

/** Instead of the tokens of an identity provider, which are not needed after the sign-in. */
export const NO_TOKENS = { accessToken: null, refreshToken: null, idToken: null };

const TIMES = { createdAt: 'created_at', updatedAt: 'updated_at' };

const USER_TABLE = {
  modelName: 'console_users',
  fields: { ...TIMES, emailVerified: 'email_verified' },
  additionalFields: {
    isOperator: {
      type: 'number',
      required: false,
      defaultValue: 0,
      input: false,
      fieldName: 'is_operator',
    },
  },
} as const;

const SESSION_TABLE = {
  modelName: 'console_sessions',
  fields: {
    ...TIMES,
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    userId: 'user_id',
  },
} as const;

const ACCOUNT_TABLE = {
  modelName: 'console_accounts',
  fields: {
    ...TIMES,
    accountId: 'account_id',
    providerId: 'provider_id',
    userId: 'user_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
  },
} as const;

const VERIFICATION_TABLE = {
  modelName: 'console_verifications',
  fields: { ...TIMES, expiresAt: 'expires_at' },
} as const;

/** Codes of a return from the identity provider that this browser did not begin. */
export const STATE_FAULTS: ReadonlySet<unknown> = new Set([
  'state_mismatch',
  'state_security_mismatch',
  'state_invalid',
  'state_not_found',
]);

/**
 * Only texts of messages: other values of the library's reports may be secrets. What strangers send
 * is not a fault.
 */
const faultReporter =
  (reportFault: ReportFault) =>
  (_level: string, message: string, ...values: readonly unknown[]): void => {
    if (values.some(isStateFault)) return;
    const causes = values.flatMap((value) => (value instanceof Error ? [value.message] : []));
    reportFault(new Error([message, ...causes].join(' ').trim()), 'the sign-in library failed');
  };

const isStateFault = (value: unknown): boolean =>
  value instanceof Error && 'code' in value && STATE_FAULTS.has(value.code);
