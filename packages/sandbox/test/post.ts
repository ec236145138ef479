import type { Sandbox } from '../src/index.ts';
import { type Answer, answerOf } from './support.ts';

/** One POST to a vendor of the sandbox. A text is sent as it is, anything else as JSON. */
export async function post(
  sandbox: Sandbox,
  target: `${string}/${string}`,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const [, vendor = '', path = ''] = /^([^/]+)(\/.*)$/.exec(target) ?? [];
  const response = await fetch(`${sandbox.baseUrl(vendor)}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return answerOf(response);
}
