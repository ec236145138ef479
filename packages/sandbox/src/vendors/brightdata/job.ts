import { PEOPLE, PLACES } from '../../content-words.ts';
import type { JsonObject } from '../../json.ts';
import { diceFor } from '../../seed.ts';
import type { Subject } from './records.ts';

const TITLES = ['Archivist', 'Process Engineer', 'Field Researcher'] as const;
const SUMMARY =
  'You keep the records of a small team, compare them every week and write down what you find.';

/** Objects whose members are all null stand for what is not known. */
export function jobRecord({ name, url }: Subject): JsonObject {
  const dice = diceFor('job', name);
  const place = dice.pick(PLACES);
  return {
    // the address that answered has a language of its own
    url: `${url}?lg=en`,
    job_posting_id: /\d+$/.exec(name)?.[0] ?? name,
    job_title: dice.pick(TITLES),
    company_name: 'Example Archive',
    company_id: '900123',
    company_url: 'https://www.linkedin.com/company/example-archive?trk=public_jobs',
    company_logo: 'https://media.example.net/example-archive/logo.png',
    job_location: `${place}, Example County`,
    country_code: dice.chance(0.5) ? 'AT' : null,
    job_summary: SUMMARY,
    job_description_formatted: `<section class="show-more"><div><p>${SUMMARY}</p><ul><li>Records &amp; lists</li></ul></div></section>`,
    job_seniority_level: 'Associate',
    ...(dice.chance(0.7) ? { job_function: 'Research' } : {}),
    job_employment_type: 'Full-time',
    job_industries: 'Libraries',
    job_base_pay_range: null,
    base_salary: { min_amount: null, max_amount: null, currency: null, payment_period: null },
    salary_standards: null,
    job_posted_time: '4 days ago',
    job_posted_date: '2026-06-26T12:00:00.000Z',
    job_num_applicants: 25,
    application_availability: true,
    is_easy_apply: false,
    apply_link: dice.chance(0.5) ? 'https://jobs.example.com/apply/7' : null,
    title_id: null,
    discovery_input: { url: null },
    job_poster: {
      name: PEOPLE[0],
      title: 'Talent partner',
      url: 'https://www.linkedin.com/in/mara-lindqvist',
    },
  };
}
