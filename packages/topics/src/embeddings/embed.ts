export interface EmbeddingCall {
  readonly texts: readonly string[];
  readonly timeoutMs: number;
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

/**
 * A call of the endpoint that did not return vectors. The message names the cause and never the
 * key.
 */
export class EmbeddingsError extends Error {
  /** Whether the endpoint is at fault and should be paused; false if the caller gave up. */
  readonly isEndpointsFault: boolean;

  constructor(message: string, isEndpointsFault: boolean) {
    super(message);
    this.name = 'EmbeddingsError';
    this.isEndpointsFault = isEndpointsFault;
  }
}

/** Returns vectors for texts, in order, all of one size. @throws EmbeddingsError */
export type Embed = (call: EmbeddingCall) => Promise<readonly (readonly number[])[]>;
