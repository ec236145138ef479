import { describe, expect, it } from 'vitest';
import type { PageCall } from '../../src/fetch/chain.ts';
import { type ChainResult, cancelledFetch } from '../../src/fetch/chain-result.ts';
import { createSharedFetches } from '../../src/fetch/pages.ts';
import { webRules } from '../../src/web-rules/web-rules.ts';

/** Shared fetches whose chains end when the test ends them. */
function setUp() {
  const fetches = createSharedFetches();
  const chains: {
    call: PageCall;
    end: (result: ChainResult) => void;
    fail: (error: Error) => void;
  }[] = [];
  const waits = { begun: 0, ended: 0 };
  const observer = {
    waited: () => {
      waits.begun += 1;
      return () => {
        waits.ended += 1;
      };
    },
  } as unknown as PageCall['observer'];
  const join = ({ key = 'page', deadlineAt = 100_000 } = {}) => {
    const controller = new AbortController();
    const call = {
      keyId: 'key',
      signal: controller.signal,
      projectId: 'p',
      deadlineAt,
      observer,
      allowedDomains: null,
      rules: webRules([], []),
    };
    const joined = fetches.join(key, call, null, {
      start: (own) =>
        new Promise((end, fail) => {
          chains.push({ call: own, end, fail });
        }),
    });
    return { joined, leave: () => controller.abort() };
  };
  return { join, chains, waits };
}

const RESULT = cancelledFetch();

describe('fetches of one page at the same time', () => {
  it('share one chain, which the first of them pays', async () => {
    const { join, chains, waits } = setUp();
    const all = [join(), join(), join()];
    expect(chains).toHaveLength(1);
    expect(waits).toEqual({ begun: 2, ended: 0 });
    chains[0]?.end(RESULT);
    expect(await Promise.all(all.map(({ joined }) => joined))).toEqual([
      { result: RESULT, isStarter: true, isPayer: true, payer: null },
      { result: RESULT, isStarter: false, isPayer: false, payer: null },
      { result: RESULT, isStarter: false, isPayer: false, payer: null },
    ]);
    expect(waits).toEqual({ begun: 2, ended: 2 });
  });

  it('do not share one of another page, or one that has ended', async () => {
    const { join, chains } = setUp();
    const first = join();
    join({ key: 'other' });
    expect(chains).toHaveLength(2);
    chains[0]?.end(RESULT);
    await first.joined;
    const { joined } = join();
    expect(chains).toHaveLength(3);
    chains[2]?.end(RESULT);
    expect(await joined).toMatchObject({ isPayer: true });
  });

  it.each([
    [30_000, 1],
    [30_001, 2],
    [-60_000, 1],
  ])('whose deadline is %i ms after that of the chain make %i chains', (later, count) => {
    const { join, chains } = setUp();
    join({ deadlineAt: 100_000 });
    join({ deadlineAt: 100_000 + later });
    expect(chains).toHaveLength(count);
    expect(chains.at(-1)?.call.deadlineAt).toBe(count === 1 ? 100_000 : 100_000 + later);
  });

  it('share the chain that began last, also when an earlier one ends', async () => {
    const { join, chains } = setUp();
    const early = join({ deadlineAt: 0 });
    join({ deadlineAt: 40_000 });
    chains[0]?.end(RESULT);
    await early.joined;
    join({ deadlineAt: 40_000 });
    expect(chains).toHaveLength(2);
  });
});

describe('a caller that leaves', () => {
  it('leaves the chain to those that wait, of whom the next one pays', async () => {
    const { join, chains } = setUp();
    const [first, second, third] = [join(), join(), join()];
    first.leave();
    expect(await first.joined).toBe('left');
    expect(chains[0]?.call.signal.aborted).toBe(false);
    second.leave();
    expect(await second.joined).toBe('left');
    chains[0]?.end(RESULT);
    expect(await third.joined).toMatchObject({ result: RESULT, isPayer: true });
  });

  it('as the last one ends the chain, and waits for what it cost', async () => {
    const { join, chains } = setUp();
    const [first, last] = [join(), join()];
    first.leave();
    last.leave();
    expect(chains[0]?.call.signal.aborted).toBe(true);
    // a chain that was ended is not shared any more
    const { joined: later } = join();
    expect(chains).toHaveLength(2);
    expect(chains[1]?.call.signal.aborted).toBe(false);
    chains[0]?.end(RESULT);
    expect(await last.joined).toMatchObject({ result: RESULT, isPayer: true });
    chains[1]?.end(RESULT);
    expect(await later).toMatchObject({ isPayer: true });
  });

  it('before the chain begins does not keep it from those that come later', async () => {
    const { join, chains } = setUp();
    const alone = join();
    alone.leave();
    const { joined } = join();
    expect(chains).toHaveLength(2);
    for (const { end } of chains) end(RESULT);
    expect(await joined).toMatchObject({ isPayer: true });
  });
});

it('a chain that fails fails all of its callers, and is not kept', async () => {
  const { join, chains } = setUp();
  const all = [join(), join()].map(({ joined }) => joined.catch(({ message }) => message));
  chains[0]?.fail(new Error('broken'));
  expect(await Promise.all(all)).toEqual(['broken', 'broken']);
  join();
  expect(chains).toHaveLength(2);
});
