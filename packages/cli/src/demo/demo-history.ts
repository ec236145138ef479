import { randomUUID } from 'node:crypto';
import type { Trawl } from '@trawl/client';

/**
 * Records what the console has pages for: an agent that searches, reads and searches again below
 * its first step; a provider that fails next to others that answer; a query whose providers the
 * topic chose; a batch; a page that no provider could read.
 */
export async function recordHistory(client: Trawl): Promise<void> {
  const { preprocessors } = await client.preprocessors();
  const failing = preprocessors.filter((one) => one.active_by_default).at(-1)?.slug;
  await recordAgent(client);
  await client.search({
    user_input: { query: `offshore wind maintenance [[${failing}:status=503]]` },
    metadata: { customer: 'harbour', purpose: 'a provider that fails' },
  });
  await client.search({
    user_input: { query: 'interest rate decision of the central bank' },
    search: { auto_routing: 'accuracy' },
    metadata: { customer: 'harbour', purpose: 'providers by topic' },
  });
  await client.createInteraction({
    user_input: ['heat pump noise', 'heat pump grants', 'heat pump winter'].map((query) => ({
      query,
    })),
    postprocessor_names: ['rank_fusion'],
    user_id: 'ada',
  });
  await client.fetch('https://news.example.com/missing');
}

/** Three steps, the second and third below the first. */
async function recordAgent(client: Trawl): Promise<void> {
  const session = randomUUID();
  const goal = randomUUID();
  const below = () => ({ trajectory_id: randomUUID(), parent_trajectory_id: goal });
  await client.search({
    session_id: session,
    user_input: { query: 'how tall is the highest tidal range' },
    search: { tier: 'max' },
    metadata: { trajectory_id: goal, trajectory_goal: 'Find the place with the highest tide' },
  });
  await client.fetch({
    session_id: session,
    urls: ['https://news.example.com/bay-of-fundy', 'https://news.example.com/severn'],
    options: { tier: 'extended' },
    metadata: below(),
  });
  await client.search({
    session_id: session,
    user_input: { query: 'tidal range bay of fundy metres' },
    metadata: below(),
  });
}
