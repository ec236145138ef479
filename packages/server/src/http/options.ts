import type { ClientAddress, Clock, OutageLog } from '@trawl/base';
import type { AnsweredRequest, Observe } from '@trawl/telemetry';
import type { Logger } from 'pino';
import type { KeyAudit } from '../admin/audit-entry.ts';
import type { Authenticate } from '../auth/authenticate.ts';
import type { ReplayScope } from '../auth/replay-scope.ts';
import type { Handlers } from './handler.ts';
import type { RequestAdmission } from './request/admission.ts';
import type { RateLimit } from './request/rate-limit.ts';

export interface HttpOptions {
  readonly handlers: Handlers;
  readonly authenticate: Authenticate;
  readonly rateLimit?: RateLimit | undefined;
  /** Keeps keys that replay a session to it; absent = no limit. */
  readonly replayScope?: ReplayScope | undefined;
  /** Limits the requests in progress; absent = no limit. */
  readonly admission?: RequestAdmission | undefined;
  readonly log: Logger;
  /** Where failures of requests are logged. */
  readonly outages: OutageLog;
  readonly clock: Clock;
  /** Where the use of the operator API is written. */
  readonly keyAudit: KeyAudit;
  readonly clientAddress: ClientAddress;
  /** Called for each request that came by a connection, soon after its answer was made. */
  readonly onAnswered?: ((request: AnsweredRequest) => void) | undefined;
  /** Observes a request that asks providers. */
  readonly observe?: Observe | undefined;
  /** The time that a request has from its arrival. */
  readonly requestDeadlineMs: number;
  /** Headers of every answer; `SECURITY_HEADERS` when absent. */
  readonly securityHeaders?: Readonly<Record<string, string>>;
}
