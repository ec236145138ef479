import type { z } from 'zod';
import { ACCOUNT_ROUTES } from './account.ts';
import { ALERT_ROUTES } from './alerts.ts';
import { AUDIT_ROUTES } from './audit.ts';
import { KEY_ROUTES } from './keys.ts';
import { PROJECT_ROUTES } from './projects.ts';
import { PROVIDER_KEY_ROUTES } from './provider-keys.ts';
import { PROVIDER_ROUTES } from './providers.ts';
import { ROUTING_ROUTES } from './routing.ts';
import { SESSION_ROUTES } from './session.ts';
import { SESSIONS_ROUTES } from './sessions.ts';
import { USAGE_ROUTES } from './usage.ts';

/** The routes of the console, each part in the file of its subject. */
export const CONSOLE_ROUTES = {
  ...ACCOUNT_ROUTES,
  ...ALERT_ROUTES,
  ...AUDIT_ROUTES,
  ...PROJECT_ROUTES,
  ...KEY_ROUTES,
  ...SESSION_ROUTES,
  ...SESSIONS_ROUTES,
  ...PROVIDER_ROUTES,
  ...PROVIDER_KEY_ROUTES,
  ...ROUTING_ROUTES,
  ...USAGE_ROUTES,
};

export type ConsoleRoutes = typeof CONSOLE_ROUTES;
export type ConsoleRouteId = keyof ConsoleRoutes;

type Part<K extends ConsoleRouteId, Name extends 'params' | 'query' | 'body'> =
  ConsoleRoutes[K] extends Record<Name, infer S extends z.ZodType> ? S : undefined;
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** The input of a handler after validation. */
export interface ConsoleInput<K extends ConsoleRouteId> {
  readonly params: Output<Part<K, 'params'>>;
  readonly query: Output<Part<K, 'query'>>;
  readonly body: Output<Part<K, 'body'>>;
}

/** What a page sends. */
export interface ConsoleCall<K extends ConsoleRouteId> {
  readonly params: Input<Part<K, 'params'>>;
  readonly query: Input<Part<K, 'query'>>;
  readonly body: Input<Part<K, 'body'>>;
}

/** What a page gets. */
export type ConsoleAnswer<K extends ConsoleRouteId> = z.output<ConsoleRoutes[K]['response']>;
