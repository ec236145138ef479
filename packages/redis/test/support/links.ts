import { randomUUID } from 'node:crypto';
import {
  createRedisLink,
  type RedisLink,
  type RedisLinkOptions,
} from '../../src/connection/link.ts';

/** A line of the log. */
export interface Line {
  readonly level: 'info' | 'warn';
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

export interface TestLink extends RedisLink {
  readonly lines: readonly Line[];
}

const opened: RedisLink[] = [];

/** A link that looks for Redis often, in a deployment of its own unless one is named. */
export function testLink(
  address: string,
  deploymentId: string = randomUUID(),
  more: Partial<RedisLinkOptions> = {},
): TestLink {
  const lines: Line[] = [];
  const log = {
    info: (fields: object, message: string) =>
      void lines.push({ level: 'info', fields: { ...fields }, message }),
    warn: (fields: object, message: string) =>
      void lines.push({ level: 'warn', fields: { ...fields }, message }),
  };
  const link = createRedisLink({ address, deploymentId, log, pauseMs: 100, ...more });
  opened.push(link);
  return { ...link, lines };
}

/**
 * Links of two replicas of one deployment. Connect them with `start` once all that listens is made.
 */
export function twoLinks(address: string): readonly [TestLink, TestLink] {
  const deploymentId = randomUUID();
  return [testLink(address, deploymentId), testLink(address, deploymentId)];
}

export function closeLinks(): void {
  for (const link of opened.splice(0)) link.close();
}

/** Resolves when Redis came, or went. */
export async function state(link: RedisLink, isUp: boolean): Promise<void> {
  if (link.isUp() === isUp) return;
  await new Promise<void>((resolve) => {
    link.onState((now) => {
      if (now === isUp) resolve();
    });
  });
}
