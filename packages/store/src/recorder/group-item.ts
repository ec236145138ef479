import type { InteractionRecord, LedgerRecord } from '@trawl/router';
import type { Insertable } from 'kysely';
import type {
  InteractionsTable,
  LedgerTable,
  RepeatsTable,
  RunsTable,
} from '../database/tables.ts';
import { type TitleRow, titleRows } from './known-titles.ts';
import { repeatRow } from './repeats.ts';
import { encodeRunText } from './run-text.ts';

/**
 * An item that can share a transaction: an interaction, or ledger rows alone. Its rows are built in advance, so that
 * the lock is held only briefly.
 */
export interface GroupItem {
  readonly interaction: InteractionRecord | undefined;
  readonly interactionRow: Insertable<InteractionsTable> | undefined;
  readonly runs: readonly RunsTable[];
  readonly ledger: readonly LedgerTable[];
  readonly titles: readonly TitleRow[];
  readonly repeat: RepeatsTable | undefined;
}

export function interactionItem(interaction: InteractionRecord): GroupItem {
  return {
    interaction,
    interactionRow: interactionRow(interaction),
    runs: interaction.runs.map((run) => ({
      interaction_id: interaction.id,
      kind: run.kind,
      position: run.position,
      id: run.id,
      name: run.name,
      ...encodeRunText(run.text),
    })),
    ledger: interaction.ledger.map(ledgerRow),
    titles: titleRows(interaction),
    repeat: repeatRow(interaction),
  };
}

export function ledgerItem(rows: readonly LedgerRecord[]): GroupItem {
  return {
    interaction: undefined,
    interactionRow: undefined,
    runs: [],
    ledger: rows.map(ledgerRow),
    titles: [],
    repeat: undefined,
  };
}

function interactionRow(interaction: InteractionRecord): Insertable<InteractionsTable> {
  return {
    id: interaction.id,
    instance_id: interaction.instanceId,
    session_id: interaction.sessionId,
    project_id: interaction.projectId,
    key_id: interaction.keyId,
    user_id: interaction.userId,
    status: interaction.status,
    created_at: interaction.createdAt,
    completed_at: interaction.completedAt,
    normalized_schema_version: interaction.normalizedSchemaVersion,
    trajectory_id: interaction.trajectoryId,
    parent_trajectory_id: interaction.parentTrajectoryId,
    trajectory_goal: interaction.trajectoryGoal,
    user_input: interaction.userInput,
    metadata: interaction.metadata,
    routing: interaction.routing,
  };
}

/** The columns of a ledger row. */
export function ledgerRow(row: LedgerRecord): LedgerTable {
  return {
    id: row.id,
    project_id: row.projectId,
    key_id: row.keyId,
    user_id: row.userId,
    session_id: row.sessionId,
    interaction_id: row.interactionId,
    run_id: row.runId,
    provider: row.provider,
    created_at: row.createdAt,
    calls: row.calls,
    outcome: row.outcome,
    cost_micros: row.costMicros,
    cost_source: row.costSource,
    batch_index: row.batchIndex,
    latency_ms: row.latencyMs,
    error_code: row.errorCode,
    result_count: row.resultCount,
  };
}
