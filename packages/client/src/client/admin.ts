import type * as Types from '../contract/types.ts';
import type { CallOptions } from '../http/call.ts';
import { pagedItems } from './paging.ts';
import { PlainAdminCalls } from './plain-calls.ts';

/**
 * The operator API: projects, keys and people of a deployment. Its key has the permission `admin`,
 * which `trawl keys create` grants on the server's machine. A call that makes something is not
 * repeated automatically.
 */
export class TrawlAdmin extends PlainAdminCalls {
  /** All projects. Pages are read when they are needed; `limit` is the size of a page. */
  projects(
    query: Types.ListProjectsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Types.AdminProject> {
    return pagedItems(
      (after = query.after) => this.listProjects({ ...query, after }, options),
      ({ projects }) => projects,
    );
  }

  /** All keys. Pages are read when they are needed; `limit` is the size of a page. */
  keys(query: Types.ListKeysQuery = {}, options?: CallOptions): AsyncGenerator<Types.AdminKey> {
    return pagedItems(
      (after = query.after) => this.listKeys({ ...query, after }, options),
      ({ keys }) => keys,
    );
  }

  /** All people of the console. Pages are read when they are needed. */
  members(
    query: Types.ListMembersQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Types.AdminMember> {
    return pagedItems(
      (after = query.after) => this.listMembers({ ...query, after }, options),
      ({ members }) => members,
    );
  }
}
