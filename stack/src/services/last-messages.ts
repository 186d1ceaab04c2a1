import { readFileSync } from 'node:fs';
import { z } from 'zod';

const shownMessages = 3;
const longestMessage = 300;
/** Levels of the log from which on a line tells of a problem. */
const warning = 40;

const entrySchema = z.object({
  level: z.number(),
  msg: z.string().default(''),
  err: z.object({ message: z.string() }).optional(),
});

/** A line of the log as somebody reads it; what is no entry (a crash's own output) stays as it is. */
function readLine(line: string): { text: string; isProblem: boolean } {
  try {
    const { level, msg, err } = entrySchema.parse(JSON.parse(line));
    return { text: err ? `${msg}: ${err.message}` : msg, isProblem: level >= warning };
  } catch {
    return { text: line.trim(), isProblem: /\w: /.test(line) };
  }
}

/** What a service last said of a problem, from a position of its log on, in one line; else its last words. */
export function lastMessages(logFile: string, from: number): string {
  const lines = readFileSync(logFile).subarray(from).toString('utf8').split('\n');
  const messages = lines.filter((line) => line.trim() && !/^\s*at /.test(line)).map(readLine);
  const problems = messages.filter(({ isProblem }) => isProblem);
  const last = (problems.length > 0 ? problems : messages).slice(-shownMessages);
  const text = last.map((message) => message.text.slice(0, longestMessage)).join(' | ');
  return `${text || 'nothing'} (${logFile})`;
}
