import { z } from 'zod';
import { dateTimeOut, optional, uuid, uuidOut } from '../schemas/json.ts';
import { CONSOLE_LIMITS } from '../vocabulary/limits.ts';
import { INVITED_ROLES, KEY_PERMISSIONS } from '../vocabulary/vocabulary.ts';
import type { ConsoleRoute } from './route.ts';

const { nameCharacters, emailCharacters, passwordMin, passwordMax } = CONSOLE_LIMITS;

export const personName = z
  .string()
  .trim()
  .min(1)
  .max(nameCharacters)
  .describe('How others see the person.');
export const emailAddress = z.email().max(emailCharacters);
/** A password that is being set. One that is checked has no limits but the longest. */
const newPassword = z.string().min(passwordMin).max(passwordMax);
const givenPassword = z.string().min(1).max(passwordMax);
const token = z.string().min(1).max(CONSOLE_LIMITS.tokenCharacters);

/** What the page of a signed-out person needs to know. */
export const ConsoleState = z.object({
  /** No account exists yet: the first one is made with a one-time code. */
  needs_setup: z.boolean(),
  /** Whether people may sign in with e-mail and password. */
  password_sign_in: z.boolean(),
  single_sign_on: z.object({ label: z.string() }).nullable(),
  /** The ready account of a demo; null on every other server. */
  demo: z.object({ email: z.string(), password: z.string() }).nullable(),
});

/** What an invitation is for. */
export const InvitationView = z.object({
  email: z.string(),
  /** null = to all projects, as an operator. */
  project_name: z.string().nullable(),
  role: z.enum(INVITED_ROLES),
  invited_by: z.string().nullable(),
  expires_at: dateTimeOut,
  /** The person has an account, and accepts by signing in. */
  has_account: z.boolean(),
});

/** One browser in which the person is signed in. */
export const SignIn = z.object({
  id: z.string(),
  created_at: dateTimeOut,
  last_used_at: dateTimeOut,
  expires_at: dateTimeOut,
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  is_current: z.boolean(),
});
export type SignIn = z.output<typeof SignIn>;

/** A program that the person let log in to `/mcp`. */
export const OwnLogin = z.object({
  /** Of its key. */
  id: uuidOut,
  name: z.string(),
  /** The id of the client: the address of its document, or the id of an operator's client. */
  client: z.string(),
  project_id: uuidOut,
  project_name: z.string(),
  permissions: z.array(z.enum(KEY_PERMISSIONS)),
  created_at: dateTimeOut,
  /** Each use of its refresh token puts it off. */
  expires_at: dateTimeOut.nullable(),
});
export type OwnLogin = z.output<typeof OwnLogin>;

const nothing = z.undefined();

export const ACCOUNT_ROUTES = {
  readState: {
    method: 'GET',
    path: '/console/api/state',
    summary: 'How people sign in here',
    access: 'anyone',
    status: 200,
    response: ConsoleState,
  },
  setUp: {
    method: 'POST',
    path: '/console/api/setup',
    summary: 'Make the first account, with the one-time code, and sign in',
    access: 'anyone',
    body: z.object({
      code: token.describe('As `trawl console code` prints it.'),
      email: emailAddress,
      name: personName,
      password: newPassword,
    }),
    hasSecret: true,
    status: 204,
    response: nothing,
  },
  signIn: {
    method: 'POST',
    path: '/console/api/sign-in',
    summary: 'Sign in with e-mail and password',
    access: 'anyone',
    body: z.object({ email: emailAddress, password: givenPassword }),
    hasSecret: true,
    status: 204,
    response: nothing,
  },
  signOut: {
    method: 'POST',
    path: '/console/api/sign-out',
    summary: 'End this session',
    access: 'anyone',
    status: 204,
    response: nothing,
  },
  startSingleSignOn: {
    method: 'GET',
    path: '/console/api/single-sign-on',
    summary: 'Go to the page of the identity provider',
    access: 'anyone',
    query: z.object({ redirect: optional(z.string().max(CONSOLE_LIMITS.pathCharacters)) }),
    status: 200,
    response: nothing,
    answers: 'redirect',
  },
  finishSingleSignOn: {
    method: 'GET',
    path: '/console/api/single-sign-on/callback',
    summary: 'Come back from the identity provider',
    access: 'anyone',
    status: 200,
    response: nothing,
    answers: 'redirect',
  },
  readInvitation: {
    method: 'POST',
    path: '/console/api/invitation',
    summary: 'What an invitation is for',
    access: 'anyone',
    // in the body, because addresses are logged
    body: z.object({ token }),
    status: 200,
    response: InvitationView,
  },
  acceptInvitation: {
    method: 'POST',
    path: '/console/api/invitation/accept',
    summary: 'Accept an invitation, with a new account or that of the signed-in person',
    access: 'anyone',
    body: z.object({
      token,
      name: optional(personName),
      password: optional(newPassword),
    }),
    hasSecret: true,
    status: 204,
    response: nothing,
  },
  readPasswordLink: {
    method: 'POST',
    path: '/console/api/password-link',
    summary: 'Whose new password a link is for',
    access: 'anyone',
    // in the body, because addresses are logged
    body: z.object({ token }),
    status: 200,
    response: z.object({ email: z.string(), name: z.string() }),
  },
  usePasswordLink: {
    method: 'POST',
    path: '/console/api/password-link/use',
    summary: 'Set a new password with a link; all sessions of the person end',
    access: 'anyone',
    body: z.object({ token, password: newPassword }),
    hasSecret: true,
    status: 204,
    response: nothing,
  },
  changeAccount: {
    method: 'PATCH',
    path: '/console/api/account',
    summary: 'Change the own name',
    access: 'person',
    body: z.object({ name: personName }),
    status: 204,
    response: nothing,
  },
  changePassword: {
    method: 'POST',
    path: '/console/api/account/password',
    summary: 'Change the own password; other sessions end',
    access: 'person',
    body: z.object({ current_password: givenPassword, new_password: newPassword }),
    hasSecret: true,
    status: 204,
    response: nothing,
  },
  listSignIns: {
    method: 'GET',
    path: '/console/api/account/sign-ins',
    summary: 'Where the person is signed in',
    access: 'person',
    status: 200,
    response: z.object({ sign_ins: z.array(SignIn) }),
  },
  endOtherSignIns: {
    method: 'DELETE',
    path: '/console/api/account/sign-ins',
    summary: 'Sign out everywhere else',
    access: 'person',
    status: 204,
    response: nothing,
  },
  endSignIn: {
    method: 'DELETE',
    path: '/console/api/account/sign-ins/{sign_in_id}',
    summary: 'Sign out in one browser',
    access: 'person',
    params: z.object({ sign_in_id: z.string().max(CONSOLE_LIMITS.tokenCharacters) }),
    status: 204,
    response: nothing,
  },
  listLogins: {
    method: 'GET',
    path: '/console/api/account/logins',
    summary: 'Programs that the person let log in to /mcp',
    access: 'person',
    status: 200,
    response: z.object({ logins: z.array(OwnLogin) }),
  },
  endLogin: {
    method: 'DELETE',
    path: '/console/api/account/logins/{login_id}',
    summary: 'End the login of a program',
    access: 'person',
    params: z.object({ login_id: uuid }),
    status: 204,
    response: nothing,
  },
} as const satisfies Record<string, ConsoleRoute>;
