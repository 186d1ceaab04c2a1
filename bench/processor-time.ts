import { readStatus } from '@covalence/stack/engines/process-table';
import { readdirSync } from 'node:fs';

/** The kernel counts processor time in ticks of ten milliseconds, and memory in pages. */
const tickMs = 10;
const pageBytes = 4_096;

/** Resources used by processes: milliseconds of processor time, and bytes of resident memory. */
interface Usage {
  readonly ms: number;
  readonly bytes: number;
}

/** Sums the resources of the processes selected by id and group. */
export function usage(isCounted: (pid: string, group: number) => boolean): Usage {
  let [ticks, pages] = [0, 0];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = readStatus(pid);
    if (!fields || !isCounted(pid, Number(fields[2]))) continue;
    ticks += Number(fields[11]) + Number(fields[12]);
    pages += Number(fields[21]);
  }
  return { ms: ticks * tickMs, bytes: pages * pageBytes };
}

/** Sums the resources of process groups, each named by its leading process. */
export const usageOf = (groups: readonly number[]): Usage => usage((_pid, group) => groups.includes(group));

/** Milliseconds of processor time of process groups. */
export const processorTimeOf = (groups: readonly number[]): number => usageOf(groups).ms;
