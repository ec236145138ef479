import { PEOPLE, PLACES } from '../../content-words.ts';
import type { JsonObject } from '../../json.ts';
import { diceFor } from '../../seed.ts';
import type { Subject } from './records.ts';
import { asName } from './words.ts';

const INDUSTRIES = ['Renewable Energy', 'Book Publishing', 'Software Development'] as const;

/** A company or a showcase page. What is not known has no member at all. */
export function companyRecord({ name: slug, url }: Subject): JsonObject {
  const dice = diceFor('company', slug);
  const name = asName(slug);
  const place = dice.pick(PLACES);
  const followers = 400 + dice.below(90_000);
  const about = `${name} keeps records for small teams in ${place}. It was started by volunteers.`;
  return {
    id: slug,
    name,
    url,
    company_id: String(900_000 + dice.below(90_000)),
    about,
    unformatted_about: about,
    description: `${name} | ${followers} followers on LinkedIn. ${about.replace(/'/g, '&#39;')}`,
    ...(dice.chance(0.5) ? { slogan: 'Records that last' } : {}),
    industries: dice.pick(INDUSTRIES),
    specialties: 'record keeping, comparison, archives',
    company_size: '51-200 employees',
    organization_type: 'Privately Held',
    ...(dice.chance(0.7) ? { founded: 1990 + dice.below(30) } : {}),
    headquarters: `${place}, Example County`,
    locations: [`1 Quay Street, ${place}`],
    formatted_locations: [`1 Quay Street, ${place}`],
    country_code: 'AT,DE',
    country_codes_array: ['AT', 'DE'],
    website: `https://${slug.replace(/[^a-z0-9-]/gi, '').toLowerCase() || 'company'}.example.com`,
    website_simplified: 'example.com',
    followers,
    employees_in_linkedin: 20 + dice.below(180),
    logo: `https://media.example.net/${encodeURIComponent(slug)}/logo.png`,
    image: `https://media.example.net/${encodeURIComponent(slug)}/cover.png`,
    get_directions_url: [],
    ...peopleOf(name),
  };
}

/** Lists that name people and other companies. */
function peopleOf(name: string): JsonObject {
  const people = PEOPLE.map((person) => ({
    title: person,
    subtitle: `Works at ${name}`,
    link: `https://www.linkedin.com/in/${person.toLowerCase().replace(/[^a-z]+/g, '-')}`,
    img: 'https://media.example.net/face.png',
  }));
  return {
    employees: people.slice(0, 4),
    alumni: people.slice(4, 6),
    alumni_information: { count: 2, names: PEOPLE.slice(4, 6) },
    similar: [{ title: 'Another Archive', Links: 'https://www.linkedin.com/company/another' }],
    affiliated: [{ title: 'Archive Press', Links: 'https://www.linkedin.com/company/press' }],
    investors: [PEOPLE[6]],
    updates: [{ text: `Welcome, ${PEOPLE[7]}!`, likes_count: 12, comments_count: 1, time: '3d' }],
  };
}
