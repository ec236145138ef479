import type { KeyStore } from '@trawl/router';
import type { RedisLink } from '../connection/link.ts';
import { reportChanges } from './reported-changes.ts';

/** Changes of API keys, which replicas report to each other. */
export interface KeyChanges {
  /**
   * The same keys, whose changes are reported to the other replicas. Nothing waits for that: they
   * look by themselves too.
   */
  reporting(keys: KeyStore): KeyStore;
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
  const report = () => void link.ask('key_change', (send) => send(['PUBLISH', channel, link.id]));
  return {
    reporting: (keys) => reportChanges(keys, report),
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}
