import { readdirSync, readFileSync } from 'node:fs';

/** Reports the address of this process to the bench, and its usage on request. */
export function report(url) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({
      cpuMicros: user + system,
      threadMicros: threadMicros(),
      memoryMb: process.memoryUsage().rss / 1_048_576,
    });
  });
  process.send({ url });
}

const TICK_MICROS = 10_000;
const FOLDER = '/proc/self/task';

/** CPU time so far by thread id, the main thread's first; empty where the system does not report it. */
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
