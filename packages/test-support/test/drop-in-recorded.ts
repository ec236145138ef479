import type { TestServer } from './harness.ts';

/**
 * The newest interaction, as it is read back. `id`: it must be this one, with or without dashes.
 */
export async function recorded(server: TestServer, id: string) {
  const { json } = await server.call('GET', '/v1/sessions?limit=1');
  const [{ id: session }] = json.sessions;
  const dashed = id.replace(/^(\w{8})-?(\w{4})-?(\w{4})-?(\w{4})-?(\w{12})$/, '$1-$2-$3-$4-$5');
  const path = `/v1/interactions?session_id=${session}&interaction_id=${dashed}`;
  const answer = await server.call('GET', path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}
