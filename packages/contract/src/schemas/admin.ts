import { z } from 'zod';
import { ID } from '../examples/ids.ts';
import { LIMITS } from '../vocabulary/limits.ts';
import {
  GRACE_PERIODS,
  KEY_PERMISSIONS,
  LOGIN_DEFAULTS,
  MCP_LOGINS,
  ROLES,
} from '../vocabulary/vocabulary.ts';
import { keySettings, projectSettings } from './access-settings.ts';
import { dateTimeOut, freeObject, openEnum, optional, uuid, uuidOut } from './json.ts';
import { pageNext, pageQuery } from './page.ts';
import { SetWebRules } from './web-rules.ts';

/** Requests and answers of the operator API. In a change, what is absent stays as it is. */

const projectId = uuid.meta({ description: 'Id of the project.', example: ID.project });
const keyId = uuid.meta({ description: 'Id of the key.', example: ID.key });

export const ProjectPath = z.object({ project_id: projectId });
export const KeyPath = z.object({ key_id: keyId });

const page = pageQuery(ID.project);

const nameFilter = (what: string) =>
  optional(z.string().min(1).max(LIMITS.idCharacters)).meta({
    description: `Only ${what} of exactly this name.`,
    example: 'support bot',
  });

export const ProjectsQuery = z.strictObject({ name: nameFilter('the project'), ...page });
export const KeysQuery = z.strictObject({
  project_id: optional(projectId).meta({
    description: 'Only keys of this project.',
    example: ID.project,
  }),
  name: nameFilter('keys'),
  ...page,
});
export const MembersQuery = z.strictObject({
  project_id: optional(projectId).meta({
    description: 'Only people who have a role in this project.',
    example: ID.project,
  }),
  ...page,
});

const { retention_days, rate_limit, monthly_budget_usd, web_rules } = projectSettings;

export const NewProject = z
  .strictObject({
    name: projectSettings.name,
    rate_limit: rate_limit.default(null),
    monthly_budget_usd: monthly_budget_usd.default(null),
    retention_days: retention_days.default(null),
    web_rules: web_rules.default(null),
    mcp_login: projectSettings.mcp_login.default(LOGIN_DEFAULTS.mcp_login),
    mcp_login_budget_usd: projectSettings.mcp_login_budget_usd.default(
      LOGIN_DEFAULTS.mcp_login_budget_usd,
    ),
  })
  .meta({ id: 'NewProject', description: 'A project to make.' });
export type NewProject = z.output<typeof NewProject>;

export const ProjectChange = z
  .strictObject(projectSettings)
  .partial()
  .meta({ id: 'ProjectChange', description: 'What is absent stays; null removes a limit.' });
export type ProjectChange = z.output<typeof ProjectChange>;

export const AdminProject = z
  .object({
    id: uuidOut.describe('Stays the same when the project is renamed.'),
    name: z.string().describe('Unique in the deployment.'),
    created_at: dateTimeOut.describe('When it was made.'),
    rate_limit: z.int().nullable().describe('Requests a minute of all its keys; null = no limit.'),
    monthly_budget_usd: z
      .number()
      .nullable()
      .describe('US dollars of all its keys in a calendar month (UTC); null = no limit.'),
    retention_days: z
      .int()
      .nullable()
      .describe('Days that what is recorded is kept; 0 = for ever, null = as RETENTION_DAYS says.'),
    web_rules: SetWebRules.nullable().describe('What its requests must not touch; null = nothing.'),
    mcp_login: z.enum(MCP_LOGINS).describe('Who may let clients of `/mcp` log in.'),
    mcp_login_budget_usd: z
      .number()
      .describe('US dollars in a calendar month (UTC) of each new login for `/mcp`.'),
  })
  .meta({ id: 'AdminProject', description: 'A project with its limits.' });
export type AdminProject = z.output<typeof AdminProject>;

export const ProjectsResponse = z
  .object({
    projects: z.array(AdminProject).describe('In the order of their ids, which is that of time.'),
    next_after: pageNext,
  })
  .meta({ id: 'ProjectsResponse', description: 'A page of projects.' });

export const NewAdminKey = z
  .strictObject({
    project_id: projectId.describe('The project it belongs to, for good.'),
    name: keySettings.name,
    permissions: keySettings.permissions,
    expires_at: keySettings.expires_at.default(null),
    rate_limit: keySettings.rate_limit.default(null),
    monthly_budget_usd: keySettings.monthly_budget_usd.default(null),
    allowed_providers: keySettings.allowed_providers.default(null),
    no_training: keySettings.no_training.default(false),
    allowed_domains: keySettings.allowed_domains.default(null),
    profile: keySettings.profile.default(null),
  })
  .meta({ id: 'NewKey', description: 'A key to make.' });
