import {
  type Clock,
  createConcurrencyGate,
  type Deadline,
  type ReportFault,
  startDeadline,
} from '@trawl/base';
import type { BrowserContext } from 'playwright-core';
import { isAllowedHost, portOf } from '../download/allowed-hosts.ts';
import type { ConnectionOptions } from '../download/connections.ts';
import type { FollowOptions } from '../download/follow.ts';
import type { DownloadLimits, Renderer, RenderResult } from '../pages/types.ts';
import { type BrowserProcess, createBrowserProcess } from './browser-process.ts';
import { type GuardProxy, startGuardProxy } from './guard-proxy.ts';
import type { PassLimits } from './page-pass.ts';
import { ignoreClosed, openContext, type Rendered, renderPage } from './render-page.ts';

export interface RendererOptions extends ConnectionOptions {
  /** The operator's Chromium. */
  readonly path: string;
  /** Chromium's own sandbox. */
  readonly hasSandbox: boolean;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly reportFault?: ReportFault | undefined;
  readonly refusal?: FollowOptions['refusal'];
  /** How many pages are rendered at once. */
  readonly concurrency?: number;
  readonly pageLimits?: PassLimits;
  /** The longest time for one page, even if its attempt has more time left. */
  readonly renderMaxMs?: number;
  /** The longest wait for the scripts of a page that has loaded. */
  readonly settleMaxMs?: number;
  /** An idle browser is closed after this long. */
  readonly idleMs?: number;
}

const CONCURRENCY = 2;
const IDLE_MS = 60_000;
const MIB = 1024 * 1024;
const PAGE_LIMITS: PassLimits = { maxBytes: 40 * MIB, maxRequests: 300 };
const DOCUMENT_MAX_BYTES = 20 * MIB;
const SETTLE_MAX_MS = 8_000;
const RENDER_MAX_MS = 30_000;
/** Time kept for reading the document afterwards. */
const READING_MS = 1_000;
/** With less time left, rendering is not started. */
const RENDER_MIN_MS = 500;
/** A browser that takes longer than this to close a page hangs. */
const CLOSE_MAX_MS = 5_000;

/** The renderer's name in the gate. */
const LANE = 'browser';

/** The browser and its proxy, started with the first page. */
interface Engine {
  readonly proxy: GuardProxy;
  readonly process: BrowserProcess;
}

/**
 * Renders pages with the operator's Chromium, which can only reach what the plain reader may reach.
 */
export function createRenderer(options: RendererOptions): Renderer {
  const { clock, concurrency = CONCURRENCY, renderMaxMs = RENDER_MAX_MS } = options;
  const gate = createConcurrencyGate();
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let engine: Promise<Engine> | undefined;
  const started = (): Promise<Engine> => {
    engine ??= startEngine(options);
    return engine;
  };

  /** The slot is held until the page is closed, which may be after its time limit. */
  const renderInSlot = async (url: string, limits: DownloadLimits): Promise<RenderResult> => {
    const { timeoutMs, webRule } = limits;
    const deadline = startDeadline({ timeoutMs, signals: [limits.signal, closing.signal] });
    const work = started()
      .then((running) => renderWith(running, { url, deadline, timeoutMs, webRule }, options))
      .finally(() => gate.leave(LANE));
    underWay.add(work);
    const done = () => underWay.delete(work);
    work.then(done, done);
    try {
      return await deadline.within(work);
    } catch (error) {
      const ending = deadline.endReason();
      if (ending === 'cancelled') return { kind: 'cancelled' };
      if (ending === 'timeout') return failed('its time ran out');
      options.reportFault?.(error, 'the guard of the browser could not be started');
      return failed('the browser could not be started');
    } finally {
      deadline.release();
    }
  };

  return {
    render: async (url, { callerId, signal, timeoutMs, webRule }) => {
      if (closing.signal.aborted) return { kind: 'cancelled' };
      const endsAt = clock.now() + Math.min(timeoutMs - READING_MS, renderMaxMs);
      const limit = startDeadline({ clock, timeoutMs, deadlineAt: endsAt, signals: [signal] });
      const slot = { lane: LANE, slots: concurrency, callerId };
      const hasSlot = gate.enter(slot) || (await gate.wait(slot, limit));
      const isCancelled = limit.endReason() === 'cancelled';
      limit.release();
      if (!hasSlot)
        return isCancelled
          ? { kind: 'cancelled' }
          : failed('the browser was busy until its time ran out');
      const leftMs = endsAt - clock.now();
      if (leftMs >= RENDER_MIN_MS) return renderInSlot(url, { signal, timeoutMs: leftMs, webRule });
      gate.leave(LANE);
      return failed('too little time was left');
    },
    close: async () => {
      closing.abort();
      await Promise.allSettled(underWay);
      const running = await engine?.catch(() => undefined);
      await running?.process.close();
      await running?.proxy.close();
    },
  };
}

