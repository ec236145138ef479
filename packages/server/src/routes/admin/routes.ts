import type { KeyChangeOptions } from '../../admin/key-changes.ts';
import type { Handlers } from '../../http/handler.ts';
import { type KeyHandlers, keyHandlers } from './keys.ts';
import { memberHandlers } from './members.ts';
import { type ProjectHandlers, projectHandlers } from './projects.ts';

/** The operator API: projects, keys and people of the deployment. Each use is in the audit log. */
export const adminRoutes = (
  options: KeyChangeOptions,
): ProjectHandlers & KeyHandlers & Pick<Handlers, 'listMembers'> => ({
  ...projectHandlers(options),
  ...keyHandlers(options),
  ...memberHandlers(options),
});
