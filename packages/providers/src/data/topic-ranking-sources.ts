/**
 * Where the reasons of the topic ranking can be checked. `VENDOR_…` is a vendor's own word; a benchmark that a vendor made
 * names it.
 */
export const SOURCES = {
  /** Company news, 300 held-out questions, one run each; by a company that sells none of these searches. */
  newsBrave: 'https://huggingface.co/openbenchmarks/brave-llm-context',
  newsParallel: 'https://huggingface.co/openbenchmarks/parallel-basic',
  newsTinyfish: 'https://huggingface.co/openbenchmarks/tinyfish',
  newsExa: 'https://huggingface.co/openbenchmarks/exa-instant',
  newsSeltz: 'https://huggingface.co/openbenchmarks/seltz-news',
  /** 50 fresh-news questions, answer in the first five; questions from the traffic of a search vendor that stands in it. */
  freshNews:
    'https://krabarena.org/claims/content-mode-symmetric-google-fetch-tavily-wins-fresh-news-at-82-keenable-last-6',
  /** 50 everyday factoids, answer in the first ten; as above. */
  factoids: 'https://krabarena.org/claims/e7805fff-e11f-4aeb-b87e-7d9ee47f8c49',
  /** 62 queries with one right page each, found within the first five. */
  rightPage: 'https://arlenkumar.com/bench/snapshots/web_search-2026-q3',
  /** Lookalikes of 14 companies, precision of the first ten; made by a vendor of company data. */
  lookalikes: 'https://github.com/openfunnel/gtm-bench',
  /** Made by Perplexity. */
  perplexityEvals: 'https://github.com/perplexityai/search_evals',
  /** Made by You.com. */
  youEvals: 'https://github.com/youdotcom-oss/web-search-api-evals',
  /** Made by Valyu, a competitor of all it measures. */
  valyuEvals: 'https://docs.valyu.ai/overview',
  /** Made by Linkup, on its users' queries. */
  linkupEvals: 'https://www.linkup.so/blog/evaluating-ai-search-systems-on-complex-queries',
  VENDOR_EXA_DATA: 'https://exa.ai/docs/search/data/overview.md',
  VENDOR_EXA_PEOPLE: 'https://exa.ai/blog/people-search-benchmark',
  VENDOR_EXA_COMPANIES: 'https://exa.ai/docs/reference/company-research-claude-skill.md',
  VENDOR_EXA_FILINGS: 'https://exa.ai/docs/reference/financial-report-search-claude-skill.md',
  VENDOR_PERPLEXITY_FILINGS:
    'https://docs.perplexity.ai/docs/cookbook/examples/sec-filing-search/README',
  VENDOR_PERPLEXITY_SDK: 'https://www.npmjs.com/package/@perplexity-ai/perplexity_ai',
  VENDOR_BRAVE_API: 'https://api-dashboard.search.brave.com/documentation',
  VENDOR_TAVILY_TOPICS:
    'https://reference.langchain.com/python/langchain-tavily/tavily_search/TavilySearchInput/topic',
  VENDOR_TINYFISH_SEARCH: 'https://docs.tinyfish.ai/search-api',
  VENDOR_YOU_SDK: 'https://www.npmjs.com/package/@youdotcom-oss/sdk',
  VENDOR_SELTZ_VERTICALS: 'https://aws.amazon.com/marketplace/pp/prodview-xcec5kuxzsolu',
  VENDOR_LINKUP_SEARCH:
    'https://docs.linkup.so/pages/documentation/endpoints/search/best-practices',
  VENDOR_SERPAPI_GOOGLE: 'https://serpapi.com/search-api',
} as const;
