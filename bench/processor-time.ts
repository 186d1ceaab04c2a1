import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts processor time in ticks of ten milliseconds. */
const tickMs = 10;

/** Milliseconds of processor time that the processes have used which a test of process id and group selects. */
export function processorTime(isCounted: (pid: string, group: number) => boolean): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The second field, the name in parentheses, may contain anything.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      if (isCounted(pid, Number(fields[2]))) ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // The process has ended.
    }
  }
  return ticks * tickMs;
}

/** The same of process groups, each named by the process that leads it. */
export const processorTimeOf = (groups: readonly number[]): number =>
  processorTime((_pid, group) => groups.includes(group));
