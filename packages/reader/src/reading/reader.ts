import { type CallLimit, type Clock, createConcurrencyGate, startCallLimit } from '@trawl/base';
import { type FetchPlan, pageRead } from '@trawl/providers';
import { verdictOnPage } from '../diagnosis/page-verdict.ts';
import type { ReadPage } from '../pages/extract-protocol.ts';
import type { PageReader, ReaderFault, ReaderLimits } from '../pages/page-reading.ts';
import type { Download, Downloader, Extractor, Renderer } from '../pages/types.ts';

export interface DirectReaderOptions {
  /** Its name in the gate. */
  readonly slug: string;
  readonly downloader: Downloader;
  readonly extractor: Extractor;
  /** Draws pages that only scripts fill; undefined = they stay as they are. */
  readonly renderer?: Renderer | undefined;
  readonly clock: Clock;
  /** Pages under way at once; each may hold its bytes in memory. */
  readonly concurrency: number;
}

type Reading = Awaited<ReturnType<PageReader['read']>>;

/** Pages that send their reader on by themselves, beside the redirects of each. */
const REFRESHES_MAX = 2;

/** What one caller may have of the pages under way: its own that wait for a thread must not keep others out. */
const OWN_SHARE = 0.75;

/** The service's own reader: a guarded download, then its text. Never throws. */
export function createDirectReader(options: DirectReaderOptions): PageReader {
  const { slug, clock, concurrency } = options;
  const ownGate = createConcurrencyGate();
  const gate = createConcurrencyGate();
  const ownSlots = Math.max(1, Math.floor(concurrency * OWN_SHARE));
  return {
    async read(plan, { callerId, signal, timeoutMs }) {
      const deadlineAt = clock.now() + timeoutMs;
      const limit = startCallLimit({ clock, timeoutMs, deadlineAt, signal });
      const own = { lane: callerId, slots: ownSlots, callerId };
      const slot = { lane: slug, slots: concurrency, callerId };
      const hasOwn = ownGate.enter(own) || (await ownGate.wait(own, limit));
      const hasSlot = hasOwn && (gate.enter(slot) || (await gate.wait(slot, limit)));
      try {
        if (!hasSlot) return unserved(limit);
        return await readPage(
          { plan, url: plan.url, callerId, signal, deadlineAt, refreshes: 0 },
          options,
        );
      } finally {
        limit.release();
        if (hasSlot) gate.leave(slug);
        if (hasOwn) ownGate.leave(callerId);
      }
    },
  };
}

/** Its time was over before a slot came: that is our fault, not the page's. */
function unserved(limit: CallLimit): ReaderFault | { readonly kind: 'cancelled' } {
  if (limit.endReason() === 'cancelled') return { kind: 'cancelled' };
  return { kind: 'fault', code: 'timeout', happened: 'had no free slot in time' };
}

/** A page that is read, also at the address to which it sends its readers. */
interface PageTask extends Pick<ReaderLimits, 'callerId' | 'signal'> {
  readonly plan: FetchPlan;
  readonly url: string;
  readonly deadlineAt: number;
  /** How often it was sent elsewhere by now. */
  readonly refreshes: number;
}

async function readPage(task: PageTask, options: DirectReaderOptions): Promise<Reading> {
  const { plan, url, callerId, signal, deadlineAt, refreshes } = task;
  const { downloader, extractor, clock } = options;
  const left = () => ({ callerId, signal, timeoutMs: Math.max(0, deadlineAt - clock.now()) });
  const got = await downloader.download(url, left());
  if (got.kind !== 'downloaded') return got;
  const { download } = got;
  const reading = await extractor.extract(download, wishOf(plan), left());
  // an error page that cannot be read is an error page all the same
  if (isError(download) && reading.kind === 'verdict') return errorPage(download);
  if (reading.kind !== 'page') return reading;
  if (isError(download)) return judged(reading);
  const { refresh } = reading;
  if (refresh !== null && refreshes < REFRESHES_MAX)
    return readPage({ ...task, url: refresh, refreshes: refreshes + 1 }, options);
  const shell = options.renderer ? shellVerdict(reading) : null;
  if (!options.renderer || !shell) return judged(reading);
  const address = `${download.url}${new URL(url).hash}`;
  const rendered = await options.renderer.render(address, left());
  if (rendered.kind === 'cancelled') return rendered;
  if (rendered.kind === 'failed') {
    const reason = `${shell.reason}, not rendered: ${rendered.reason}`;
    return { kind: 'verdict', verdict: { ...shell, reason } };
  }
  const drawn = await extractor.extract(rendered.download, wishOf(plan), left());
  if (drawn.kind !== 'page') return drawn;
  return judged({ ...drawn, page: { ...drawn.page, js_rendered: true } });
}

/** What is said of a page without text that has scripts, which may bring it; null = another page. */
const shellVerdict = ({ verdict, hasScripts }: ReadPage) =>
  hasScripts && verdict?.code === 'empty_page' ? verdict : null;

const judged = ({ kind, page, verdict, measure }: ReadPage) => ({ kind, page, verdict, measure });

const wishOf = ({ contentFormat, fields }: FetchPlan) => ({ contentFormat, fields });

const isError = ({ status }: Download): boolean => status < 200 || status >= 300;

function errorPage({ status, url }: Download): Reading {
  const { kind, page } = pageRead({ http_status: status, canonical_url: url });
  return { kind, page, verdict: verdictOnPage(page, url), measure: null };
}
