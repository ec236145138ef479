import type { FaultPlan } from '../faults/fault.ts';
import { diceFor } from '../util/seed.ts';
import type { Block } from './blocks.ts';
import { type FailureReason, ODD_PAGES, type OddPage, oddBlocks } from './odd-pages.ts';
import { imageOf, linksOf, type Page, pageOfUrl, sectionsOf } from './pages.ts';
import { readTargetUrl } from './target-url.ts';
import type { WebPage } from './web-page.ts';

/** The outcome of fetching a URL; the same for every vendor. */
export type Target = TargetAnswer | Failed;

export interface TargetAnswer {
  readonly kind: 'answered';
  /** The URL as requested. */
  readonly asked: string;
  readonly status: number;
  readonly page: WebPage;
}

export interface Failed {
  readonly kind: 'failed';
  readonly asked: string;
  readonly reason: FailureReason;
  readonly status?: undefined;
}

const HTML = 'text/html; charset=utf-8';
/** Private network addresses, which no vendor fetches. */
const INNER_HOST = /^(localhost|[\d.]+|\[.*\])$/;
/** Hosts of X, for which a vendor has a price of its own. */
const X_HOSTS = new Set(['x.com', 'twitter.com', 'mobile.twitter.com']);
const RESERVED_HOST = /(^|\.)example\.(com|org|net)$/;

/** The targets of the URLs of a fetch; with the `empty` fault the list is empty. */
export function targetsOf(faults: FaultPlan, urls: readonly string[]): readonly Target[] {
  return faults.rows === 'empty' ? [] : urls.map(targetOf);
}

/** The target of the single URL of a fetch; with the `empty` fault a page without text. */
export function onlyTargetOf(faults: FaultPlan, url: string): Target {
  const target = targetOf(url);
  return faults.rows === 'empty' && target.kind === 'answered'
    ? { ...target, page: { ...target.page, blocks: [] } }
    : target;
}

/**
 * The vendor's error for a target: by its reason, by its status or `other`, or `empty` for a page
 * without text.
 */
export function errorFor<T>(errors: Readonly<Record<string, T>>, target: Target): T | undefined {
  if (target.kind === 'failed') return errors[target.reason];
  const { status, page } = target;
  if (status !== 200) return errors[status] ?? errors.other;
  return page.blocks.length === 0 ? errors.empty : undefined;
}

/** Splits targets into those with a page and the vendor's entries about the others. */
export function split<T>(
  targets: readonly Target[],
  errors: Readonly<Record<string, string>>,
  entryOf: (target: Target, error: string) => T,
): { readonly got: readonly TargetAnswer[]; readonly errors: readonly T[] } {
  const isGot = (target: Target) => errorFor(errors, target) === undefined;
  const entries = targets.flatMap((target) => {
    const error = errorFor(errors, target);
    return error === undefined ? [] : [entryOf(target, error)];
  });
  return {
    got: targets.filter((target) => target.kind === 'answered').filter(isGot),
    errors: entries,
  };
}

/** Only hosts of the reserved domains and those of X exist; words of the path make a page odd. */
function targetOf(asked: string): Target {
  const url = readTargetUrl(asked);
  if (!url || INNER_HOST.test(url.final.hostname)) {
    return { kind: 'failed', asked, reason: 'invalid' };
  }
  const { hostname } = url.final;
  if (!RESERVED_HOST.test(hostname) && !X_HOSTS.has(hostname)) {
    return { kind: 'failed', asked, reason: 'unknown-host' };
  }
  const word = url.words.find((candidate) => Object.hasOwn(ODD_PAGES, candidate)) ?? '';
  const odd: OddPage = (Object.hasOwn(ODD_PAGES, word) ? ODD_PAGES[word] : undefined) ?? {};
  if (odd.failure !== undefined) return { kind: 'failed', asked, reason: odd.failure };
  const page = webPageOf(pageOfUrl(url.final), odd);
  return { kind: 'answered', asked, status: odd.status ?? 200, page };
}

function webPageOf(source: Page, odd: OddPage): WebPage {
  const blocks = oddBlocks(odd, articleOf(source));
  // A notice in place of the article has neither author nor date.
  const isNotice = odd.title !== undefined && odd.title !== null;
  return {
    source,
    url: source.url,
    title: odd.title === undefined ? source.title : odd.title,
    description: isNotice ? null : `An article about ${source.topic} on ${source.site.name}.`,
    author: isNotice ? null : source.author,
    published: isNotice ? null : source.published,
    language: 'en',
    blocks,
    links: blocks.flatMap((block) => (block.kind === 'links' ? block.links : [])),
    images: blocks.flatMap((block) =>
      block.kind === 'image' ? [{ alt: block.alt, url: block.url }] : [],
    ),
    favicon: `https://${source.site.host}/favicon.ico`,
    cover: imageOf(source, 'cover'),
    contentType: odd.pageCount === undefined ? HTML : 'application/pdf',
    pageCount: odd.pageCount ?? null,
    body: odd.body,
  };
}

/** A complete article: sections with an image, a list, a table, a code block and links. */
function articleOf(page: Page): readonly Block[] {
  return sectionsOf(page).flatMap(({ heading, paragraphs }, index) => [
    { kind: 'heading', text: heading } as const,
    ...paragraphs.map((text) => ({ kind: 'paragraph', text }) as const),
    ...(EXTRAS[index]?.(page) ?? []),
  ]);
}

/** The blocks after the text of a section, by the section's index. */
const EXTRAS: Readonly<Record<number, (page: Page) => readonly Block[]>> = {
  0: (page) => [{ kind: 'image', alt: `Cover: ${page.topic}`, url: imageOf(page, 'cover') }],
  1: () => [{ kind: 'list', items: ['Collect', 'Compare', 'Decide'] }],
  2: (page) => [tableOf(page)],
  3: (page) => [{ kind: 'image', alt: 'Costs by year', url: imageOf(page, 'costs') }],
  5: (page) => [codeOf(page)],
  6: (page) => {
    const links = linksOf(page, 3);
    const named = links.map((url, index) => ({ text: `Further reading ${index + 1}`, url }));
    return [{ kind: 'links', links: named }];
  },
};

function tableOf(page: Page): Block {
  const dice = diceFor('table', page.topic, page.id);
  const row = (year: number) => [String(year), String(dice.below(900)), `${dice.below(100)} %`];
  return { kind: 'table', rows: [['Year', 'Cases', 'Share'], row(2023), row(2024), row(2025)] };
}

function codeOf(page: Page): Block {
  const topic = JSON.stringify(page.topic);
  const code = `const topic = ${topic};\nif (topic.length > 0) {\n  console.log(topic);\n}`;
  return { kind: 'code', language: 'js', code };
}
