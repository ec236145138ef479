export interface EmbeddingCall {
  readonly texts: readonly string[];
  readonly timeoutMs: number;
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

/** A call of the endpoint that brought no vectors. The message names the cause and never the key. */
export class EmbeddingsError extends Error {
  /** Reason to leave it alone for a while; not where the caller gave up. */
  readonly isEndpointsFault: boolean;

  constructor(message: string, isEndpointsFault: boolean) {
    super(message);
    this.name = 'EmbeddingsError';
    this.isEndpointsFault = isEndpointsFault;
  }
}

/** Vectors for texts, in their order, all of one size. @throws EmbeddingsError */
export type Embed = (call: EmbeddingCall) => Promise<readonly (readonly number[])[]>;
