import type { BranchRequest } from '@trawl/server';
import { deviceToken } from './devices.ts';

/**
 * What is known of a request besides its input. The audit log and the sessions keep id, address and
 * user agent.
 */
export interface RequestFacts {
  readonly requestId: string | null;
  /** The client's address; null = not known. */
  readonly address: string | null;
  readonly userAgent: string | null;
  /** Where the console is, for links: `https://trawl.example.com`. */
  readonly baseUrl: string;
  /** Of the cookie of a device on which a person was signed in. Never recorded. */
  readonly device?: string | undefined;
}

const USER_AGENT_CHARACTERS = 300;

/** @param publicUrl the address of the server; undefined = that of the request */
export function factsOf(
  { request, requestId, address }: BranchRequest,
  publicUrl: string | undefined,
): RequestFacts {
  return {
    requestId,
    address,
    userAgent: request.headers.get('user-agent')?.slice(0, USER_AGENT_CHARACTERS) ?? null,
    baseUrl: publicUrl ?? new URL(request.url).origin,
    device: deviceToken(request.headers),
  };
}
