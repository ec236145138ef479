import type { RankedProvider } from '../topic-ranking.ts';
import { SOURCES } from './topic-ranking-sources.ts';

export const NEWS: readonly RankedProvider[] = [
  {
    provider: 'brave',
    reason:
      'first of an outside company-news benchmark (94.0 % of 300, right at rank 1 in 81 %; measured on its LLM context route), and its answer carries a news section of its own',
    source: SOURCES.newsBrave,
  },
  {
    provider: 'parallel',
    reason:
      'second in the same outside benchmark (93.3 % of 300, in its basic mode), two questions behind the first, so not separable from it',
    source: SOURCES.newsParallel,
  },
  {
    provider: 'tavily',
    reason:
      'first of six on 50 fresh-news questions (82 %) and on FreshQA; small tests, with its page text bought',
    source: SOURCES.freshNews,
  },
  {
    provider: 'tinyfish',
    reason:
      '92.0 % of the 300 company-news questions; behind because its free plan takes 30 requests a minute and its news type is not what a plain search asks',
    source: SOURCES.newsTinyfish,
  },
  {
    provider: 'you',
    reason: 'adds a news section to the web rows where a query asks for news; own documents only',
    source: SOURCES.VENDOR_YOU_SDK,
  },
  {
    provider: 'exa',
    reason: '80.0 % of the 300 company-news questions (type instant; auto is what we send)',
    source: SOURCES.newsExa,
  },
  {
    provider: 'perplexity',
    reason:
      'best of three on questions where pages conflict or are outdated (SEAL-0), in its own benchmark only',
    source: SOURCES.perplexityEvals,
  },
  {
    provider: 'seltz',
    reason: '58.3 % of the 300 company-news questions even in its news scope',
    source: SOURCES.newsSeltz,
  },
  {
    provider: 'serpapi',
    reason: "Google's page with its top stories; runs only when named, so its place is by make-up",
    source: SOURCES.VENDOR_SERPAPI_GOOGLE,
  },
];

export const ACADEMIC_PAPERS: readonly RankedProvider[] = [
  {
    provider: 'exa',
    reason:
      'embedding search, which fits claims and descriptions of a paper, over an index with publications as a kind of their own; by its own documents',
    source: SOURCES.VENDOR_EXA_DATA,
  },
  {
    provider: 'perplexity',
    reason:
      'first on the expert questions of HLE with each of three models, in its own benchmark; it has an academic mode, which a plain search does not ask',
    source: SOURCES.perplexityEvals,
  },
  {
    provider: 'brave',
    reason:
      "close behind Perplexity on HLE in Perplexity's benchmark (0.333 to 0.342 with one model), and good at names and identifiers, being a keyword index",
    source: SOURCES.perplexityEvals,
  },
  {
    provider: 'parallel',
    reason:
      'long extracts chosen for an objective; no figures on papers, 52 % of 100 economics questions by a competitor',
    source: SOURCES.valyuEvals,
  },
  {
    provider: 'tinyfish',
    reason:
      'has a research_paper type with authors, venue and citations, which a plain search does not ask; by its own documents',
    source: SOURCES.VENDOR_TINYFISH_SEARCH,
  },
  {
    provider: 'you',
    reason:
      'no figures on papers; third of five on multi-page questions (FRAMES) with page text, by its own benchmark',
    source: SOURCES.youEvals,
  },
  {
    provider: 'tavily',
    reason:
      "no index of papers; level with Exa on HLE as part of Perplexity's benchmark (0.248 to 0.242)",
    source: SOURCES.perplexityEvals,
  },
  {
    provider: 'serpapi',
    reason: "Google's web page, not Google Scholar; runs only when named",
    source: SOURCES.VENDOR_SERPAPI_GOOGLE,
  },
];

export const WIKIPEDIA_ENCYCLOPEDIA: readonly RankedProvider[] = [
  {
    provider: 'perplexity',
    reason:
      'first on facts (SimpleQA 0.91 to 0.93) and multi-page facts (FRAMES 0.88 to 0.90) with three models, in its own benchmark',
    source: SOURCES.perplexityEvals,
  },
  {
    provider: 'parallel',
    reason:
      'SimpleQA 93 % by Valyu and 89.8 % by You.com, both competitors; 64 % of 50 everyday factoids',
    source: SOURCES.valyuEvals,
  },
  {
    provider: 'exa',
    reason:
      'SimpleQA 90.1 % by You.com and 91 % by Valyu, and first of four at bringing the one right page into the first five (79 % of 62); 42 % of 50 everyday factoids',
    source: SOURCES.youEvals,
  },
  {
    provider: 'you',
    reason:
      'SimpleQA 84.8 %, 92.1 % with page text, but by its own benchmark; 58 % of 50 elsewhere',
    source: SOURCES.youEvals,
  },
  {
    provider: 'brave',
    reason:
      'SimpleQA 0.87 to 0.90 and FRAMES 0.84 to 0.86 by Perplexity, and an infobox for things with an encyclopedia entry',
    source: SOURCES.perplexityEvals,
  },
  {
    provider: 'tavily',
    reason:
      '76 % of 50 everyday factoids, ahead of Parallel, You.com and Exa; yet SimpleQA 59 % by You.com with its basic depth (86 % with advanced)',
    source: SOURCES.factoids,
  },
  {
    provider: 'linkup',
    reason:
      'most distinct sources and fewest missing entities on multi-entity queries, by its own study',
    source: SOURCES.linkupEvals,
  },
  {
    provider: 'serpapi',
    reason:
      "Google's page with its knowledge graph; 71 % of 62 right pages, not separable from the first. Runs only when named",
    source: SOURCES.rightPage,
  },
];
