const largest = 100;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls that come at the same time go to a store together (group commit). One that comes alone goes at once; while a group
 * is under way, those that come meanwhile gather; with more `atOnce`, while so many are. `run` gives one result for each item, in their order; what it
 * throws fails all of its group.
 */
export function inGroups<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  atOnce = 1,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let planned = false;

  const work = async (group: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };

  const begin = () => {
    planned = false;
    while (waiting.length && running < atOnce) {
      const group = waiting.slice(0, largest);
      waiting = waiting.slice(largest);
      running += 1;
      void work(group).finally(() => {
        running -= 1;
        begin();
      });
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (planned || running >= atOnce) return;
      planned = true;
      // What else has come with this turn of the event loop goes along.
      setImmediate(begin);
    });
}
