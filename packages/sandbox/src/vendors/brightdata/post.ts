import { PEOPLE } from '../../content-words.ts';
import type { JsonObject } from '../../json.ts';
import { diceFor } from '../../seed.ts';
import type { Subject } from './records.ts';
import { asName } from './words.ts';

const TEXT = 'Our new reading room is open. Come and see it on Friday, bring your own notes.';

/** A post of a company, or of a person when the address says so. */
export function postRecord({ name, url }: Subject): JsonObject {
  const dice = diceFor('post', name);
  const isPerson = name.includes('by-a-person');
  const slug = isPerson ? 'mara-lindqvist' : (/^([^_]+)_/.exec(name)?.[1] ?? 'example-archive');
  const author = isPerson ? PEOPLE[0] : asName(slug);
  const folder = isPerson ? 'in' : 'company';
  return {
    url,
    id: /activity[-:](\d+)/.exec(name)?.[1] ?? (/^\d+$/.test(name) ? name : '7000000000000000001'),
    user_id: isPerson ? slug : null,
    use_url: `https://www.linkedin.com/${folder}/${slug}`,
    title: `${author} on LinkedIn: ${TEXT.slice(0, 30)}…`,
    headline: `${author}’s Post`,
    post_text: TEXT,
    post_text_html: `${TEXT}<br>#archive`,
    original_post_text: null,
    date_posted: '2026-06-20T09:00:00.000Z',
    hashtags: dice.chance(0.5) ? ['#archive'] : null,
    embedded_links: ['https://archive.example.com/reading-room'],
    images: ['https://media.example.net/reading-room.png'],
    videos: null,
    video_duration: null,
    num_likes: dice.below(400),
    num_comments: 2,
    user_followers: 4_210,
    user_posts: 31,
    user_articles: 0,
    post_type: 'post',
    account_type: isPerson ? 'Person' : 'Organization',
    tagged_companies: [],
    ...peopleOf(author),
  };
}

/** Lists that name people. */
function peopleOf(author: string | undefined): JsonObject {
  const [, second, third, fourth] = PEOPLE;
  return {
    user_title: `${author}, reader`,
    author_profile_pic: 'https://media.example.net/face.png',
    num_connections: 500,
    tagged_people: [{ name: second, link: 'https://www.linkedin.com/in/second' }],
    top_visible_comments: [{ user_name: third, comment: 'See you there!', num_reactions: 1 }],
    more_relevant_posts: [{ user_id: fourth, post_url: 'https://www.linkedin.com/posts/fourth' }],
    more_articles_by_user: null,
    repost: { repost_url: null, repost_user_name: null, repost_text: null, repost_hangtags: null },
  };
}
