import type { Migration } from 'kysely';
import { initial } from './0001-initial.ts';
import { knownTitles } from './0002-known-titles.ts';
import { limits } from './0003-limits.ts';
import { repeats } from './0004-repeats.ts';
import { feedback } from './0005-feedback.ts';
import { usageDays } from './0006-usage-days.ts';
import { accounts } from './0007-accounts.ts';
import { resultCounts } from './0008-result-counts.ts';
import { recordedTitles } from './0009-recorded-titles.ts';
import { keyProfiles } from './0010-key-profiles.ts';
import { leases } from './0011-leases.ts';
import { retention } from './0012-retention.ts';
import { keyPolicies } from './0014-key-policies.ts';
import { sumsOfRecorder } from './0015-sums-of-recorder.ts';
import { activityIndex } from './0016-activity-index.ts';
import type { ColumnTypes } from './column-types.ts';

/** All schema versions, oldest first: a name starts with the version's number. */
export function migrations(types: ColumnTypes): Record<string, Migration> {
  return {
    '0001_initial': initial(types),
    '0002_known_titles': knownTitles(types),
    '0003_limits': limits(),
    '0004_repeats': repeats(types),
    '0005_feedback': feedback(types),
    '0006_usage_days': usageDays(types),
    '0007_accounts': accounts(types),
    '0008_result_counts': resultCounts(),
    '0009_recorded_titles': recordedTitles(types),
    '0010_key_profiles': keyProfiles(types),
    '0011_leases': leases(types),
    '0012_retention': retention(),
    '0014_key_policies': keyPolicies(types),
    '0015_sums_of_recorder': sumsOfRecorder(types),
    '0016_activity_index': activityIndex(types),
  };
}
