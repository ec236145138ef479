import { TOPICS } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import { createTopicClassifier } from '../src/classifier/classify.ts';
import { loadTopicModel } from '../src/classifier/load-model.ts';

const { classify, explain } = createTopicClassifier(loadTopicModel());

describe('the embedded topic classifier', () => {
  it.each([
    ['news', 'latest on the ferry accident'],
    ['companies', 'startups that recycle wind turbine blades'],
    ['financial_filings', 'Deere 10-K 2022 risk factors'],
    ['academic_papers', 'arxiv 1706.03762'],
    ['people_profiles', 'head of procurement at a shipyard in Gdansk linkedin'],
    ['wikipedia_encyclopedia', 'in which year was the Treaty of Tordesillas signed'],
    ['finance_markets', 'EUR/USD exchange rate'],
    ['general', 'how do I remove a stripped screw'],
  ])('knows %s: %s', (topic, query) => {
    expect(classify(query).topic).toBe(topic);
  });

  it.each([
    ['finance_markets', '英伟达 股价'],
    ['academic_papers', '睡眠 论文 综述'],
    ['finance_markets', 'курс доллара'],
    ['news', '지진 속보'],
    ['people_profiles', 'Notarin in Bremen Lebenslauf'],
    ['financial_filings', 'cuentas anuales consolidadas 2022 informe de auditoría'],
  ])('knows %s in other languages: %s', (topic, query) => {
    expect(classify(query).topic).toBe(topic);
  });

  it('gives probabilities of all topics that add up to one', () => {
    const { topic, score, scores } = classify('who painted the Night Watch');
    expect(Object.keys(scores)).toEqual([...TOPICS]);
    expect(Object.values(scores).reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 6);
    expect(score).toBe(scores[topic]);
  });

  it('gives the same answer for the same query, whatever was asked in between', () => {
    const first = classify('copper price forecast');
    classify('recette de tarte aux pommes');
    expect(classify('copper price forecast')).toEqual(first);
  });

  it('does not mind case, outer spaces or control characters', () => {
    const plain = classify('startups that make heat pumps');
    expect(classify('  startups that\u0000\u200b make heat pumps\n')).toEqual(plain);
    expect(classify('STARTUPS THAT MAKE HEAT PUMPS').topic).toBe(plain.topic);
  });

  it.each([
    ['nothing', ''],
    ['spaces', ' \t\n'],
    ['an emoji', '🦀'],
    ['signs alone', '?!…""<<>>'],
    ['half a surrogate pair', 'caf\ud800'],
    ['combining marks', `a${'\u0301'.repeat(5_000)}`],
    ['a word of one million letters', 'a'.repeat(1_000_000)],
    ['one million words', 'ab '.repeat(333_333)],
    ['what makes regular expressions go back', `${'who is the '.repeat(60)}${'a '.repeat(200)}`],
    ['capitals in a row', 'Aa '.repeat(400)],
    ['a character that grows when it is normalized', '\ufdfa'.repeat(100_000)],
    ['numbers and dots', '1.'.repeat(500_000)],
    ['many quotes', '"'.repeat(100_000)],
  ])('answers soon to %s', (_, query) => {
    classify(query);
    const startedAt = performance.now();
    const { topic, score } = classify(query);
    // quadratic work takes minutes
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(TOPICS).toContain(topic);
    expect(score).toBeGreaterThan(0);
  });

  it('returns the evidence for a topic, strongest first', () => {
    const evidence = explain('dividend yield of $KO');
    expect(evidence.map(({ kind, feature }) => `${kind} ${feature}`)).toEqual(
      expect.arrayContaining(['pattern cashtag', 'word dividend', 'word ko']),
    );
    const strengths = evidence.map(({ weight }) => Math.abs(weight));
    expect(strengths).toEqual(strengths.toSorted((a, b) => b - a));
    expect(explain('')).toEqual([]);
  });
});
