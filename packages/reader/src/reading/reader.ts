import { type Clock, createConcurrencyGate, type Deadline, startDeadline } from '@trawl/base';
import { fetchFieldsOfTier, isHostOf, type Warning } from '@trawl/contract';
import type { Download, ScriptMove } from '@trawl/extract';
import { type FetchPlan, type PageVerdict, pageRead } from '@trawl/providers';
import { verdictOnPage } from '../diagnosis/page-verdict.ts';
import { priceInOffers } from '../diagnosis/stated-price.ts';
import { OTHER_HOST, ruledOut } from '../download/follow.ts';
import type { ReadPage } from '../pages/extract-protocol.ts';
import type { JudgedPage, PageReader, ReaderFault, ReaderLimits } from '../pages/page-reading.ts';
import type { Downloader, Extraction, Extractor, Renderer } from '../pages/types.ts';
import { isBetterThan, isPoorMarkdown } from './poor-markdown.ts';

export interface DirectReaderOptions {
  /** The reader's name in the gate. */
  readonly slug: string;
  readonly downloader: Downloader;
  readonly extractor: Extractor;
  /** Renders pages that only scripts fill; undefined = they stay as they are. */
  readonly renderer?: Renderer | undefined;
  readonly clock: Clock;
  /** How many pages are read at once; each may hold its bytes in memory. */
  readonly concurrency: number;
}

type Reading = Awaited<ReturnType<PageReader['read']>>;

/** Automatic redirects of pages (meta refresh), in addition to the HTTP redirects of each. */
const REFRESHES_MAX = 2;

/**
 * The share of these slots that one caller may use: its pages that wait for a thread must not block
 * others.
 */
const OWN_SHARE = 0.75;

/** Our own reader: a guarded download, then extraction. Never throws. */
export function createDirectReader(options: DirectReaderOptions): PageReader {
  const { slug, clock, concurrency } = options;
  const ownGate = createConcurrencyGate();
  const gate = createConcurrencyGate();
  const ownSlots = Math.max(1, Math.floor(concurrency * OWN_SHARE));
  return {
    async read(plan, { callerId, signal, timeoutMs }) {
      const deadlineAt = clock.now() + timeoutMs;
      const deadline = startDeadline({ clock, timeoutMs, signals: [signal] });
      const own = { lane: callerId, slots: ownSlots, callerId };
      const slot = { lane: slug, slots: concurrency, callerId };
      const hasOwn = ownGate.enter(own) || (await ownGate.wait(own, deadline));
      const hasSlot = hasOwn && (gate.enter(slot) || (await gate.wait(slot, deadline)));
      try {
        if (!hasSlot) return noSlot(deadline);
        return await readPage(
          {
            plan,
            url: plan.url,
            callerId,
            signal,
            deadlineAt,
            refreshes: 0,
            prefersMarkdown: true,
          },
          options,
        );
      } finally {
        deadline.release();
        if (hasSlot) gate.leave(slug);
        if (hasOwn) ownGate.leave(callerId);
      }
    },
  };
}

/** The time was over before a slot was free: that is our fault, not the page's. */
function noSlot(deadline: Deadline): ReaderFault | { readonly kind: 'cancelled' } {
  if (deadline.endReason() === 'cancelled') return { kind: 'cancelled' };
  return { kind: 'fault', code: 'timeout', happened: 'had no free slot in time' };
}

/** A page to read, including the target of its automatic redirect. */
interface PageTask extends Pick<ReaderLimits, 'callerId' | 'signal'> {
  readonly plan: FetchPlan;
  readonly url: string;
  readonly deadlineAt: number;
  /** How many automatic redirects were followed so far. */
  readonly refreshes: number;
  readonly prefersMarkdown: boolean;
}

/**
 * Reads a page as markdown if the site has that, which takes one request. As HTML it is asked for
 * once more if the site refuses markdown, or if its markdown is poor.
 */
