import { addClientCommands } from '@trawl/cli/testing';
import { Trawl } from '@trawl/client';
import { webSearch } from '@trawl/client/ai-sdk';
import { TrawlRetriever, webSearchTool } from '@trawl/client/langchain';
import type { PerCallOptions } from '@trawl/client/settings';
import { Command } from 'commander';
import { vi } from 'vitest';

const query = 'tidal power';

/** One search of each client, as a user with these options of a call writes it. */
export const CLIENTS: Readonly<
  Record<string, (call: PerCallOptions | undefined) => Promise<unknown>>
> = {
  'the command': (call = {}) => command(['search', query, '--json', ...flagsOf(call)]),
  'Trawl.fromSettings()': async (search) => Trawl.fromSettings().search({ query, search }),
  'a stream of Trawl.fromSettings()': async (search) =>
    Trawl.fromSettings().searchStream({ query, search }).next(),
  'a dry run of Trawl.fromSettings()': async (search) =>
    Trawl.fromSettings().searchDryRun({ query, search }),
  'an interaction of Trawl.fromSettings()': async (search) =>
    Trawl.fromSettings().createInteraction({ user_input: { query }, search }),
  'the tool for the AI SDK': async (search) => webSearch({ search }).execute({ query }),
  'the tool for LangChain': async (search) => webSearchTool({ search }).invoke({ query }),
  'the retriever for LangChain': async (search) => new TrawlRetriever({ search }).invoke(query),
};

/** @throws Error with what the command wrote to standard error */
async function command(args: readonly string[]): Promise<void> {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const program = new Command();
    addClientCommands(program, process.env);
    await program.parseAsync(args, { from: 'user' });
    if (process.exitCode !== 0) throw new Error(errorOf(err.mock.calls.join('')));
  } finally {
    process.exitCode = 0;
    out.mockRestore();
    err.mockRestore();
  }
}

/** With `--json` an error is JSON too. */
const errorOf = (text: string): string => JSON.parse(text).error.message;

function flagsOf(call: PerCallOptions): string[] {
  const { tier, fields, providers, include_full_content, auto_routing, num_results } = call;
  return [
    ...(tier ? ['--tier', tier] : []),
    ...(fields ? ['--fields', fields.join()] : []),
    ...(providers?.include ? ['--include', providers.include.join()] : []),
    ...(providers?.exclude ? ['--exclude', providers.exclude.join()] : []),
    ...(include_full_content === false ? ['--no-full-content'] : []),
    ...(auto_routing ? [auto_routing === 'off' ? '--no-auto-routing' : '--auto-routing'] : []),
    ...(num_results ? ['--num-results', String(num_results)] : []),
  ];
}
