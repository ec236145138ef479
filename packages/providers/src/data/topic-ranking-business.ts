import type { RankedProvider } from '../topic-ranking.ts';
import { SOURCES } from './topic-ranking-sources.ts';

export const COMPANIES: readonly RankedProvider[] = [
  {
    provider: 'exa',
    reason:
      'keeps companies as a kind of their own, found by meaning, with structured facts on such rows; by its own documents. Against it: 37 % precision on lookalikes',
    source: SOURCES.VENDOR_EXA_COMPANIES,
  },
  {
    provider: 'parallel',
    reason:
      '70 % precision on lookalikes of 14 companies, nearly twice that of the other web search measured',
    source: SOURCES.lookalikes,
  },
  {
    provider: 'linkup',
    reason:
      "fewest missing entities among four on queries about businesses and rules, by its own study on its own users' queries",
    source: SOURCES.linkupEvals,
  },
  {
    provider: 'brave',
    reason:
      'answers names and domains well, being a keyword index, with an infobox for known companies; 54.8 % of 62 right pages in the first five',
    source: SOURCES.rightPage,
  },
  {
    provider: 'tavily',
    reason: '43.5 % of 62 right pages in the first five, behind Exa and Brave',
    source: SOURCES.rightPage,
  },
  {
    provider: 'seltz',
    reason: 'sells verticals for company data, which a plain search does not ask; own words only',
    source: SOURCES.VENDOR_SELTZ_VERTICALS,
  },
  {
    provider: 'you',
    reason: 'no figures on companies; good on facts by its own benchmark',
    source: SOURCES.youEvals,
  },
  {
    provider: 'serpapi',
    reason:
      "Google's page with knowledge graph and local results; 71 % of 62 right pages. Runs only when named",
    source: SOURCES.rightPage,
  },
];

export const FINANCIAL_FILINGS: readonly RankedProvider[] = [
  {
    provider: 'exa',
    reason:
      'keeps financial reports (filings, earnings, annual reports) as a kind of their own; by its own documents. 63 % of 120 finance questions by a competitor',
    source: SOURCES.VENDOR_EXA_FILINGS,
  },
  {
    provider: 'parallel',
    reason:
      '67 % of 120 finance questions by a competitor, the best of those we serve; not separable from Exa at that size',
    source: SOURCES.valyuEvals,
  },
  {
    provider: 'perplexity',
    reason:
      'indexes sec.gov and has a filings mode, which a plain search does not ask; by its own documents',
    source: SOURCES.VENDOR_PERPLEXITY_FILINGS,
  },
  {
    provider: 'you',
    reason:
      'measures itself on a finance set beside the general ones; its own benchmark, page text helps there as filings are long',
    source: SOURCES.youEvals,
  },
  {
    provider: 'linkup',
    reason:
      'lowest rate of ungrounded statements among four, regulatory queries among them, by its own study',
    source: SOURCES.linkupEvals,
  },
  {
    provider: 'tavily',
    reason:
      'has a finance topic, for markets rather than filings, which a plain search does not ask',
    source: SOURCES.VENDOR_TAVILY_TOPICS,
  },
  {
    provider: 'brave',
    reason: 'finds form names and company names as words, but keeps no index of filings',
    source: SOURCES.VENDOR_BRAVE_API,
  },
  {
    provider: 'serpapi',
    reason: "Google's page; 55 % of 120 finance questions for Google. Runs only when named",
    source: SOURCES.valyuEvals,
  },
];

export const PEOPLE_PROFILES: readonly RankedProvider[] = [
  {
    provider: 'exa',
    reason:
      'an index of more than a billion people, trained for role, place and skill; by its own account, with 1,400 open queries to check it',
    source: SOURCES.VENDOR_EXA_PEOPLE,
  },
  {
    provider: 'perplexity',
    reason:
      'has a people search, which a plain search does not ask, so the data are there; by its SDK',
    source: SOURCES.VENDOR_PERPLEXITY_SDK,
  },
  {
    provider: 'linkup',
    reason:
      'reads a query as an instruction (who, where, which role) and follows it; by its own documents, no figures on people',
    source: SOURCES.VENDOR_LINKUP_SEARCH,
  },
  {
    provider: 'parallel',
    reason:
      'good at finding entities by description (70 % precision on company lookalikes); no figures on people',
    source: SOURCES.lookalikes,
  },
  {
    provider: 'brave',
    reason:
      'finds rare names as words; 54.8 % of 62 right pages in the first five, none about people',
    source: SOURCES.rightPage,
  },
  {
    provider: 'seltz',
    reason: 'sells verticals for people data, which a plain search does not ask; own words only',
    source: SOURCES.VENDOR_SELTZ_VERTICALS,
  },
  {
    provider: 'tavily',
    reason: 'no index of people; 43.5 % of 62 right pages in the first five',
    source: SOURCES.rightPage,
  },
  {
    provider: 'serpapi',
    reason:
      "Google's page, which lists public profiles; 71 % of 62 right pages. Runs only when named",
    source: SOURCES.rightPage,
  },
];
