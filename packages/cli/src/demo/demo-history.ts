import { randomUUID } from 'node:crypto';

/** Sends a request to the demo's server. */
type Send = (path: string, body: object) => Promise<{ readonly interaction_id: string }>;

/**
 * Records what the console has pages for: an agent that searches, reads and searches again below
 * its first step; a provider that fails next to others that answer; a query whose providers the
 * topic chose; a batch; a page that no provider could read.
 */
export async function recordHistory(send: Send, providers: readonly string[]): Promise<void> {
  const [, second = ''] = providers;
  await recordAgent(send);
  await send('/v1/search', {
    user_input: { query: `offshore wind maintenance [[${second}:status=503]]` },
    metadata: { customer: 'harbour', purpose: 'a provider that fails' },
  });
  await send('/v1/search', {
    user_input: { query: 'interest rate decision of the central bank' },
    search: { auto_routing: 'accuracy' },
    metadata: { customer: 'harbour', purpose: 'providers by topic' },
  });
  await send('/v1/interactions', {
    user_input: ['heat pump noise', 'heat pump grants', 'heat pump winter'].map((query) => ({
      query,
    })),
    postprocessor_names: ['rank_fusion'],
    user_id: 'ada',
  });
  await send('/v1/fetch', { urls: ['https://news.example.com/missing'], user_id: 'ada' });
}

/** Three steps, the second and third below the first. */
async function recordAgent(send: Send): Promise<void> {
  const session = randomUUID();
  const goal = randomUUID();
  const below = () => ({ trajectory_id: randomUUID(), parent_trajectory_id: goal });
  await send('/v1/search', {
    session_id: session,
    user_input: { query: 'how tall is the highest tidal range' },
    search: { tier: 'max' },
    metadata: { trajectory_id: goal, trajectory_goal: 'Find the place with the highest tide' },
  });
  await send('/v1/fetch', {
    session_id: session,
    urls: ['https://news.example.com/bay-of-fundy', 'https://news.example.com/severn'],
    options: { tier: 'extended' },
    metadata: below(),
  });
  await send('/v1/search', {
    session_id: session,
    user_input: { query: 'tidal range bay of fundy metres' },
    metadata: below(),
  });
}
