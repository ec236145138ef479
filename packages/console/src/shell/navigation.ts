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

/** The path of an area for the router, which knows `/console` as its base. */
export const areaPath = (project: string, area: string): string => `/p/${project}/${area}`;

/**
 * The address of a page for a plain link, as `rowHref` of a table and `href` of a peek panel want
 * it.
 */
export const hrefOf = (path: string): string => `/console${path}`;
