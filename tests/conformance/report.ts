import type { ModuleResult } from './run-module.ts';

/** Results with which a server conforms; the suite skips a module that does not apply. */
const sound: readonly string[] = ['PASSED', 'SKIPPED'];
/** Kinds of lines in the log of a module that say why it has its result. */
const telling: readonly string[] = ['FAILURE', 'WARNING', 'REVIEW', 'SKIPPED', 'INTERRUPTED'];

/** The result of a module, and what its log says about it, as lines of the terminal. */
export function linesOf({ name, result, seconds, log }: ModuleResult): string[] {
  const reasons = log.filter((entry) => telling.includes(entry.result ?? ''));
  return [
    `${result.padEnd(11)}${String(seconds).padStart(3)} s  ${name}`,
    ...(result === 'PASSED' ? [] : reasons.map(({ src, msg }) => `    ${src}: ${msg ?? ''}`)),
  ];
}

/** Whether every module passed or did not apply; no module is no success. */
export const isSound = (results: readonly ModuleResult[]): boolean =>
  results.length > 0 && results.every(({ result }) => sound.includes(result));

/** The number of modules by result, in one line. */
export function summaryOf(results: readonly ModuleResult[]): string {
  const counts = Map.groupBy(results, ({ result }) => result);
  const parts = [...counts].map(([result, some]) => `${some.length} ${result}`);
  return `${results.length} modules: ${parts.join(', ')}`;
}
