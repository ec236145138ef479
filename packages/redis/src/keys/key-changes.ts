import type { RedisLink } from '../connection/link.ts';

/** Changes of API keys, which replicas report to each other. */
export interface KeyChanges {
  /**
   * Reports to the other replicas that keys were changed. Nothing waits for that: they look by
   * themselves too.
   */
  report(): void;
  /**
   * Called when another replica changed a key, and when Redis came, since changes may have been
   * missed.
   */
  onChange(listener: () => void): void;
}

export function createKeyChanges(link: RedisLink): KeyChanges {
  const channel = link.key('keys');
  const listeners: (() => void)[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };
  link.listen(channel, (from) => {
    if (from !== link.id) changed();
  });
  link.onState((isUp) => {
    if (isUp) changed();
  });
  return {
    report: () => void link.ask('key_change', (send) => send(['PUBLISH', channel, link.id])),
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}
