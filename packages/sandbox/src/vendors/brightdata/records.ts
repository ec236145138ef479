import { SANDBOX_NOW } from '../../content.ts';
import type { JsonObject } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { finishRows } from '../../rows.ts';
import type { VendorRequest } from '../../vendor.ts';
import { companyRecord } from './company.ts';
import { nameIn, type RecordKind } from './datasets.ts';
import { jobRecord } from './job.ts';
import { postRecord } from './post.ts';
import type { Inputs } from './request.ts';

/** One LinkedIn address that a record is made of. */
export interface Subject {
  /** The slug or id in the address. */
  readonly name: string;
  /** Without its query. */
  readonly url: string;
}

const MAKERS: Readonly<Record<RecordKind, (subject: Subject) => JsonObject>> = {
  company: companyRecord,
  job: jobRecord,
  post: postRecord,
};

/** What is left of each kind when the page has next to nothing on it. */
const THIN_FIELDS: Readonly<Record<RecordKind, readonly string[]>> = {
  company: ['id', 'url', 'name'],
  job: ['job_posting_id', 'url', 'job_title'],
  post: ['id', 'url', 'account_type', 'use_url'],
};

/** The records of all inputs. Failed ones are told of only when errors were asked for. */
export function recordsOf(request: VendorRequest, inputs: Inputs): readonly unknown[] {
  const urls = request.faults.rows === 'empty' ? [] : inputs.urls;
  const records = urls.flatMap((address) => {
    const input = { url: address };
    const scraped = { timestamp: `${SANDBOX_NOW}.000Z`, input };
    const failure = failureOf(address);
    if (failure) return inputs.includesErrors ? [{ ...failure, ...scraped }] : [];
    return [selected({ ...made(inputs.kind, address), ...scraped }, address, inputs.fields)];
  });
  return finishRows(request, records, RECORD_MEMBERS[inputs.kind]);
}

function made(kind: RecordKind, address: string): JsonObject {
  const name = nameIn(kind, address) ?? '';
  const record = MAKERS[kind]({ name, url: address.replace(/[?#].*$/s, '') });
  if (address.includes('thin-record')) {
    return Object.fromEntries(THIN_FIELDS[kind].map((field) => [field, record[field] ?? null]));
  }
  // delivered, but with a note that there was hardly a page
  return address.includes('warned-page')
    ? { ...record, warning: 'The page seems to be gone.', warning_code: 'dead_page' }
    : record;
}

/** The asked fields alone; some scrapers are known to send all of them regardless. */
function selected(
  record: JsonObject,
  address: string,
  fields: readonly string[] | undefined,
): JsonObject {
  if (fields === undefined || address.includes('leaky')) return record;
  const names = new Set(fields.map((field) => field.split('.')[0]));
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
}

function failureOf(address: string): JsonObject | undefined {
  if (address.includes('dead-page')) {
    return { error: 'Page does not exist.', error_code: 'dead_page', status_code: 404 };
  }
  return address.includes('crawl-failed')
    ? { error: 'Collection failed after multiple attempts', error_code: 'crawl_failed' }
    : undefined;
}

const RECORD_MEMBERS: Readonly<Record<RecordKind, RowMembers>> = {
  company: { title: 'name', url: 'url', snippets: [{ name: 'about' }] },
  job: {
    title: 'job_title',
    url: 'url',
    date: 'job_posted_date',
    snippets: [{ name: 'job_summary' }],
  },
  post: { title: 'title', url: 'url', date: 'date_posted', snippets: [{ name: 'post_text' }] },
};
