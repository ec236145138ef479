import type { Changer } from '@trawl/server';
import { type ConsoleContext, personOf } from '../serving/handler.ts';
import type { AuditTrail } from './audit-trail.ts';
import { factsOf } from './request-facts.ts';

/** Where changes of projects and keys are recorded. */
export interface ChangeRecording {
  readonly trail: Pick<AuditTrail, 'entry'>;
  readonly publicUrl: string | undefined;
}

/** The person of a request as the one who changes a project or a key. */
export function changerOf(context: ConsoleContext, { trail, publicUrl }: ChangeRecording): Changer {
  const by = personOf(context);
  return {
    personId: by.id,
    adminKeys: by.isOperator ? 'end' : 'none',
    entry: (event) => trail.entry({ ...event, by }, factsOf(context.branch, publicUrl)),
  };
}
