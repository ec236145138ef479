import type { ChainStep, StepCode } from '@trawl/contract';
import type { ConfiguredFetchProvider } from '../deployment/deployment.ts';
import type { FetchAttempt } from './attempt.ts';

/** An attempt that brought a page. */
export type PageAttempt = Extract<FetchAttempt, { kind: 'page' }>;

/** The code of a chain's step whose page is probably not good. */
export const LOW_QUALITY: StepCode = 'low_quality';

/** Of pages with a lower predicted quality, about half of the words are wrong or missing. */
const QUALITY_MIN = 0.5;

/**
 * Whether to ask the next provider too. A page of a vendor is paid for, so only our own reader's
 * may be left.
 */
export const isPoorPage = (
  provider: ConfiguredFetchProvider,
  { quality, page }: PageAttempt,
): boolean =>
  !('target' in provider) && (page.isPartial || (quality !== null && quality < QUALITY_MIN));

/** Whether a page is known to be better than a later one. One that broke off never is. */
export const beatsLater = ({ page, quality }: PageAttempt, later: PageAttempt): boolean =>
  !page.isPartial && quality !== null && later.quality !== null && quality > later.quality;

/** @param outcome `answered` when the page is returned nevertheless */
export const lowQualityStep = (
  { provider, latencyMs }: PageAttempt,
  outcome: 'answered' | 'failed',
): ChainStep => ({ provider, outcome, code: LOW_QUALITY, latency_ms: latencyMs });

/**
 * Whether the page is only the best that could be had now: asked again, a later provider may have a
 * better one.
 */
export const isStopgap = (steps: readonly ChainStep[]): boolean =>
  steps.some(({ code, outcome }) => code === LOW_QUALITY && outcome === 'answered');
