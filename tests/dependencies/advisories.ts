import { z } from 'zod';
import type { Said } from './pnpm.ts';

/** The registry did not answer: neither sound nor unsound. */
export class NotChecked extends Error {}

const answerSchema = z.object({
  advisories: z.record(
    z.string(),
    z.object({ module_name: z.string(), severity: z.string(), title: z.string(), url: z.string() }),
  ),
});

/** The first problem in the output of pnpm, or its last line. */
const reasonOf = (problem: string): string =>
  /responded with \d+/.exec(problem.replaceAll(/\s*│\s*|\s+/g, ' '))?.[0] ??
  problem.trim().split('\n').at(-1) ??
  '';

/**
 * Known vulnerabilities of severity high and critical in the output of `pnpm audit`; throws NotChecked if the
 * registry did not answer. pnpm-workspace.yaml lists exceptions under auditConfig.
 */
export function faultsIn({ out, problem }: Pick<Said, 'out' | 'problem'>): string[] {
  let answer: z.output<typeof answerSchema>;
  try {
    answer = answerSchema.parse(JSON.parse(out));
  } catch (error) {
    throw new NotChecked(`the registry returned no advisories (${reasonOf(problem)})`, { cause: error });
  }
  return Object.values(answer.advisories)
    .filter(({ severity }) => severity === 'high' || severity === 'critical')
    .map(({ module_name: name, severity, title, url }) => `${name}: ${severity}: ${title} (${url})`);
}
