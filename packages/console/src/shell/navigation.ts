import { isAllowed, projectOf, type SignedIn } from '../api/session.ts';
import type { IconName } from '../parts/icon.tsx';

export interface Area {
  /** The last part of the address. */
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** After `g`. */
  readonly key: string;
}

/** The areas of a project, in the groups of the rail. */
export const AREAS: readonly (readonly Area[])[] = [
  [
    { path: 'overview', label: 'Overview', icon: 'folder', key: 'o' },
    { path: 'playground', label: 'Playground', icon: 'play', key: 'p' },
    { path: 'sessions', label: 'Sessions', icon: 'sessions', key: 's' },
    { path: 'watches', label: 'Watches', icon: 'live', key: 'w' },
    { path: 'usage', label: 'Usage', icon: 'chart', key: 'u' },
    { path: 'keys', label: 'Keys', icon: 'key', key: 'k' },
  ],
  [
    { path: 'providers', label: 'Providers', icon: 'plug', key: 'v' },
    { path: 'routing', label: 'Routing', icon: 'route', key: 'r' },
  ],
  [
    { path: 'members', label: 'Members', icon: 'people', key: 'm' },
    { path: 'audit', label: 'Audit', icon: 'audit', key: 'a' },
    { path: 'settings', label: 'Settings', icon: 'settings', key: 'e' },
  ],
];

export interface Action {
  readonly label: string;
  readonly icon: IconName;
  /** The address of the page with the action's form open. */
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

/** What a person may begin from any page: forms that open with their page. */
export function actionsOf(session: SignedIn, projectId: string | undefined): readonly Action[] {
  const project = projectId === undefined ? undefined : projectOf(session, projectId);
  const own = project && isAllowed(session, project, 'admin') ? [project.id] : [];
  return [
    ...own.flatMap((id): readonly Action[] => [
      { label: 'New key', icon: 'key', to: areaPath(id, 'keys'), search: { create: '1' } },
      { label: 'New watch', icon: 'live', to: areaPath(id, 'watches'), search: { create: '1' } },
      {
        label: 'Invite a person',
        icon: 'people',
        to: areaPath(id, 'members'),
        search: { invite: '1' },
      },
    ]),
    ...(session.person.is_operator
      ? [{ label: 'New project', icon: 'plus' as const, to: '/projects', search: { create: '1' } }]
      : []),
  ];
}

/** The path of an area for the router, which knows `/console` as its base. */
export const areaPath = (project: string, area: string): string => `/p/${project}/${area}`;

/**
 * The address of a page for a plain link, as `rowHref` of a table and `href` of a peek panel want
 * it.
 */
export const hrefOf = (path: string): string => `/console${path}`;
