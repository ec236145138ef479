import type { TopicRankingTable } from '../topic-ranking.ts';
import { COMPANIES, FINANCIAL_FILINGS, PEOPLE_PROFILES } from './topic-ranking-business.ts';
import { ACADEMIC_PAPERS, NEWS, WIKIPEDIA_ENCYCLOPEDIA } from './topic-ranking-web.ts';

/**
 * Which providers do best on a topic, best first, as of the version's day: from public benchmarks, what an index is made of,
 * and vendors' own words where nothing else is public. `trawl routing evaluate` measures it on your own queries and keys.
 */
export const TOPIC_RANKING: TopicRankingTable = {
  version: '2026-11-21',
  topics: {
    news: NEWS,
    companies: COMPANIES,
    financial_filings: FINANCIAL_FILINGS,
    academic_papers: ACADEMIC_PAPERS,
    people_profiles: PEOPLE_PROFILES,
    wikipedia_encyclopedia: WIKIPEDIA_ENCYCLOPEDIA,
  },
};
