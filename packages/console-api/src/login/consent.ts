import { type Clock, isoTime } from '@trawl/base';
import { LOGIN_DEFAULTS, mayLogIn } from '@trawl/contract';
import { MICROS, microsOf, RequestError, readStore } from '@trawl/router';
import {
  type AuthorizeFault,
  askedClient,
  authorizeRequest,
  type BranchRequest,
  type Client,
  endEvent,
  LOGIN_PATHS,
  type Login,
  newLoginKey,
  newSecret,
  placeOf,
  redirectFault,
  redirectTo,
} from '@trawl/server';
import type { Store } from '@trawl/store';
import type { AuditTrail } from '../accounts/audit-trail.ts';
import { factsOf } from '../accounts/request-facts.ts';
import type { Admit } from '../serving/admit.ts';
import { type Person, roleIn } from '../serving/person.ts';
import type { ConsentForms, ConsentRequest, OpenedConsent } from './consent-request.ts';
import { consentPage, failedPage, movingOnPage, type OfferedProject } from './pages.ts';

export interface ConsentOptions {
  readonly login: Login;
  readonly store: Pick<Store, 'keys'>;
  readonly trail: AuditTrail;
  readonly admit: Admit;
  readonly forms: ConsentForms;
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
}

/** Keeps a request while its person signs in. */
const COOKIE = 'trawl_authorize';
const COOKIE_SECONDS = 900;
const SIGN_IN = `/console/sign-in?redirect=${encodeURIComponent(LOGIN_PATHS.authorize)}`;

const NO_COOKIE =
  'There is no request of a program here. Start the login again in the program. If you have just come from there, your browser did not keep the cookies of this address: allow them first.';
const OLD_FORM =
  'This page is too old, or you have signed in again since. Start the login again in the program.';
const NO_PROJECT =
  'No project lets you do this. In the settings of a project, an admin says who may let programs log in; a viewer never may.';

/** The page on which a person lets a client of `/mcp` log in, or does not. */
export function createConsent(options: ConsentOptions) {
  return async (branch: BranchRequest, readBody: () => Promise<Uint8Array>): Promise<Response> => {
    try {
      const { person } = await options.admit(branch, 'anyone');
      const isSent = branch.request.method === 'POST';
      if (!isSent) return await ask(options, branch, person);
      if (!person)
        return failedPage('You are signed out. Sign in, and start again in the program.');
      const body = new URLSearchParams(new TextDecoder().decode(await readBody()));
      return await answered(options, { branch, person, body });
    } catch (error) {
      if (!(error instanceof RequestError) || typeof error.detail !== 'string') throw error;
      return failedPage(error.detail, { status: error.status });
    }
  };
}

/** Shows what a client asks for, to a person who is signed in. */
async function ask(
  options: ConsentOptions,
  { request: { url, headers } }: BranchRequest,
  person: Person | null,
): Promise<Response> {
  const { login, forms, clock } = options;
  const sent = new URL(url).searchParams;
  const query = sent.size > 0 ? sent : new URLSearchParams(cookieOf(headers));
  if (query.size === 0) return failedPage(NO_COOKIE);
  const asked = askedClient(query);
  if (typeof asked === 'string') return failedPage(asked);
  if (!person) {
    // back without a session, though it was begun: the browser keeps no cookies
    return sent.size > 0 ? toSignIn(query, options) : failedPage(NO_COOKIE);
  }
  const client = await login.clients.find(asked.clientId, person.id);
  if (typeof client === 'string') return failedPage(`The program is not known: ${client}.`);
  const unknown = redirectFault(asked, client);
  if (unknown !== undefined) return failedPage(unknown);
  const request = authorizeRequest(asked, query, login.place);
  const back = (fault: Pick<AuthorizeFault, 'error' | 'says'> | typeof DENIED) =>
    backTo(client, { redirectUri: asked.redirectUri, state: query.get('state') }, options, fault);
  if ('error' in request) return failedPage(request.says, { back: back(request) });
  const projects = await offered(options, person);
  if (projects.length === 0) return failedPage(NO_PROJECT, { status: 403, back: back(DENIED) });
  const shown = { ...request, clientName: client.name, clientHost: client.host };
  const field = forms.seal(shown, person, { id: clock.newId(), now: clock.now() });
  return consentPage(shown, { person, projects, field });
}

const DENIED = {
  error: 'access_denied',
  says: 'The person may not, or does not want to.',
} as const;

/** The way back to a client with an error: a link, since no one has chosen to go there yet. */
function backTo(
  client: Pick<Client, 'name'>,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | null },
  { login }: Pick<ConsentOptions, 'login'>,
  { error, says }: { readonly error: string; readonly says: string },
) {
  const { issuer: iss } = login.place;
  const href = redirectTo(redirectUri, {
    ...{ error, error_description: says, iss },
    state: state ?? undefined,
  });
  return { href, client };
}

function toSignIn(query: URLSearchParams, options: ConsentOptions): Response {
  const cookie = kept(Buffer.from(String(query)).toString('base64url'), COOKIE_SECONDS, options);
  const headers = { location: SIGN_IN, 'set-cookie': cookie, 'cache-control': 'no-store' };
  return new Response(null, { status: 303, headers });
}

