import { jsonText } from '@trawl/base';
import { type Deployment, fetchRoster, searchRoster } from '@trawl/router';
import type { Handlers } from '../http/handler.ts';

/** GET /v1/preprocessors and GET /v1/fetch-providers: the providers of this deployment. */
export function rosterRoutes(
  deployment: Deployment,
): Pick<Handlers, 'preprocessors' | 'fetchProviders'> {
  return {
    preprocessors: async () => ({ text: jsonText(searchRoster(deployment)) }),
    fetchProviders: async () => ({ text: jsonText(fetchRoster(deployment)) }),
  };
}
