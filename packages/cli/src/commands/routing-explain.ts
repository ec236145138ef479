import { print, printJson } from '@trawl/client/terminal/output';
import { type Painter, styleOf } from '@trawl/client/terminal/style';
import { TOPICS } from '@trawl/contract/vocabulary';
import type { Command } from 'commander';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import type { RoutingExplanation } from '../server/explain-routing.ts';

/** `trawl routing explain` */
export function addRoutingExplain(routing: Command, { runtime }: ServerEntry): void {
  routing
    .command('explain <query>')
    .description('show the topic of a query, the evidence for it, and the chosen providers')
    .option('--json', 'print JSON')
    .action(async (query: string, options) => explainQuery(await runtime(), query, options));
}

/** What auto-routing would choose for a query, and why. */
async function explainQuery(
  { environment }: Runtime,
  query: string,
  { json }: { readonly json?: boolean },
): Promise<void> {
  if (query.trim() === '') throw new UsageError('QUERY is empty');
  const { explainRouting } = await import('../server/explain-routing.ts');
  const { readConfig, withStoredKeys } = await import('@trawl/server');
  const { config } = await withStoredKeys(readConfig(environment));
  const explanation = await explainRouting(config, query);
  if (json) printJson(explanationJson(explanation));
  else print(explanationText(explanation, styleOf(process.stdout, environment).bold));
}

function explanationText(explanation: RoutingExplanation, bold: Painter): string {
  const { query, topic, score, scores, evidence, candidates, chosen, second } = explanation;
  const byScore = TOPICS.toSorted((a, b) => scores[b] - scores[a]);
  return [
    `${bold(query)}`,
    `topic ${bold(topic)}, score ${score.toFixed(3)}, by the ${explanation.decidedBy}`,
    ...(second === null
      ? []
      : [`${second} is as likely, so the rankings of both choose, in turns`]),
    '',
    bold('Scores'),
    ...byScore.map((name) => `  ${scores[name].toFixed(3)}  ${name}`),
    '',
    bold('Evidence'),
    ...(evidence.length > 0 ? evidence.map((line) => `  ${line}`) : ['  none in particular']),
    '',
    bold('Candidates'),
    `  ${candidates.join(', ') || 'none: no provider is configured'}`,
    '',
    bold(`Chosen (ranking ${explanation.rankingVersion})`),
    ...chosen.flatMap(({ provider, place, reason, source }) => [
      `  ${bold(provider)}${place === null ? '' : `, place ${place}`}: ${reason}`,
      ...(source === null ? [] : [`    ${source}`]),
    ]),
    '',
  ].join('\n');
}

function explanationJson({ rankingVersion, likely, second, ...explanation }: RoutingExplanation) {
  return {
    ...explanation,
    topics: likely,
    second_topic: second,
    ranking_version: rankingVersion,
  };
}
