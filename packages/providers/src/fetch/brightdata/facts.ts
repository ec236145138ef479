/** Readers of record members that more than one part needs. */
import type { JsonObject } from '@trawl/contract';
import { isoDate } from '../../dates.ts';
import { finiteNumber, list, object, text } from '../../read.ts';
import { titleText } from '../../text.ts';

/** One line of text, of a list as well. */
export function lineOf(value: unknown): string | null {
  if (!Array.isArray(value)) return titleText(value);
  const lines = value.flatMap((item) => titleText(item) ?? []);
  return lines.length > 0 ? lines.join(', ') : null;
}

export function countOf(value: unknown): string | null {
  return finiteNumber(value)?.toLocaleString('en-US') ?? null;
}

/** The calendar day: the time beside it is often made up of "3 days ago". */
export function dayOf(value: unknown): string | null {
  return isoDate(value)?.slice(0, 10) ?? null;
}

const authorUrl = (post: JsonObject): string => text(post.use_url) ?? text(post.user_url) ?? '';

const accountOf = (post: JsonObject): string =>
  (text(post.account_type) ?? '').trim().toLowerCase();

/** A post by a person. The account's type says so, else the address of its author. */
export function isByIndividual(post: JsonObject): boolean {
  if (accountOf(post).startsWith('person')) return true;
  return !isByOrganization(post) && /\/(?:in|pub)\//i.test(authorUrl(post));
}

const isByOrganization = (post: JsonObject): boolean => accountOf(post).startsWith('organi');

/** The company behind a post, by the name that an address holds; never that of somebody who may be a person. */
function companyOf(post: JsonObject): string | null {
  const [, slug] = /\/(?:company|showcase)\/([^/?#]+)/i.exec(authorUrl(post)) ?? [];
  if (slug !== undefined) return lineOf(slug);
  if (!isByOrganization(post)) return null;
  const [, first] = /\/posts\/([^/?#_]+)_/i.exec(text(post.url) ?? '') ?? [];
  return lineOf(post.user_id) ?? lineOf(first);
}

/** A post has no title of its own. */
export function postLabel(post: JsonObject): string {
  const company = companyOf(post);
  const day = dayOf(post.date_posted);
  return `Post${company === null ? '' : ` by ${company}`}${day === null ? '' : ` on ${day}`}`;
}

/** What a job pays, in words. */
export function payOf(job: JsonObject): string | null {
  const range = lineOf(job.job_base_pay_range);
  if (range !== null) return range;
  const salary = object(job.base_salary);
  const bounds = [salary.min_amount, salary.max_amount].flatMap(
    (bound) => countOf(bound) ?? lineOf(bound) ?? [],
  );
  if (bounds.length === 0) return null;
  const unit = [lineOf(salary.currency), lineOf(salary.payment_period)].filter(Boolean);
  return [bounds.join(' to '), ...unit].join(' ');
}

/** Addresses that stand in a list as texts or as objects with one. */
export function urlsOf(value: unknown): readonly unknown[] {
  return list(value).map((item) => object(item).url ?? item);
}
