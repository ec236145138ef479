import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './error.ts';

const RETRIES_MAX = 1;

/**
 * The cache of answers. Reads are tried once more after a failure that may pass.
 * @param onSignedOut Called when a call is refused because the session ended.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // also without the internet: the server may be on this machine
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 10_000,
        retry: (count, error) => count < RETRIES_MAX && mayPass(error),
      },
    },
  });
}

const mayPass = (error: Error): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502);
