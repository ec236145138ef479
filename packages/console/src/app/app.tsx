import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createQueryClient } from '../api/client.ts';
import { sessionQuery } from '../api/session.ts';
import { createAppRouter } from './router.tsx';
import { noteSignedOut } from './signed-out.ts';

const client = createQueryClient(() => {
  // without a session in memory, the person was not signed in before
  if (client.getQueryData(sessionQuery.queryKey)) noteSignedOut();
});
const router = createAppRouter(client);

export const App = () => (
  <QueryClientProvider client={client}>
    <RouterProvider router={router} />
  </QueryClientProvider>
);