async function startEngine(options: RendererOptions): Promise<Engine> {
  const { path, hasSandbox, idleMs = IDLE_MS } = options;
  const proxy = await startGuardProxy(options);
  const process = createBrowserProcess({ path, hasSandbox, idleMs, proxyUrl: proxy.url });
  return { proxy, process };
}

interface RenderTask extends Pick<DownloadLimits, 'webRule'> {
  readonly url: string;
  readonly deadline: Deadline;
  readonly timeoutMs: number;
}

/** Renders one page. Rejects only when its time is over. */
async function renderWith(
  { proxy, process }: Engine,
  { url, deadline, timeoutMs, webRule }: RenderTask,
  options: RendererOptions,
): Promise<Rendered> {
  const target = new URL(url);
  const { allowed, userAgent, reportFault, refusal, pageLimits = PAGE_LIMITS } = options;
  // a public page cannot lead the browser to private hosts, even those that the operator allowed
  const mayBePrivate = isAllowedHost(allowed, target.hostname, portOf(target));
  // what a page loads from hosts that are not among the allowed ones is a part of it, and the page
  // itself is asked about where it is rendered
  const isDenied = ({ href }: URL) => (webRule?.(href) ?? 'hosts.allow') !== 'hosts.allow';
  const pass = proxy.admit(pageLimits, mayBePrivate, isDenied);
  const startedAt = performance.now();
  try {
    const browser = await process.acquire();
    let context: BrowserContext | undefined;
    let closed: Promise<void> | undefined;
    let hanging: NodeJS.Timeout | undefined;
    const close = (): Promise<void> | undefined => {
      hanging ??= setTimeout(() => process.discard(browser), CLOSE_MAX_MS).unref();
      closed ??= context?.close().catch(ignoreClosed);
      return closed;
    };
    // also when it is used up
    const ending = AbortSignal.any([deadline.signal(), pass.signal]);
    ending.addEventListener('abort', close);
    try {
      context = await openContext(browser, { proxyUrl: proxy.url, pass, userAgent });
      ending.throwIfAborted();
      const rendered = await renderPage(context, {
        url,
        timeoutMs: timeoutMs - (performance.now() - startedAt),
        settleMs: options.settleMaxMs ?? SETTLE_MAX_MS,
        maxBytes: DOCUMENT_MAX_BYTES,
        refusal,
        webRule,
      });
      return pass.isUsedUp() ? TOO_MANY_BYTES : rendered;
    } catch (error) {
      deadline.signal().throwIfAborted();
      if (pass.isUsedUp()) return TOO_MANY_BYTES;
      reportFault?.(error, 'the browser failed on a page');
      return failed('the browser failed on it');
    } finally {
      ending.removeEventListener('abort', close);
      await close();
      clearTimeout(hanging);
    }
  } catch (error) {
    deadline.signal().throwIfAborted();
    reportFault?.(error, 'the browser could not be started');
    return failed('the browser could not be started');
  } finally {
    pass.revoke();
    process.release();
  }
}

const failed = (reason: string): Rendered => ({ kind: 'failed', reason });

const TOO_MANY_BYTES = failed('it asked for too many bytes');
