import { jsonText } from '@trawl/base';
import { RequestError } from '@trawl/router';
import type { Accounts } from '../accounts/accounts.ts';
import { factsOf, type RequestFacts } from '../accounts/request-facts.ts';
import type { Redirect } from '../accounts/single-sign-on.ts';
import { type ConsoleContext, type ConsoleHandlers, personOf } from '../serving/handler.ts';

export interface AccountRouteOptions {
  readonly accounts: Pick<
    Accounts,
    'signIn' | 'own' | 'accept' | 'passwordLinks' | 'singleSignOn' | 'remember'
  >;
  readonly publicUrl: string | undefined;
  /** The ready account of a demo; undefined on every other server. */
  readonly demo?: { readonly email: string; readonly password: string } | undefined;
}

type Handlers<K extends keyof ConsoleHandlers> = Pick<ConsoleHandlers, K>;

/** How people sign in, and what they change about themselves. */
export function accountRoutes(options: AccountRouteOptions) {
  const facts = ({ branch }: ConsoleContext) => factsOf(branch, options.publicUrl);
  return {
    ...signInRoutes(options, facts),
    ...passwordLinkRoutes(options, facts),
    ...ownRoutes(options, facts),
    ...singleSignOnRoutes(options, facts),
  };
}

type FactsOfContext = (context: ConsoleContext) => RequestFacts;

function signInRoutes(
  { accounts: { signIn, accept, singleSignOn, remember }, demo }: AccountRouteOptions,
  facts: FactsOfContext,
): Handlers<'readState' | 'setUp' | 'signIn' | 'signOut' | 'readInvitation' | 'acceptInvitation'> {
  return {
    readState: async () => ({
      text: jsonText({
        needs_setup: await signIn.needsSetup(),
        password_sign_in: !signIn.isSingleSignOnOnly,
        single_sign_on: singleSignOn ? { label: singleSignOn.label } : null,
        demo: demo ?? null,
      }),
    }),
    setUp: async ({ body }, context) => ({
      empty: true,
      cookies: await remember(await signIn.setUp(body, facts(context))),
    }),
    signIn: async ({ body }, context) => ({
      empty: true,
      cookies: await remember(await signIn.signIn(body, facts(context))),
    }),
    signOut: async (_, context) => ({
      empty: true,
      cookies: await signIn.signOut(context.branch.request.headers, facts(context)),
    }),
    readInvitation: async ({ body }) => {
      const { invitation, hasAccount } = await accept.read(body.token);
      const { email, projectName, role, createdByName, expiresAt } = invitation;
      return {
        text: jsonText({
          email,
          project_name: projectName,
          role,
          invited_by: createdByName,
          expires_at: expiresAt,
          has_account: hasAccount,
        }),
      };
    },
    acceptInvitation: async ({ body: { token, name, password } }, context) => {
      if (context.person) {
        await accept.acceptAs(context.person, token, facts(context));
        return { empty: true };
      }
      if (name === undefined || password === undefined) {
        throw new RequestError(
          400,
          'Send name and password for a new account, or sign in first to accept with yours',
        );
      }
      const cookies = await accept.acceptAsNew({ token, name, password }, facts(context));
      return { empty: true, cookies: await remember(cookies) };
    },
  };
}

function ownRoutes(
  { accounts: { own, remember } }: AccountRouteOptions,
  facts: FactsOfContext,
): Handlers<'changeAccount' | 'changePassword' | 'listSignIns' | 'endOtherSignIns' | 'endSignIn'> {
  return {
    changeAccount: async ({ body }, context) => {
      await own.rename(personOf(context), body.name, facts(context));
      return { empty: true };
    },
    changePassword: async ({ body }, context) => {
      const change = {
        current: body.current_password,
        next: body.new_password,
        headers: context.branch.request.headers,
      };
      const cookies = await own.changePassword(personOf(context), change, facts(context));
      return { empty: true, cookies: await remember(cookies) };
    },
    listSignIns: async (_, context) => {
      const person = personOf(context);
      const sessions = await own.sessions(person);
      return {
        text: jsonText({
          sign_ins: sessions.map((session) => ({
            id: session.id,
            created_at: session.createdAt,
            last_used_at: session.lastUsedAt,
            expires_at: session.expiresAt,
            ip: session.address,
            user_agent: session.userAgent,
            is_current: session.id === person.sessionId,
          })),
        }),
      };
    },
    endOtherSignIns: async (_, context) => {
      await own.endOtherSessions(personOf(context), facts(context));
      return { empty: true };
    },
    endSignIn: async ({ params }, context) => {
      await own.endSession(personOf(context), params.sign_in_id, facts(context));
      return { empty: true };
    },
  };
}

const passwordLinkRoutes = (
  { accounts: { passwordLinks } }: AccountRouteOptions,
  facts: FactsOfContext,
): Handlers<'readPasswordLink' | 'usePasswordLink'> => ({
  readPasswordLink: async ({ body: { token } }, context) => {
    const { email, name } = await passwordLinks.read(token, facts(context));
    return { text: jsonText({ email, name }) };
  },
  usePasswordLink: async ({ body }, context) => {
    await passwordLinks.use(body, facts(context));
    return { empty: true };
  },
});

function singleSignOnRoutes(
  { accounts: { singleSignOn, remember } }: AccountRouteOptions,
  facts: FactsOfContext,
): Handlers<'startSingleSignOn' | 'finishSingleSignOn'> {
  if (!singleSignOn) {
    const refuse = async (): Promise<never> => {
      throw new RequestError(404, 'Single sign-on is not set up on this server');
    };
    return { startSingleSignOn: refuse, finishSingleSignOn: refuse };
  }
  return {
    startSingleSignOn: async ({ query }, context) =>
      redirected(await singleSignOn.start(query.redirect, facts(context))),
    finishSingleSignOn: async (_, context) => {
      const { request, log } = context.branch;
      const { refused, ...redirect } = await singleSignOn.finish(request, facts(context));
      if (refused) log.debug({ reason: refused }, 'a single sign-on was refused');
      return redirected({ ...redirect, cookies: await remember(redirect.cookies) });
    },
  };
}

function redirected({ location, cookies }: Redirect): { readonly response: Response } {
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return { response: new Response(null, { status: 302, headers }) };
}
