import './styles/tokens.css';
import './styles/base.css';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { hasStatus, mayPass } from './api/error.ts';
import { sessionQuery } from './api/session.ts';
import { passNonceOn } from './app/nonce.ts';
import { createAppRouter } from './app/router.tsx';
import { noteSignedOut } from './app/signed-out.ts';

const RETRIES_MAX = 1;

function onError(error: Error): void {
  // without a session in memory, the person was not signed in before
  if (hasStatus(error, 401) && client.getQueryData(sessionQuery.queryKey)) noteSignedOut();
}

/** The cache of answers. Reads are tried once more after a failure that may pass. */
const client = new QueryClient({
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
const router = createAppRouter(client);

passNonceOn();
const root = document.getElementById('root');
if (!root) throw new Error('the page has no element for the app');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
