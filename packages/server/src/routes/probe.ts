import { jsonText } from '@trawl/base';
import {
  type Caller,
  invalidAt,
  type Probes,
  REPEATED,
  type RequestError,
  recordedProbe,
} from '@trawl/router';
import { echoedInput } from '../http/answer/validation-issues.ts';
import type { Handlers } from '../http/handler.ts';
import { askingCallerOf } from './caller.ts';
import { type ExecutionSources, repeatable } from './execution.ts';

/** POST /v1/providers/{name}/probe: one paid call that shows whether a provider works. */
export function probeRoutes(
  probes: Probes,
  { parts, deployment }: Omit<ExecutionSources, 'reader'>,
): Pick<Handlers, 'probe'> {
  return {
    probe: async ({ params, query, body }, context) => {
      const wanted = { provider: params.name, operation: body.operation, url: body.url };
      const caller = askingCallerOf(context, deployment);
      if (query.dry_run) return { text: jsonText(await probes.price(wanted, caller)) };
      const execute = (by: Caller) => probes.run(wanted, by);
      const asking = { route: 'probe' as const, body: wanted, execute, replay: recordedProbe };
      const { answer, isRepeat } = await parts.follow(repeatable(asking, caller, context, parts));
      return { text: jsonText(answer), headers: isRepeat ? REPEATED : {} };
    },
  };
}

/** A fault that only this deployment's providers show. */
export const probeFault = (field: string, problem: string, input: unknown): RequestError =>
  invalidAt(['body', field], problem, echoedInput(input));
