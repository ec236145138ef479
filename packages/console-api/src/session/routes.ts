import { jsonText } from '@trawl/base';
import type { Project } from '@trawl/router';
import { type ConsoleHandlers, personOf } from '../serving/handler.ts';
import { roleIn } from '../serving/person.ts';

export interface SessionOptions {
  readonly version: string;
  /** The address of the API, for commands to copy; undefined = that of the request. */
  readonly publicUrl: string | undefined;
  readonly listProjects: () => Promise<readonly Project[]>;
  /** Extends the session once a day; returns its new cookies. */
  readonly extend: (headers: Headers) => Promise<readonly string[]>;
}

/** GET /console/api/session. */
export function sessionRoutes({
  version,
  publicUrl,
  listProjects,
  extend,
}: SessionOptions): Pick<ConsoleHandlers, 'readSession'> {
  return {
    readSession: async (_, context) => {
      const person = personOf(context);
      const projects = (await listProjects()).flatMap(({ id, name }) => {
        const role = roleIn(person, id);
        return role ? [{ id, name, role }] : [];
      });
      return {
        cookies: await extend(context.branch.request.headers),
        text: jsonText({
          person: {
            id: person.id,
            name: person.name,
            email: person.email,
            is_operator: person.isOperator,
          },
          expires_at: person.expiresAt,
          projects: projects.toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
          server: { version, base_url: publicUrl ?? new URL(context.branch.request.url).origin },
        }),
      };
    },
  };
}
