import { describe, expect, it } from 'vitest';
import { matchingPatterns } from '../src/classifier/features.ts';
import { PATTERNS } from '../src/classifier/patterns.ts';
import { plainToken, readQuery } from '../src/classifier/text.ts';

const names = (query: string) =>
  matchingPatterns(readQuery(query)).map((index) => PATTERNS[index]?.name);

describe('patterns of a query', () => {
  it.each([
    ['cashtag', '$NVDA outlook'],
    ['exchange', 'NASDAQ: CRWD'],
    ['currency pair', 'usd/jpy'],
    ['isin', 'DE0007164600'],
    ['doi', '10.1038/s41586-021-03819-2'],
    ['arxiv', 'arXiv:2005.14165v4'],
    ['pubmed', 'PMID 31978945'],
    ['orcid', '0000-0002-1825-009X'],
    ['cik', 'CIK 0000320193'],
    ['form', 'Ford 10-K'],
    ['form', 'def 14a proxy'],
    ['fiscal period', 'FY2021 revenue'],
    ['fiscal period', 'q3 2022 results'],
    ['site filings', 'site:sec.gov climate'],
    ['site people', 'site:linkedin.com/in welder'],
    ['other operator', 'tides filetype:pdf'],
    ['only domain', 'figma.com'],
    ['quoted', '"dark kitchen" rules'],
    ['who is the role of', 'who is the head of sales at Siemens'],
    ['who is the role of', 'wer ist der Geschäftsführer von Miele'],
    ['startups that', 'startups that grow mushrooms'],
    ['person name', 'Maria van Dijk Utrecht'],
    ['code name', 'useEffect runs twice'],
    ['units', '3 cups of flour'],
  ])('finds %s in: %s', (name, query) => {
    expect(names(query)).toContain(name);
  });

  it('has its own name for each', () => {
    expect(new Set(PATTERNS.map(({ name }) => name)).size).toBe(PATTERNS.length);
  });

  it.each([
    ['arxiv', 'the 2020 budget'],
    ['cashtag', '$500 laptop'],
    ['person name', 'how to boil eggs'],
    ['form', 'form follows function'],
  ])('finds no %s in: %s', (name, query) => {
    expect(names(query)).not.toContain(name);
  });
});

describe('words of a query', () => {
  it('are lower case, without possessives and short articles', () => {
    expect(readQuery("Nvidia’s outlook: l'entreprise don't").tokens).toEqual([
      'nvidia',
      'outlook',
      'entreprise',
      "don't",
    ]);
  });

  it('are pairs of characters in scripts without spaces', () => {
    expect(readQuery('東京地震 news').tokens).toEqual(['東京', '京地', '地震', 'news']);
  });

  it('represent numbers by their shape, and lose their accents', () => {
    expect(['2019', '42', '3.5', 'q3', 'société'].map(plainToken)).toEqual([
      '#year',
      '#2',
      '#number',
      'q0',
      'societe',
    ]);
  });
});
