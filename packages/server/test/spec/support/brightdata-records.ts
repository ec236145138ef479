/** Records of brightdata as its documents describe them, with invented people. */

export const COMPANY_URL = 'https://www.linkedin.com/company/example-archive';
export const JOB_URL = 'https://www.linkedin.com/jobs/view/4000000001';
export const POST_URL =
  'https://www.linkedin.com/posts/example-archive_room-activity-7000000000000000001-abcd';

/** People in the lists of a record. */
export const OTHER_PEOPLE = [
  ...['Orla Quench', 'Pia Zander', 'Bo Wexley', 'Ulf Tarn', 'Ada Crisp', 'Ivo Marsh'],
  ...['Nell Brook', 'Kai Sorrel', 'Lea Finch'],
];
const [employee, alumna, alumnus, investor, welcomed, poster, tagged, commenter, neighbour] =
  OTHER_PEOPLE;

/** Members that an upstream adds if it ignores the allowlist. */
export const EXCLUDED = {
  employees: [{ title: employee, link: 'https://www.linkedin.com/in/orla-quench' }],
  alumni: [{ title: alumna }],
  alumni_information: { count: 1, names: [alumnus] },
  similar: [{ title: 'Neighbour Archive', contact: neighbour }],
  affiliated: [{ title: 'Archive Press', contact: neighbour }],
  investors: [investor],
  updates: [{ text: `Welcome, ${welcomed}!` }],
  job_poster: { name: poster, title: 'Talent partner', url: 'https://www.linkedin.com/in/ivo' },
  tagged_people: [{ name: tagged, link: 'https://www.linkedin.com/in/nell' }],
  top_visible_comments: [{ user_name: commenter, comment: 'See you!' }],
  more_relevant_posts: [{ user_id: neighbour }],
  more_articles_by_user: [{ author: neighbour }],
  repost: { repost_user_name: neighbour },
  author_profile_pic: 'https://media.example.net/face.png',
  user_title: `${poster}, reader`,
  num_connections: 500,
  something_new: [{ name: employee }],
};

export const SYSTEM = {
  timestamp: '2026-06-30T12:00:00.000Z',
  input: { url: 'https://www.linkedin.com/' },
};

export const COMPANY = {
  id: 'example-archive',
  name: 'Example Archive',
  url: COMPANY_URL,
  company_id: '900123',
  about: 'Example Archive keeps records for small teams in Northmere.',
  slogan: 'Records that last',
  description: 'Example Archive | 4210 followers. It keeps records.',
  industries: 'Book Publishing',
  specialties: 'record keeping, comparison',
  company_size: '51-200 employees',
  organization_type: 'Privately Held',
  founded: 2009,
  headquarters: 'Northmere, Example County',
  formatted_locations: ['1 Quay Street, Northmere'],
  country_code: 'AT',
  country_codes_array: ['AT'],
  website: 'https://archive.example.com',
  website_simplified: 'archive.example.com',
  crunchbase_url: 'https://crunchbase.example.com/archive',
  followers: 4210,
  employees_in_linkedin: 88,
  logo: 'https://media.example.net/logo.png',
  image: 'https://media.example.net/cover.png',
  stock_info: null,
  funding: { rounds: 1 },
};

export const JOB = {
  url: JOB_URL,
  job_posting_id: '4000000001',
  job_title: 'Process Engineer',
  company_name: 'Example Archive',
  company_id: '900123',
  company_url: 'https://www.linkedin.com/company/example-archive',
  company_logo: 'https://media.example.net/logo.png',
  job_location: 'Northmere, Example County',
  country_code: 'AT',
  job_summary: 'You keep the records of a small team and compare them every week.',
  job_description_formatted: '<p>You keep the records of a small team.</p>',
  job_seniority_level: 'Associate',
  job_function: 'Research',
  job_employment_type: 'Full-time',
  job_industries: 'Libraries',
  job_base_pay_range: null,
  base_salary: { min_amount: 100, max_amount: 200, currency: 'EUR', payment_period: 'month' },
  salary_standards: null,
  job_posted_time: '4 days ago',
  job_posted_date: '2026-06-26T12:00:00.000Z',
  job_num_applicants: 25,
  application_availability: true,
  is_easy_apply: false,
  apply_link: 'https://jobs.example.com/apply/7',
};

export const POST = {
  url: POST_URL,
  id: '7000000000000000001',
  user_id: 'example-archive',
  use_url: 'https://www.linkedin.com/company/example-archive',
  title: 'Example Archive on LinkedIn: the reading room',
  headline: 'The reading room is open',
  post_text: 'Our new reading room is open. Come and see it on Friday.',
  post_text_html: 'Our new reading room is open.<br>#archive',
  date_posted: '2026-06-20T09:00:00.000Z',
  hashtags: ['#archive'],
  embedded_links: ['https://archive.example.com/reading-room'],
  images: ['https://media.example.net/room.png'],
  videos: ['https://media.example.net/room.mp4'],
  video_duration: 12,
  video_thumbnail: null,
  document_cover_image: null,
  document_page_count: null,
  external_link_data: null,
  num_likes: 31,
  num_comments: 2,
  user_followers: 4210,
  post_type: 'post',
  account_type: 'Organization',
  tagged_companies: [],
};
