import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { hasStatus } from '../api/error.ts';
import { projectOf, sessionQuery } from '../api/session.ts';
import { areaPath } from '../shell/navigation.ts';
import { parseSearch, stringifySearch } from '../url-state/url-state.ts';
import { FailedPage, MissingPage } from './failed-page.tsx';
import { InProject, Root, SignedIn } from './root.tsx';

interface Context {
  readonly client: QueryClient;
}

const root = createRootRouteWithContext<Context>()({ component: Root });

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedIn,
  beforeLoad: async ({ context, location }) => {
    const session = await context.client.ensureQueryData(sessionQuery).catch((error: unknown) => {
      if (!hasStatus(error, 401)) throw error;
      throw redirect({ to: '/sign-in', search: { redirect: `/console${location.href}` } as never });
    });
    return { session };
  },
});

const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { session } }) => {
    const [only, another] = session.projects;
    throw redirect({
      to: only && !another ? areaPath(only.id, 'overview') : '/projects',
      replace: true,
    });
  },
});

const inProject = createRoute({
  getParentRoute: () => signedIn,
  path: '/p/$project',
  component: function ProjectPages() {
    return <InProject project={inProject.useParams().project} />;
  },
  beforeLoad: ({ context: { session }, params }) => {
    if (!projectOf(session, params.project)) throw notFound();
  },
});

const projectStart = createRoute({
  getParentRoute: () => inProject,
  path: '/',
  beforeLoad: ({ params: { project } }) => {
    throw redirect({ to: areaPath(project, 'overview'), replace: true });
  },
});

/** Each page is a chunk of its own, in the folder of its area. */
const openPages = [
  createRoute({
    getParentRoute: () => root,
    path: '/setup',
    component: lazyRouteComponent(() => import('../pages/setup/setup-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('../pages/sign-in/sign-in-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitation',
    component: lazyRouteComponent(() => import('../pages/invitation/invitation-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/password',
    component: lazyRouteComponent(() => import('../pages/password/password-page.tsx')),
  }),
];

const personalPages = [
  createRoute({
    getParentRoute: () => signedIn,
    path: '/account',
    component: lazyRouteComponent(() => import('../pages/account/account-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/projects',
    component: lazyRouteComponent(() => import('../pages/projects/projects-page.tsx')),
  }),
];

const PROJECT_PAGES = {
  overview: lazyRouteComponent(() => import('../pages/overview/overview-page.tsx')),
  playground: lazyRouteComponent(() => import('../pages/playground/playground-page.tsx')),
  sessions: lazyRouteComponent(() => import('../pages/sessions/sessions-page.tsx')),
  'sessions/$session': lazyRouteComponent(() => import('../pages/session/session-page.tsx')),
  'sessions/$session/$interaction': lazyRouteComponent(
    () => import('../pages/interaction/interaction-page.tsx'),
  ),
  'sessions/$session/$interaction/diff/$other': lazyRouteComponent(
    () => import('../pages/diff/diff-page.tsx'),
  ),
  watches: lazyRouteComponent(() => import('../pages/watches/watches-page.tsx')),
  usage: lazyRouteComponent(() => import('../pages/usage/usage-page.tsx')),
  keys: lazyRouteComponent(() => import('../pages/keys/keys-page.tsx')),
  'keys/$key': lazyRouteComponent(() => import('../pages/keys/key-page.tsx')),
  providers: lazyRouteComponent(() => import('../pages/providers/providers-page.tsx')),
  routing: lazyRouteComponent(() => import('../pages/routing/routing-page.tsx')),
  members: lazyRouteComponent(() => import('../pages/members/members-page.tsx')),
  audit: lazyRouteComponent(() => import('../pages/audit/audit-page.tsx')),
  settings: lazyRouteComponent(() => import('../pages/settings/settings-page.tsx')),
} as const;

const projectPages = Object.entries(PROJECT_PAGES).map(([path, component]) =>
  createRoute({ getParentRoute: () => inProject, path, component }),
);

const tree = root.addChildren([
  ...openPages,
  signedIn.addChildren([
    start,
    ...personalPages,
    inProject.addChildren([projectStart, ...projectPages]),
  ]),
]);

export const createAppRouter = (client: QueryClient) =>
  createRouter({
    routeTree: tree,
    basepath: '/console',
    context: { client },
    defaultPreload: 'intent',
    // answers are kept by the query client
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    parseSearch,
    stringifySearch,
    defaultErrorComponent: FailedPage,
    defaultNotFoundComponent: MissingPage,
  });
