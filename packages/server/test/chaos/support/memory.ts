import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Memory of a process from `/proc`, in MB. Only Linux has it. */
export const hasProc = existsSync('/proc/self/status');
export const NEEDS_PROC = 'needs /proc (Linux)';

/** Memory that is resident now. */
export const rssMb = (pid: number): number => statusMb(pid, 'VmRSS');

/** The most resident memory since the start or the last `resetPeak`. */
export const peakRssMb = (pid: number): number => statusMb(pid, 'VmHWM');

export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Open file descriptors. */
export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

function statusMb(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`no ${field} of process ${pid}`);
  return Number(kilobytes) / 1024;
}
