import { type JsonObject, UUID } from '@trawl/contract';

export interface TrajectoryIds {
  readonly trajectoryId: string | undefined;
  readonly parentTrajectoryId: string | null;
  readonly trajectoryGoal: string | null;
}

/** The three trajectory keys of `metadata`; values of another form are plain metadata. */
export function trajectoryIds(metadata: JsonObject): TrajectoryIds {
  const uuid = (value: unknown) =>
    typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : undefined;
  const goal = metadata.trajectory_goal;
  return {
    trajectoryId: uuid(metadata.trajectory_id),
    parentTrajectoryId: uuid(metadata.parent_trajectory_id) ?? null,
    trajectoryGoal: typeof goal === 'string' && goal !== '' ? goal : null,
  };
}
