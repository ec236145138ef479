import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createLightAbort } from '../src/index.ts';

describe('a light signal', () => {
  test('is aborted once, with the reason of a controller', () => {
    const { signal, abort } = createLightAbort();
    const listener = vi.fn();
    signal.addEventListener('abort', listener);
    expect(signal.aborted).toBe(false);
    expect(() => signal.throwIfAborted()).not.toThrow();
    abort();
    abort();
    expect(signal.aborted).toBe(true);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(signal.reason).toMatchObject({ name: 'AbortError' });
    expect(() => signal.throwIfAborted()).toThrow(DOMException);
  });

  test('does not call listeners that were removed', () => {
    const { signal, abort } = createLightAbort();
    const listener = vi.fn();
    signal.addEventListener('abort', listener);
    signal.removeEventListener('abort', listener);
    abort();
    expect(listener).not.toHaveBeenCalled();
  });

  test('ends what takes a signal', async () => {
    const { signal, abort } = createLightAbort();
    setMaxListeners(0, signal);
    const waiting = pause(60_000, undefined, { signal });
    abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await expect(pause(60_000, undefined, { signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
