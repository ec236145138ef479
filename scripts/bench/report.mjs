import { readdirSync, readFileSync } from 'node:fs';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Reports the address of this process to the bench, and on request its usage or its old objects.
 */
export function report(url) {
  process.on('message', (wanted) => {
    if (wanted === 'collect') collectAll();
    process.send(wanted === 'usage' ? usage() : { bytes: oldBytes(), collections });
  });
  process.send({ url });
}

function usage() {
  const { user, system } = process.cpuUsage();
  return {
    cpuMicros: user + system,
    threadMicros: threadMicros(),
    memoryMb: process.memoryUsage().rss / 1_048_576,
  };
}

/** Full ones since `collectAll`, which watches them. */
let collections = 0;
let collectedAt = 0;
const observer = new PerformanceObserver((list) => {
  for (const { startTime, detail } of list.getEntries()) {
    // that of `collectAll` itself is reported later
    if (startTime < collectedAt) continue;
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1;
  }
});

function collectAll() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  collections = 0;
  collectedAt = performance.now();
  observer.observe({ entryTypes: ['gc'] });
}

/** Those that only a full collection removes. */
function oldBytes() {
  const old = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space');
  return old.space_used_size;
}

const TICK_MICROS = 10_000;
const FOLDER = '/proc/self/task';

/**
 * CPU time so far by thread id, the main thread's first; empty where the system does not report it.
 */
function threadMicros() {
  try {
    return readdirSync(FOLDER).map((id) => {
      const stat = readFileSync(`${FOLDER}/${id}/stat`, 'utf8');
      // the name of the thread, in parentheses, may hold blanks
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [id, (Number(fields[11]) + Number(fields[12])) * TICK_MICROS];
    });
  } catch {
    return [];
  }
}
