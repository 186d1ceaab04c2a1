/** Runs work of one key in this process one after the other, and that of different keys at once. */
export type OneAtATime = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Creates it; a key is kept only while work of it waits or runs. */
export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const turn = before.then(work);
    const ended = turn.catch(() => undefined);
    last.set(key, ended);
    try {
      return await turn;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
