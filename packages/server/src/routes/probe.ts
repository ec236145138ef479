import { jsonText } from '@trawl/base';
import type { Deployment, Executions, Probes } from '@trawl/router';
import { RequestError } from '@trawl/router';
import { valueError } from '../http/findings.ts';
import type { Handlers } from '../http/handler.ts';
import { echoedInput } from '../http/issue-input.ts';
import { entry } from '../http/validation-issues.ts';
import { askingCallerOf } from './caller.ts';

/** POST /v1/providers/{name}/probe: one paid call that shows whether a provider works. */
export function probeRoutes(
  probes: Probes,
  { follow }: Executions,
  deployment: Deployment,
): Pick<Handlers, 'probe'> {
  return {
    probe: async ({ params, query, body }, context) => {
      const wanted = { provider: params.name, operation: body.operation, url: body.url };
      const caller = askingCallerOf(context, deployment);
      return query.dry_run
        ? { text: jsonText(await probes.price(wanted, caller)) }
        : { text: jsonText(await follow(probes.run(wanted, caller))) };
    },
  };
}

/** A fault that only this deployment's providers show. */
export const probeFault = (field: string, problem: string, input: unknown): RequestError =>
  new RequestError(422, [entry(['body', field], valueError(problem), echoedInput(input))]);
