import type { ServerParts } from '@trawl/server';
import { providerRoutes } from '../providers/routes.ts';
import { routingRoutes } from '../routing/routes.ts';
import { usageRoutes } from '../usage/routes.ts';

/** The routes that answer what was recorded, in figures. */
export function figureRoutes(parts: ServerParts) {
  const { config, store, clock, deployment, runner, healthOf } = parts;
  const { ranking } = config;
  const { providers, runs, usage, namedKeys, keys } = store;
  return {
    ...providerRoutes({ deployment, runner, healthOf, providers, clock }),
    ...routingRoutes({ deployment, ranking, runs, clock }),
    ...usageRoutes({ usage, namedKeys, keys, clock }),
  };
}