const kept = (value: string, seconds: number, { publicUrl }: ConsentOptions): string => {
  const secure = publicUrl?.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${value}; Path=${LOGIN_PATHS.authorize}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
};

function cookieOf(headers: Headers): string {
  const cookies = (headers.get('cookie') ?? '').split('; ');
  const own = cookies.find((one) => one.startsWith(`${COOKIE}=`)) ?? '';
  return Buffer.from(own.slice(COOKIE.length + 1), 'base64url').toString();
}

/** Projects in which the person may let a client log in, by name. */
async function offered(
  { store }: ConsentOptions,
  person: Person,
): Promise<readonly OfferedProject[]> {
  const projects = await readStore(() => store.keys.listProjects());
  return projects
    .filter(({ id, mcpLogin }) =>
      mayLogIn(roleIn(person, id), mcpLogin ?? LOGIN_DEFAULTS.mcp_login),
    )
    .map(({ id, name, loginBudgetMicros: micros }) => ({
      ...{ id, name },
      budgetUsd: micros === undefined ? LOGIN_DEFAULTS.mcp_login_budget_usd : micros / MICROS,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Answered {
  readonly branch: BranchRequest;
  readonly person: Person;
  readonly body: URLSearchParams;
}

/** What a person decided. */
async function answered(options: ConsentOptions, sent: Answered): Promise<Response> {
  const { forms, clock, trail, publicUrl, login } = options;
  const { branch, person, body } = sent;
  const opened = forms.open(body.get('request') ?? '', person, clock.now());
  if (!opened) return failedPage(OLD_FORM);
  const { request } = opened;
  const facts = factsOf(branch, publicUrl);
  const cookies = [kept('', 0, options)];
  const wanted = body.get('project') ?? '';
  const project = (await offered(options, person)).find(({ id }) => id === wanted);
  const refused = (says: string) => {
    const event = { ...eventOf('login.refused', person, request), refused: says };
    return trail.record({ ...event, projectId: project?.id ?? null }, facts);
  };
  const { redirectUri, clientName: client, state } = request;
  if (body.get('decision') !== 'allow') {
    await refused('the person did not allow it');
    const { issuer: iss } = login.place;
    const next = redirectTo(redirectUri, { error: 'access_denied', iss, state });
    return movingOnPage(next, { client, title: 'Nothing was allowed', cookies });
  }
  if (!project) {
    await refused('the person may not in this project');
    const place = { redirectUri, state: state ?? null };
    const back = backTo({ name: client }, place, options, DENIED);
    return failedPage(NO_PROJECT, { status: 403, back });
  }
  return granted(options, sent, { opened, project, cookies });
}

async function granted(
  { forms, clock, trail, publicUrl, login }: ConsentOptions,
  { branch, person }: Answered,
  {
    opened: { id, request },
    project,
    cookies,
  }: {
    readonly opened: OpenedConsent;
    readonly project: OfferedProject;
    readonly cookies: readonly string[];
  },
): Promise<Response> {
  const { clientId, clientName, redirectUri, challenge, state, scopes } = request;
  const isEntered = request.clientHost === null;
  const code = newSecret('code', login.place, forms.codeBytes(id, project.id));
  const { key, digest } = newLoginKey(clock, {
    ...{ projectId: project.id, name: clientName, permissions: scopes },
    ...{ createdBy: person.id, loginClient: clientId, rateLimit: LOGIN_DEFAULTS.rate_limit },
    monthlyBudgetMicros: microsOf(project.budgetUsd),
  });
  const outcome = await trail.change(factsOf(branch, publicUrl), async ({ logins }, record) => {
    const made = await logins.grant(
      { key, isEntered, keyDigest: digest, codeDigest: code.digest, redirectUri, challenge },
      isoTime(clock.now()),
    );
    if (made.outcome !== 'granted') return made.outcome;
    const event = eventOf('login.granted', person, request);
    const limits = { rate_limit: key.rateLimit, monthly_budget_usd: project.budgetUsd };
    await record({
      ...event,
      projectId: project.id,
      target: { kind: 'key', id: key.id, name: clientName },
      detail: { ...event.detail, ...limits },
    });
    for (const old of made.ended) await record({ ...endEvent(old, 'newer_logins'), by: person });
    return made.outcome;
  });
  if (outcome === 'used')
    return failedPage('You have answered this already. You can close this page.');
  if (outcome === 'client_removed')
    return failedPage('An operator has removed this program. It cannot log in any more.');
  if (outcome === 'unknown') return failedPage('Your account does not exist any more.');
  const next = redirectTo(redirectUri, { code: code.text, iss: login.place.issuer, state });
  return movingOnPage(next, { client: clientName, title: 'Allowed', cookies });
}

const eventOf = (
  action: 'login.granted' | 'login.refused',
  by: Person,
  { clientId, clientName, clientHost, redirectUri, scopes }: ConsentRequest,
) => ({
  action,
  by,
  target: { kind: 'client', id: clientId, name: clientName },
  detail: {
    client_id: clientId,
    named_by: clientHost,
    goes_back_to: placeOf(redirectUri),
    permissions: [...scopes],
  },
});
