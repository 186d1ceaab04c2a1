import { errorText } from './error-text.ts';

/** Whether the arguments of a tool ask what it can do; that is told without a configuration. */
export function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/** What parseArgs finds wrong, without the full stop: its first sentence. The others are advice for programmers. */
export const argumentProblem = (error: unknown): string => errorText(error).split(/\.(?:\s|$)/)[0] ?? '';
