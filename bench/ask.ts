import type { ChildProcess, Serializable } from 'node:child_process';

/** Opening 10,000 sockets or 10 s of load is over in a fraction of it. */
const limitMs = 120_000;

/**
 * The next message of a process of the benchmark, to a question where there is one. Rejects where the process ends instead, or
 * says nothing for two minutes: nobody else would end the wait.
 */
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
  // It is awaited in its turn; until then its failure is not unhandled.
  answer.catch(() => {});
  return answer;
}
