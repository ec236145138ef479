import type { JsonObject } from '@trawl/contract';
import {
  type PageReading,
  pageRead,
  type SuppliedPage,
  shortReason,
  verdict,
} from '../parsed/page.ts';
import { isoDate } from '../values/dates.ts';
import { finiteNumber } from '../values/json.ts';
import { joinedTexts, plainText, text } from '../values/text.ts';
import { absoluteUrl, webUrls } from '../values/urls.ts';
import { allowedPart } from './allowlist.ts';
import { DATASETS, type RecordKind } from './kinds.ts';
import {
  isByIndividual,
  limitedLine,
  lineOf,
  postLabel,
  recordMarkdown,
  urlsOf,
} from './markdown.ts';

/** A delivered record is billed, whether or not it is usable. */
const usage = { units: { records: 1 }, costUsd: null } as const;

const DESCRIPTION_CHARACTERS = 300;

/**
 * One collected record: a page, or the reason why it is not one. `sentUrl` is the address that was
 * asked for.
 */
export function readRecord(record: JsonObject, kind: RecordKind, sentUrl: string): PageReading {
  if (isValue(record.error) || isValue(record.error_code)) {
    return verdict('provider_error', shortReason(record.error_code, 'record_error'));
  }
  const refusal = refusalOf(record, kind);
  if (refusal !== null) return verdict('provider_error', refusal, null, { usage });
  const allowed = allowedPart(record, kind);
  const address = withoutQuery(absoluteUrl(allowed.url, sentUrl) ?? sentUrl);
  return pageRead({
    content: recordMarkdown(allowed, kind),
    canonical_url: address,
    metadata: {
      record_type: kind,
      dataset_id: DATASETS[kind],
      scraped_at: text(allowed.timestamp),
      warning: text(allowed.warning) ?? text(allowed.warning_code),
    },
    structured: allowed,
    usage,
    ...READERS[kind](allowed, address),
  });
}

const isValue = (value: unknown): boolean => text(value) !== null || finiteNumber(value) !== null;

/** Why a delivered record is not shown. */
function refusalOf(record: JsonObject, kind: RecordKind): string | null {
  if (text(record.warning_code)?.toLowerCase() === 'dead_page') return 'dead_page';
  if (kind === 'post' && isByIndividual(record)) return 'individual_account';
  return isTooThin(record, kind) ? 'too_thin' : null;
}

function isTooThin(record: JsonObject, kind: RecordKind): boolean {
  switch (kind) {
    case 'company':
      return (
        lineOf(record.name) === null ||
        (finiteNumber(record.followers) === null &&
          [record.about, record.description, record.industries].every((v) => lineOf(v) === null))
      );
    case 'job':
      return (
        lineOf(record.job_title) === null ||
        [record.job_summary, record.job_description_formatted].every((v) => lineOf(v) === null)
      );
    case 'post':
      return lineOf(record.post_text) === null;
  }
}

function withoutQuery(address: string): string {
  const url = new URL(address);
  url.search = '';
  url.hash = '';
  return url.href;
}

/** The beginning of a text, in whole characters. */
function beginning(value: unknown): string | null {
  const whole = plainText(value);
  return whole === null ? null : [...whole].slice(0, DESCRIPTION_CHARACTERS).join('').trimEnd();
}

const READERS: Readonly<Record<RecordKind, (record: JsonObject, address: string) => SuppliedPage>> =
  {
    company: ({ name, about, description, logo, image, website }, address) => ({
      title: limitedLine(name),
      description: beginning(about) ?? beginning(description),
      thumbnail: absoluteUrl(logo, address),
      images: webUrls([logo, image], address),
      links: webUrls([website], address),
    }),
    job: (job, address) => {
      const where = [job.company_name, job.job_location].flatMap((part) => limitedLine(part) ?? []);
      return {
        title: limitedLine(job.job_title),
        description: joinedTexts(where, ', '),
        publish_date: isoDate(job.job_posted_date),
        thumbnail: absoluteUrl(job.company_logo, address),
        images: webUrls([job.company_logo], address),
        links: webUrls([job.apply_link, job.company_url], address),
      };
    },
    post: (post, address) => {
      const images = webUrls(urlsOf(post.images), address);
      return {
        title: postLabel(post),
        description: beginning(post.post_text),
        publish_date: isoDate(post.date_posted),
        thumbnail: images[0] ?? absoluteUrl(post.video_thumbnail, address),
        images,
        links: webUrls(urlsOf(post.embedded_links), address),
        media: webUrls(urlsOf(post.videos), address),
      };
    },
  };
