/** Records as pages in markdown, and the words of a record that a page shows. */
import type { JsonObject } from '@trawl/contract';
import { isoDate } from '../values/dates.ts';
import { finiteNumber, list, object } from '../values/json.ts';
import {
  joinedTexts,
  type LimitedText,
  limitedTitle,
  limitedTitles,
  plainText,
  text,
  texts,
} from '../values/text.ts';
import { absoluteUrl, webUrls } from '../values/urls.ts';
import type { RecordKind } from './kinds.ts';

/** Readers of record members that several parts need. */

/** One line of text; a list is joined. */
export const limitedLine = (value: unknown): LimitedText | null =>
  Array.isArray(value) ? joinedTexts(limitedTitles(value), ', ') : limitedTitle(value);

export const lineOf = (value: unknown): string | null => limitedLine(value)?.text ?? null;

function countOf(value: unknown): string | null {
  return finiteNumber(value)?.toLocaleString('en-US') ?? null;
}

/** The calendar day: the time with it is often computed from "3 days ago". */
function dayOf(value: unknown): string | null {
  return isoDate(value)?.slice(0, 10) ?? null;
}

const authorUrl = (post: JsonObject): string => text(post.use_url) ?? text(post.user_url) ?? '';

const accountOf = (post: JsonObject): string =>
  (text(post.account_type) ?? '').trim().toLowerCase();

/** A post by a person. The type of the account decides, otherwise the address of the author. */
export function isByIndividual(post: JsonObject): boolean {
  if (accountOf(post).startsWith('person')) return true;
  return !isByOrganization(post) && /\/(?:in|pub)\//i.test(authorUrl(post));
}

const isByOrganization = (post: JsonObject): boolean => accountOf(post).startsWith('organi');

/** The company behind a post, by the name in an address; never the name of a possible person. */
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
function payOf(job: JsonObject): string | null {
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

/** The addresses of a list that holds texts, or objects with a `url`. */
export function urlsOf(value: unknown): readonly unknown[] {
  return list(value).map((item) => object(item).url ?? item);
}

const HOME = 'https://www.linkedin.com/';

type Fact = readonly [label: string, value: string | null];

const yearOf = (value: unknown) => finiteNumber(value)?.toString() ?? lineOf(value);

const facts = (...entries: readonly Fact[]): string =>
  entries.flatMap(([label, value]) => (value === null ? [] : `- ${label}: ${value}`)).join('\n');

function section(heading: string, body: string | null): string {
  return body === null ? '' : `## ${heading}\n\n${body}`;
}

function company(record: JsonObject): readonly string[] {
  return [
    `# ${lineOf(record.name)}`,
    lineOf(record.slogan) ?? '',
    facts(
      ['Industry', lineOf(record.industries)],
      ['Company size', lineOf(record.company_size)],
      ['Type', lineOf(record.organization_type)],
      ['Founded', yearOf(record.founded)],
      ['Headquarters', lineOf(record.headquarters)],
      ['Specialties', lineOf(record.specialties)],
      ['Website', absoluteUrl(record.website, HOME)],
      ['Followers', countOf(record.followers)],
      ['Employees on LinkedIn', countOf(record.employees_in_linkedin)],
    ),
    section('About', plainText(record.about) ?? plainText(record.description)),
  ];
}

function job(record: JsonObject): readonly string[] {
  return [
    `# ${lineOf(record.job_title)}`,
    facts(
      ['Company', lineOf(record.company_name)],
      ['Location', lineOf(record.job_location)],
      ['Employment type', lineOf(record.job_employment_type)],
      ['Seniority', lineOf(record.job_seniority_level)],
      ['Function', lineOf(record.job_function)],
      ['Industry', lineOf(record.job_industries)],
      ['Pay', payOf(record)],
      ['Posted', dayOf(record.job_posted_date) ?? lineOf(record.job_posted_time)],
      ['Applicants', countOf(record.job_num_applicants)],
      ['Apply', absoluteUrl(record.apply_link, HOME)],
    ),
    section(
      'Description',
      plainText(record.job_summary) ?? plainText(record.job_description_formatted),
    ),
  ];
}

function post(record: JsonObject): readonly string[] {
  const links = webUrls(urlsOf(record.embedded_links), HOME);
  return [
    `# ${postLabel(record)}`,
    plainText(record.post_text) ?? '',
    texts(record.hashtags).join(' '),
    facts(
      ['Posted', dayOf(record.date_posted)],
      ['Likes', countOf(record.num_likes)],
      ['Comments', countOf(record.num_comments)],
    ),
    section('Links', text(links.map((link) => `- <${link}>`).join('\n'))),
  ];
}

const RENDERERS: Readonly<Record<RecordKind, (record: JsonObject) => readonly string[]>> = {
  company,
  job,
  post,
};

/** A record as a page in markdown. The record must already be cut to its allowed part. */
export function recordMarkdown(record: JsonObject, kind: RecordKind): string {
  return RENDERERS[kind](record)
    .filter((part) => part !== '')
    .join('\n\n');
}
