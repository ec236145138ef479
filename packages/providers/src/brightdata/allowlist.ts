import { isJsonObject, type JsonObject, parsedUrl } from '@trawl/contract';
import { isLinkedIn, type RecordKind } from './kinds.ts';

const COMPANY = [
  'id',
  'name',
  'url',
  'company_id',
  'about',
  'slogan',
  'description',
  'industries',
  'specialties',
  'company_size',
  'organization_type',
  'founded',
  'headquarters',
  'formatted_locations',
  'country_code',
  'country_codes_array',
  'website',
  'website_simplified',
  'crunchbase_url',
  'followers',
  'employees_in_linkedin',
  'logo',
  'image',
  'stock_info',
  'funding',
];

const JOB = [
  'url',
  'job_posting_id',
  'job_title',
  'company_name',
  'company_id',
  'company_url',
  'company_logo',
  'job_location',
  'country_code',
  'job_summary',
  'job_description_formatted',
  'job_seniority_level',
  'job_function',
  'job_employment_type',
  'job_industries',
  'job_base_pay_range',
  'base_salary',
  'salary_standards',
  'job_posted_time',
  'job_posted_date',
  'job_num_applicants',
  'application_availability',
  'is_easy_apply',
  'apply_link',
];

const POST = [
  'url',
  'id',
  'user_id',
  'use_url',
  'user_url',
  'title',
  'headline',
  'post_text',
  'post_text_html',
  'date_posted',
  'hashtags',
  'embedded_links',
  'images',
  'videos',
  'video_duration',
  'video_thumbnail',
  'document_cover_image',
  'document_page_count',
  'external_link_data',
  'num_likes',
  'num_comments',
  'user_followers',
  'post_type',
  'account_type',
  'tagged_companies',
];

/** When and for what a record was collected, and whether it was. */
const ALWAYS = [
  'timestamp',
  'input',
  'error',
  'error_code',
  'status_code',
  'warning',
  'warning_code',
];

/**
 * The members that are asked for, and the only ones that are kept: none lists people other than its
 * subject.
 */
export const ALLOWED: Readonly<Record<RecordKind, readonly string[]>> = {
  company: [...COMPANY, ...ALWAYS],
  job: [...JOB, ...ALWAYS],
  post: [...POST, ...ALWAYS],
};

/**
 * Members that name people. They are removed at any depth, in case the vendor nests one in an
 * allowed member.
 */
export const EXCLUDED: ReadonlySet<string> = new Set([
  'employees',
  'alumni',
  'alumni_information',
  'similar',
  'affiliated',
  'investors',
  'updates',
  'job_poster',
  'tagged_people',
  'top_visible_comments',
  'more_relevant_posts',
  'more_articles_by_user',
  'repost',
  'author_profile_pic',
  'user_title',
  'num_connections',
]);

/** A record without anything that is not on its kind's list. */
export function allowedPart(record: JsonObject, kind: RecordKind): JsonObject {
  const kept = ALLOWED[kind].filter((key) => Object.hasOwn(record, key));
  return Object.fromEntries(kept.map((key) => [key, withoutPeople(record[key])]));
}

function withoutPeople(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isProfile(item)).map(withoutPeople);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !EXCLUDED.has(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutPeople(inner)]));
}

/** The address of a person's profile. */
export function isProfile(value: unknown): boolean {
  const url = typeof value === 'string' ? parsedUrl(value) : null;
  return url !== null && isLinkedIn(url) && /^\/(?:in|pub)\//i.test(url.pathname);
}
