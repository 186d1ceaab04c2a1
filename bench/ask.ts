import type { ChildProcess, Serializable } from 'node:child_process';

const limitMs = 120_000;

/** Sends a question to a child process, if there is one, and resolves with its next message. Rejects if it exits or is silent. */
export function ask(child: ChildProcess, question?: Serializable): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const ended = (code: number | null, signal: string | null) =>
    reject(new Error(`a process of the benchmark ended (${signal ?? `exit code ${code}`})`));
  const limit = setTimeout(() => reject(new Error('a process of the benchmark does not answer')), limitMs);
  child.once('message', resolve).once('exit', ended);
  if (question !== undefined) child.send(question, (error) => error && reject(error));
  const answer = promise.finally(() => {
    clearTimeout(limit);
    child.off('message', resolve).off('exit', ended);
  });
  // Callers may await it later.
  answer.catch(() => {});
  return answer;
}
