import type { JsonObject } from '@trawl/contract';
import { webUrls } from '../../page-read.ts';
import { finiteNumber, text, texts } from '../../read.ts';
import { plainText } from '../../text.ts';
import { absoluteUrl } from '../../urls.ts';
import { countOf, dayOf, lineOf, payOf, postLabel, urlsOf } from './facts.ts';
import type { RecordKind } from './kinds.ts';

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

/** A record, of which only the allowed part may be given, as a page in markdown. */
export function recordMarkdown(record: JsonObject, kind: RecordKind): string {
  return RENDERERS[kind](record)
    .filter((part) => part !== '')
    .join('\n\n');
}
