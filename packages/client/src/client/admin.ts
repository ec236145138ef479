import type { Endpoint } from '../contract/routes.ts';
import type * as Types from '../contract/types.ts';
import type { ApiCall, CallOptions } from '../http/call.ts';
import { pagedItems } from './paging.ts';

/** A call that no provider is paid for, or one that is not repeated. */
export interface FreeCall extends Omit<ApiCall, 'endpoint' | 'options'> {
  readonly endpoint: Endpoint;
  readonly options: CallOptions | undefined;
}

type Send = <T>(call: FreeCall) => Promise<T>;

/**
 * The operator API: projects, keys and people of a deployment. Its key has the permission `admin`,
 * which `trawl keys create` grants on the server's machine. A call that makes something is not
 * repeated automatically.
 */
export class TrawlAdmin {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /** One page of projects. `next_after` is there when more follow. */
  listProjects(
    query?: Types.ListProjectsQuery,
    options?: CallOptions,
  ): Promise<Types.ProjectsResponse> {
    return this.#send({ endpoint: 'GET /v1/admin/projects', query, options });
  }

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

  /** Makes a project. A name that another one has is refused. */
  createProject(project: Types.NewProject, options?: CallOptions): Promise<Types.AdminProject> {
    return this.#send({
      endpoint: 'POST /v1/admin/projects',
      body: project,
      buys: true,
      options,
    });
  }

  readProject(projectId: string, options?: CallOptions): Promise<Types.AdminProject> {
    return this.#send({
      endpoint: 'GET /v1/admin/projects/{project_id}',
      params: { project_id: projectId },
      options,
    });
  }

  /** Sets what is named; null removes a limit. */
  changeProject(
    projectId: string,
    change: Types.ProjectChange,
    options?: CallOptions,
  ): Promise<Types.AdminProject> {
    return this.#send({
      endpoint: 'PATCH /v1/admin/projects/{project_id}',
      params: { project_id: projectId },
      body: change,
      options,
    });
  }

  /** Deletes a project without keys and recorded sessions. */
  deleteProject(projectId: string, options?: CallOptions): Promise<void> {
    return this.#send({
      endpoint: 'DELETE /v1/admin/projects/{project_id}',
      params: { project_id: projectId },
      options,
    });
  }

  /** One page of keys, without their secrets. `next_after` is there when more follow. */
  listKeys(query?: Types.ListKeysQuery, options?: CallOptions): Promise<Types.KeysResponse> {
    return this.#send({ endpoint: 'GET /v1/admin/keys', query, options });
  }

  /** All keys. Pages are read when they are needed; `limit` is the size of a page. */
  keys(query: Types.ListKeysQuery = {}, options?: CallOptions): AsyncGenerator<Types.AdminKey> {
    return pagedItems(
      (after = query.after) => this.listKeys({ ...query, after }, options),
      ({ keys }) => keys,
    );
  }

  /** Makes a key. Only this answer has its secret. */
  createKey(key: Types.NewKey, options?: CallOptions): Promise<Types.IssuedKey> {
    return this.#send({ endpoint: 'POST /v1/admin/keys', body: key, buys: true, options });
  }

  readKey(keyId: string, options?: CallOptions): Promise<Types.AdminKey> {
    return this.#send({
      endpoint: 'GET /v1/admin/keys/{key_id}',
      params: { key_id: keyId },
      options,
    });
  }

  /** Sets what is named; null removes a limit. `disabled` ends and begins its use. */
  changeKey(
    keyId: string,
    change: Types.KeyChange,
    options?: CallOptions,
  ): Promise<Types.AdminKey> {
    return this.#send({
      endpoint: 'PATCH /v1/admin/keys/{key_id}',
      params: { key_id: keyId },
      body: change,
      options,
    });
  }

  /** Ends a key for good. */
  deleteKey(keyId: string, options?: CallOptions): Promise<void> {
    return this.#send({
      endpoint: 'DELETE /v1/admin/keys/{key_id}',
      params: { key_id: keyId },
      options,
    });
  }

  /** Replaces a key by a new one with the same settings. Only this answer has its secret. */
  rotateKey(
    keyId: string,
    rotation: Types.KeyRotation,
    options?: CallOptions,
  ): Promise<Types.RotatedKey> {
    return this.#send({
      endpoint: 'POST /v1/admin/keys/{key_id}/rotate',
      params: { key_id: keyId },
      body: rotation,
      buys: true,
      options,
    });
  }

  /** One page of the people of the console. `next_after` is there when more follow. */
  listMembers(
    query?: Types.ListMembersQuery,
    options?: CallOptions,
  ): Promise<Types.MembersResponse> {
    return this.#send({ endpoint: 'GET /v1/admin/members', query, options });
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
