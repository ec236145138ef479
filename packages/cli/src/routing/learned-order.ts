import type { AuditAction, JsonObject } from '@trawl/contract';
import {
  type Config,
  type LearnedRouting,
  rankingInUse,
  readConfig,
  readLearned,
  writeLearned,
} from '@trawl/server';
import { note, printJson } from '../client/output.ts';
import { auditWriter } from '../keys/audited-keys.ts';
import { withDatabase } from '../keys/key-database.ts';
import { commandHere } from '../program/manifest.ts';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';

interface Output {
  readonly json?: boolean;
}

interface LearnedChange {
  readonly action: AuditAction;
  /** The version that it is about; null = none in particular. */
  readonly version: string | null;
  readonly detail?: JsonObject;
  readonly learned: LearnedRouting;
}

/** `trawl routing promote`: the proposed order is the one in use. */
export function promoteOrder(runtime: Runtime, output: Output): Promise<void> {
  return change(runtime, output, ({ proposal, promoted, ...others }) => {
    if (proposal === null) throw new Error(nothingProposed());
    if (proposal.over !== (promoted.at(-1)?.version ?? null)) {
      throw new Error(
        `the proposal was made for another order than the one in use; make a new one with: ${commandHere()} routing learn`,
      );
    }
    const learned = { ...others, promoted: [...promoted, proposal], proposal: null };
    return { action: 'routing.promoted', version: proposal.version, learned };
  });
}

/**
 * `trawl routing revert`: the order before is in use again, and the one that was in use is the
 * proposal.
 */
export function revertOrder(runtime: Runtime, output: Output): Promise<void> {
  return change(runtime, output, ({ promoted, ...others }) => {
    const last = promoted.at(-1);
    if (last === undefined) throw new Error('no learned order is in use, so there is none before');
    const learned = { ...others, promoted: promoted.slice(0, -1), proposal: last };
    return { action: 'routing.reverted', version: last.version, learned };
  });
}

/** `trawl routing shadow`: whether servers compare the proposed order with what they do. */
export function shadowOrder(runtime: Runtime, state: string, output: Output): Promise<void> {
  if (state !== 'on' && state !== 'off') throw new UsageError('shadow takes on or off');
  return change(runtime, output, (before) => {
    if (state === 'on' && before.proposal === null) throw new Error(nothingProposed());
    return {
      action: 'routing.shadow_changed',
      version: before.proposal?.version ?? null,
      detail: { shadow: state },
      learned: { ...before, shadow: state === 'on' },
    };
  });
}

const nothingProposed = (): string => `nothing is proposed; see: ${commandHere()} routing learn`;

async function change(
  runtime: Runtime,
  { json = false }: Output,
  changed: (before: LearnedRouting) => LearnedChange,
): Promise<void> {
  const config = readConfig(runtime.environment);
  await withDatabase(runtime, { mayCreate: false, isQuiet: json }, async (store) => {
    const { action, version, detail, learned } = changed(readLearned(config));
    writeLearned(config, learned);
    const target = { kind: 'routing', id: null, name: version ?? 'auto-routing' };
    await auditWriter(store)({ action, projectId: null, target, ...(detail ? { detail } : {}) });
    print(config, learned, json);
  });
}

function print(config: Config, { proposal, shadow }: LearnedRouting, json: boolean): void {
  const { version } = rankingInUse(config);
  const proposed = proposal?.version ?? null;
  if (json) printJson({ ranking_version: version, proposal: proposed, shadow });
  else {
    note(
      `in use: ranking ${version}; proposed: ${proposed ?? 'nothing'}; shadow mode: ${shadow ? 'on' : 'off'}; servers that run follow within seconds\n`,
    );
  }
}
