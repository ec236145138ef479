import { finishRows } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { SANDBOX_NOW } from '../../web/pages.ts';
import { PEOPLE, PLACES } from '../../web/words.ts';
import { type Inputs, nameIn, type RecordKind } from './inputs.ts';
import templates from './records.json' with { type: 'json' };

/** How each kind of record is made: `records.json` has its members, of which these depend on the address. */
const KINDS = {
  company: {
    members: companyMembers,
    /** What is left when the page has next to nothing on it. */
    thin: ['id', 'url', 'name'],
    row: { title: 'name', url: 'url', snippets: [{ name: 'about' }] },
  },
  job: {
    members: jobMembers,
    thin: ['job_posting_id', 'url', 'job_title'],
    row: {
      title: 'job_title',
      url: 'url',
      date: 'job_posted_date',
      snippets: [{ name: 'job_summary' }],
    },
  },
  post: {
    members: postMembers,
    thin: ['id', 'url', 'account_type', 'use_url'],
    row: { title: 'title', url: 'url', date: 'date_posted', snippets: [{ name: 'post_text' }] },
  },
};

/** The records of all inputs. Failed ones are in the answer only when errors were asked for. */
export function recordsOf(request: VendorRequest, inputs: Inputs): readonly unknown[] {
  const urls = request.faults.rows === 'empty' ? [] : inputs.urls;
  const records = urls.flatMap((address) => {
    const scraped = { timestamp: `${SANDBOX_NOW}.000Z`, input: { url: address } };
    const failure = failureOf(address);
    if (failure) return inputs.includesErrors ? [{ ...failure, ...scraped }] : [];
    return [selected({ ...made(inputs.kind, address), ...scraped }, address, inputs.fields)];
  });
  return finishRows(request, records, KINDS[inputs.kind].row);
}

function made(kind: RecordKind, address: string): JsonObject {
  const { members, thin } = KINDS[kind];
  const url = address.replace(/[?#].*$/s, '');
  const record: JsonObject = { ...templates[kind], ...members(nameIn(kind, address) ?? '', url) };
  if (address.includes('thin-record')) {
    return Object.fromEntries(thin.map((field) => [field, record[field] ?? null]));
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

/** A company or a showcase page. What is not known has no member at all. */
function companyMembers(slug: string, url: string): JsonObject {
  const dice = diceFor('company', slug);
  const name = asName(slug);
  const place = dice.pick(PLACES);
  const followers = 400 + dice.below(90_000);
  const about = `${name} keeps records for small teams in ${place}. It was started by volunteers.`;
  const media = `https://media.example.net/${encodeURIComponent(slug)}`;
  const people = PEOPLE.map((person) => ({
    title: person,
    subtitle: `Works at ${name}`,
    link: `https://www.linkedin.com/in/${person.toLowerCase().replace(/[^a-z]+/g, '-')}`,
    img: 'https://media.example.net/face.png',
  }));
  return {
    id: slug,
    name,
    url,
    company_id: String(900_000 + dice.below(90_000)),
    about,
    unformatted_about: about,
    description: `${name} | ${followers} followers on LinkedIn. ${about.replace(/'/g, '&#39;')}`,
    ...(dice.chance(0.5) ? {} : { slogan: undefined }),
    industries: dice.pick(['Renewable Energy', 'Book Publishing', 'Software Development']),
    founded: dice.chance(0.7) ? 1990 + dice.below(30) : undefined,
    headquarters: `${place}, Example County`,
    locations: [`1 Quay Street, ${place}`],
    formatted_locations: [`1 Quay Street, ${place}`],
    website: `https://${slug.replace(/[^a-z0-9-]/gi, '').toLowerCase() || 'company'}.example.com`,
    followers,
    employees_in_linkedin: 20 + dice.below(180),
    logo: `${media}/logo.png`,
    image: `${media}/cover.png`,
    employees: people.slice(0, 4),
    alumni: people.slice(4, 6),
    alumni_information: { count: 2, names: PEOPLE.slice(4, 6) },
    investors: [PEOPLE[6]],
    updates: [{ text: `Welcome, ${PEOPLE[7]}!`, likes_count: 12, comments_count: 1, time: '3d' }],
  };
}

/** Objects whose members are all null mean that nothing is known. */
function jobMembers(name: string, url: string): JsonObject {
  const dice = diceFor('job', name);
  const place = dice.pick(PLACES);
  return {
    // the address that answered has a language of its own
    url: `${url}?lg=en`,
    job_posting_id: /\d+$/.exec(name)?.[0] ?? name,
    job_title: dice.pick(['Archivist', 'Process Engineer', 'Field Researcher']),
    job_location: `${place}, Example County`,
    country_code: dice.chance(0.5) ? 'AT' : null,
    ...(dice.chance(0.7) ? {} : { job_function: undefined }),
    apply_link: dice.chance(0.5) ? 'https://jobs.example.com/apply/7' : null,
  };
}

/** A post of a company, or of a person when the address says so. */
function postMembers(name: string, url: string): JsonObject {
  const dice = diceFor('post', name);
  const isPerson = name.includes('by-a-person');
  const slug = isPerson ? 'mara-lindqvist' : (/^([^_]+)_/.exec(name)?.[1] ?? 'example-archive');
  const author = isPerson ? PEOPLE[0] : asName(slug);
  const start = templates.post.post_text.slice(0, 30);
  return {
    url,
    id: /activity[-:](\d+)/.exec(name)?.[1] ?? (/^\d+$/.test(name) ? name : '7000000000000000001'),
    user_id: isPerson ? slug : null,
    use_url: `https://www.linkedin.com/${isPerson ? 'in' : 'company'}/${slug}`,
    title: `${author} on LinkedIn: ${start}…`,
    headline: `${author}’s Post`,
    hashtags: dice.chance(0.5) ? ['#archive'] : null,
    num_likes: dice.below(400),
    account_type: isPerson ? 'Person' : 'Organization',
    user_title: `${author}, reader`,
  };
}

/** A slug as the name that it was made from. */
function asName(slug: string): string {
  const words = slug.split('-').filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