async function readPage(task: PageTask, options: DirectReaderOptions): Promise<Reading> {
  const { plan, url, callerId, signal, deadlineAt, refreshes, prefersMarkdown } = task;
  const { downloader, extractor, clock } = options;
  const { onlyHosts, webRule } = plan;
  const left = () => ({
    callerId,
    signal,
    timeoutMs: Math.max(0, deadlineAt - clock.now()),
    onlyHosts,
    webRule,
  });
  const got = await downloader.download(url, { ...left(), prefersMarkdown });
  if (got.kind !== 'downloaded') return got;
  const { download } = got;
  const asHtml = () => readPage({ ...task, prefersMarkdown: false }, options);
  if (prefersMarkdown && download.status === NOT_ACCEPTABLE) return asHtml();
  const reading = endedAt(download, await extractor.extract(download, optionsOf(plan), left()));
  if (prefersMarkdown && isPoorMarkdown(download, reading, url)) {
    const html = await asHtml();
    if (isBetterThan(reading, html)) return html;
  }
  // an error page that cannot be read is still an error page
  if (isError(download) && reading.kind === 'verdict')
    return priced(errorPage(download), got.price);
  if (reading.kind === 'verdict' && download.isPartial && reading.verdict.code !== 'too_large') {
    // what is wrong with the rest of a file says nothing of the whole one
    return {
      kind: 'verdict',
      verdict: { code: 'target_error', reason: 'broken_body', httpStatus: download.status },
    };
  }
  if (reading.kind !== 'page') return reading;
  const page = download.isPartial ? partial(reading) : reading;
  if (isError(download)) return priced(judgedPage(page), got.price);
  // a browser that runs scripts does not see the other one
  const refresh = reading.refresh ?? (options.renderer ? null : reading.refreshWithoutScripts);
  if (refresh !== null && refreshes < REFRESHES_MAX)
    return readPage({ ...task, url: refresh, refreshes: refreshes + 1 }, options);
  const { move } = reading;
  // one move of a script is followed, and nothing after it
  if (move?.target && move.isNear && refreshes < REFRESHES_MAX)
    return readPage({ ...task, url: move.target, refreshes: REFRESHES_MAX }, options);
  const judged = move ? { ...page, verdict: movedVerdict(move, download.status) } : page;
  const shell = options.renderer ? shellVerdict(judged) : null;
  if (!options.renderer || !shell) return judgedPage(judged);
  const address = `${download.url}${new URL(url).hash}`;
  const rendered = await options.renderer.render(address, left());
  if (rendered.kind === 'cancelled') return rendered;
  if (rendered.kind === 'failed') {
    const reason = `${shell.reason}, not rendered: ${rendered.reason}`;
    return { kind: 'verdict', verdict: { ...shell, reason } };
  }
  if (onlyHosts && !isHostOf(new URL(rendered.download.url).hostname, onlyHosts)) return LED_AWAY;
  const rule = webRule?.(rendered.download.url);
  if (rule) return { kind: 'verdict', verdict: ruledOut(rule) };
  const drawn = endedAt(
    rendered.download,
    await extractor.extract(rendered.download, optionsOf(plan), left()),
  );
  if (drawn.kind !== 'page') return drawn;
  return judgedPage({ ...drawn, page: { ...drawn.page, js_rendered: true } });
}

/** With the address where redirects ended, which a page may say otherwise. */
const endedAt = ({ url }: Download, reading: Extraction): Extraction =>
  reading.kind === 'page' ? { ...reading, page: { ...reading.page, finalUrl: url } } : reading;

/** The site has no representation that the Accept header allows. */
const NOT_ACCEPTABLE = 406;

/** Scripts of the page led to a host that the caller's key may not fetch. */
const LED_AWAY: Reading = {
  kind: 'verdict',
  verdict: { code: 'forbidden_address', reason: `redirect_to_${OTHER_HOST}`, httpStatus: null },
};

/** The verdict on a page that only sends its reader elsewhere. */
const movedVerdict = ({ target }: ScriptMove, httpStatus: number): PageVerdict => ({
  code: 'empty_page',
  reason: 'script_redirect',
  meaning:
    target === null
      ? 'The page has no text, and its script moves on to another page.'
      : `The page has no text, and its script moves on to ${target.slice(0, TARGET_SHOWN_MAX)}.`,
  httpStatus,
});
const TARGET_SHOWN_MAX = 500;

/** The verdict on a page without text whose scripts may provide it; null for any other page. */
const shellVerdict = ({ verdict, hasScripts }: ReadPage) =>
  hasScripts && verdict?.code === 'empty_page' ? verdict : null;

/** A page of which the site sent only a part. */
const partial = (reading: ReadPage): ReadPage => ({
  ...reading,
  page: { ...reading.page, remarks: [...reading.page.remarks, PARTIAL], isPartial: true },
});

const PARTIAL: Warning = {
  code: 'upstream_warning',
  message: 'content: the site sent only a part of the page; this is what could be read',
};

const judgedPage = ({ kind, page, verdict, measure, quality, findings }: ReadPage): JudgedPage => ({
  kind,
  page,
  verdict,
  measure,
  quality,
  findings,
});

const optionsOf = ({ contentFormat, fields, tier }: FetchPlan) => ({
  contentFormat,
  fields,
  wantsFindings: fetchFieldsOfTier(tier).includes('findings'),
});

const isError = ({ status }: Download): boolean => status < 200 || status >= 300;

/** A page with the price of a 402 in its verdict, from the headers or the body. */
function priced(page: JudgedPage, inHeaders: string | null): JudgedPage {
  const { verdict } = page;
  if (verdict?.code !== 'payment_required') return page;
  const price = inHeaders ?? priceInOffers(page.page.structured);
  if (price === null) return page;
  const meaning = `The site asks for payment for this page: ${price}.`;
  return { ...page, verdict: { ...verdict, meaning } };
}

function errorPage({ status, url }: Download): JudgedPage {
  const { kind, page } = pageRead({ http_status: status, canonical_url: url });
  return {
    kind,
    page,
    verdict: verdictOnPage(page, url),
    measure: null,
    quality: null,
    findings: [],
  };
}
