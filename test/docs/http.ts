import type { Block } from './blocks.ts';
import type { PageServer } from './page-server.ts';

/** A request that a page shows, and the status that the page expects. */
interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
}

export const isRequest = ({ language }: Block): boolean => language === 'http';

/** Sends the request of a block. Returns how the answer differs from the page. */
export async function complaintAboutRequest(
  block: Block,
  { call, fill }: PageServer,
): Promise<string | undefined> {
  const request = readRequest({ ...block, text: await fill(block.text) });
  if (typeof request === 'string') return request;
  const { method, path, headers, body, status } = request;
  const answer = await call(method, path, {
    headers,
    ...(body === '' ? {} : { rawBody: body }),
    ...('authorization' in headers ? { key: null } : {}),
  });
  return answer.status === status
    ? undefined
    : `was answered ${answer.status} instead of ${status}\n${answer.text.slice(0, 2_000)}`;
}

/**
 * Reads a ```http block: method and path, headers if there are any, the body, then `Answers
 * STATUS`. A text says what is wrong.
 */
function readRequest(block: Block): ExampleRequest | string {
  const [, status] = /^Answers? (\d{3})\b/.exec(block.after) ?? [];
  const [first = '', ...rest] = block.text.split('\n');
  const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(first) ?? [];
  if (!method || !path) return 'does not begin with METHOD /path';
  if (!status) return 'the line after the block must begin with "Answers NNN"';
  const bodyAt = rest.findIndex((line) => !HEADER.test(line));
  const headerLines = bodyAt < 0 ? rest : rest.slice(0, bodyAt);
  return {
    method,
    path,
    headers: Object.fromEntries(headerLines.map(headerOf)),
    body: bodyAt < 0 ? '' : rest.slice(bodyAt).join('\n').trim(),
    status: Number(status),
  };
}

const HEADER = /^([\w-]+): *(.*)$/;

function headerOf(line: string): readonly [string, string] {
  const [, name = '', value = ''] = HEADER.exec(line) ?? [];
  return [name.toLowerCase(), value];
}
