import type { Clock } from '@trawl/base';
import type { Deployment, KeyStore } from '@trawl/router';
import type { AccountStore, ProjectStore } from '@trawl/store';
import type { Handlers } from '../../http/handler.ts';
import { type KeyHandlers, keyHandlers } from './keys.ts';
import { memberHandlers } from './members.ts';
import { type ProjectHandlers, projectHandlers } from './projects.ts';

export interface AdminRouteOptions {
  readonly keys: KeyStore;
  readonly projects: ProjectStore;
  readonly accounts: Pick<AccountStore, 'people' | 'members'>;
  readonly deployment: Deployment;
  readonly clock: Clock;
}

/** The operator API: projects, keys and people of the deployment. Each use is in the audit log. */
export const adminRoutes = (
  options: AdminRouteOptions,
): ProjectHandlers & KeyHandlers & Pick<Handlers, 'listMembers'> => ({
  ...projectHandlers(options),
  ...keyHandlers(options),
  ...memberHandlers(options),
});
