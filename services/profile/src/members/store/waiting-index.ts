/** The index of a queue: what waits on a site since the time at `path`, oldest first. It holds nothing else. */
export const waitingIndex = (path: string) =>
  [
    { siteid: 1, [path]: 1, _id: 1 },
    { partialFilterExpression: { [path]: { $exists: true } } },
  ] as const satisfies readonly [Readonly<Record<string, 1>>, object];