/** A key to make in a project that is known. */
export const NewKeySettings = NewAdminKey.omit({ project_id: true });
export type NewKeySettings = z.output<typeof NewKeySettings>;

export const AdminKeyChange = z
  .strictObject({
    ...keySettings,
    disabled: z.boolean().describe('A disabled key is refused until it is enabled again.'),
  })
  .partial()
  .meta({ id: 'KeyChange', description: 'What is absent stays; null removes a limit.' });
export type AdminKeyChange = z.output<typeof AdminKeyChange>;

export const KeyRotation = z
  .strictObject({
    grace: z
      .enum(GRACE_PERIODS)
      .describe('How much longer the old key is valid; not beyond its own expiry.'),
  })
  .meta({ id: 'KeyRotation', description: 'How a key is replaced.' });

export const AdminKey = z
  .object({
    id: uuidOut.describe('Id of the key.'),
    project_id: uuidOut.describe('The project it belongs to.'),
    name: z.string().describe('For people; several keys may have the same.'),
    last_four: z.string().describe('The last characters of its secret.'),
    permissions: z
      .array(openEnum(KEY_PERMISSIONS))
      .describe('What it may do; `admin` alone = a key of this operator API.'),
    created_at: dateTimeOut.describe('When it was made.'),
    expires_at: dateTimeOut.nullable().describe('When it ends; null = never.'),
    revoked_at: dateTimeOut.nullable().describe('When it was revoked for good; null = it was not.'),
    disabled: z.boolean().describe('Whether it is refused until it is enabled again.'),
    replaces: uuidOut.nullable().describe('The key that it replaced by a rotation.'),
    rate_limit: z.int().nullable().describe('Requests a minute; null = no limit.'),
    monthly_budget_usd: z
      .number()
      .nullable()
      .describe('US dollars in a calendar month (UTC); null = no limit.'),
    allowed_providers: z
      .array(z.string())
      .nullable()
      .describe('The only providers that it may use; null = all.'),
    no_training: z.boolean().describe('Whether it may only use providers that train no models.'),
    replay_session: uuidOut
      .nullable()
      .describe('The session whose records alone answer it; null = providers do.'),
    allowed_domains: z
      .array(z.string())
      .nullable()
      .describe('The only hosts whose pages it may fetch; null = all.'),
    profile: freeObject().nullable().describe('Defaults of its requests; null = none.'),
    login_client: z
      .string()
      .nullable()
      .describe(
        'The client of `/mcp` that a person let log in, by its id: this key is a login and has no secret; null = it is no login.',
      ),
  })
  .meta({ id: 'AdminKey', description: 'A key without its secret.' });
export type AdminKey = z.output<typeof AdminKey>;

const secret = z.string().describe('The key itself. No other answer has it: store it now.');

export const IssuedAdminKey = AdminKey.extend({ secret }).meta({
  id: 'IssuedKey',
  description: 'A new key with its secret.',
});

export const RotatedAdminKey = AdminKey.extend({
  secret,
  old_expires_at: dateTimeOut.describe('When the old key ends.'),
}).meta({ id: 'RotatedKey', description: 'The key that replaces another, with its secret.' });

export const KeysResponse = z
  .object({
    keys: z.array(AdminKey).describe('In the order of their ids, which is that of time.'),
    next_after: pageNext,
  })
  .meta({ id: 'KeysResponse', description: 'A page of keys.' });

export const AdminMember = z
  .object({
    id: z.string().describe('Id of the person.'),
    name: z.string().describe('As the person is called in the console.'),
    email: z.string().describe('In lower case.'),
    is_operator: z.boolean().describe('An operator is an owner of every project.'),
    created_at: dateTimeOut.describe('When the account was made.'),
    last_seen_at: dateTimeOut
      .nullable()
      .describe('To the day; null = no session of the person is left.'),
    projects: z
      .array(
        z
          .object({
            project_id: uuidOut.describe('Id of the project.'),
            role: z.enum(ROLES).describe('The role there.'),
          })
          .meta({ id: 'Membership', description: 'A role in a project.' }),
      )
      .describe('Projects that the person is a member of.'),
  })
  .meta({ id: 'AdminMember', description: 'A person of the console.' });
export type AdminMember = z.output<typeof AdminMember>;

export const MembersResponse = z
  .object({
    members: z.array(AdminMember).describe('In the order of their ids.'),
    next_after: pageNext,
  })
  .meta({ id: 'MembersResponse', description: 'A page of people.' });
