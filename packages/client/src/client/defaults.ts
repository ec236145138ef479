import type { InteractionRequest } from '../contract/types.ts';
import type { PerCall } from './requests.ts';

/** What a client takes from settings files and variables. */
export interface Defaults {
  /**
   * A search or an interaction with the settings that it does not set itself.
   * @throws TrawlError `usage` when no provider is left
   */
  fill(request: PerCall<InteractionRequest>): InteractionRequest;
  /** Whether a conversation that does not say it sends only new turns. */
  readonly incremental: boolean;
}

/** @throws TrawlError `usage` naming file or variable, key and remedy */
export type ReadDefaults = () => Defaults;
