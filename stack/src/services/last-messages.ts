import { jsonText } from '@covalence/runtime/json-text';
import { z } from 'zod';
import { logLines } from '../engines/log-file.ts';

const shownMessages = 3;
const longestMessage = 300;
/** The lowest log level of a problem. */
const warning = 40;

const entryText = jsonText.pipe(
  z.object({
    level: z.number(),
    msg: z.string().default(''),
    err: z.object({ message: z.string() }).optional(),
  }),
);

/** The text of a log line; output of a crash, which is no log entry, stays as it is. */
function readLine(line: string): { text: string; isProblem: boolean } {
  const entry = entryText.safeParse(line).data;
  if (!entry) return { text: line.trim(), isProblem: /\w: /.test(line) };
  const { level, msg, err } = entry;
  return { text: err ? `${msg}: ${err.message}` : msg, isProblem: level >= warning };
}

/** The last problems in a log after a position, else its last messages, joined to one line. */
export function lastMessages(logFile: string, from: number): string {
  const messages = logLines(logFile, from)
    .filter((line) => line.trim() && !/^\s*at /.test(line))
    .map(readLine);
  const problems = messages.filter(({ isProblem }) => isProblem);
  const last = (problems.length > 0 ? problems : messages).slice(-shownMessages);
  const text = last.map((message) => message.text.slice(0, longestMessage)).join(' | ');
  return `${text || 'nothing'} (${logFile})`;
}
