/** Runs tasks with the same key one after the other in this process, and tasks with different keys at once. */
type KeyedQueue = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>;

/** Creates the queue. It keeps a key only while tasks of the key wait or run. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const before = last.get(key) ?? Promise.resolve();
    const turn = before.then(task);
    const ended = turn.catch(() => undefined);
    last.set(key, ended);
    try {
      return await turn;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
