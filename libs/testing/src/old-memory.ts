import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
// Where much of what is made in one place lived long, the engine makes all of it in old memory from then on: other tests of the process would decide.
setFlagsFromString('--no-allocation-site-pretenuring');
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void;

/** Calls until the engine has compiled what they run. */
const warmUp = 300;
const measured = 400;
/** Calls between two collections: what the last of them made may still be held, and gets old. */
const between = 20;

const oldBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name: name }) => name.startsWith('old') || name.startsWith('large'))
    .reduce((sum, { space_used_size: used }) => sum + used, 0);

/** The engine also moves to old memory what other work of the process made: that adds to a round, and never to each. */
const rounds = 3;

/**
 * Bytes that a call leaves in old memory, where they stay until the next full collection, on average of many calls one after
 * the other, in the best of three rounds. What nothing holds is gone before it gets there.
 */
export async function leftInOldMemory(call: () => Promise<unknown>): Promise<number> {
  const callAndCollect = async (times: number) => {
    for (let time = 1; time <= times; time += 1) {
      await call();
      if (time % between === 0) collect({ type: 'minor' });
    }
  };
  await callAndCollect(warmUp);
  const left: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    collect({ type: 'major' });
    const before = oldBytes();
    await callAndCollect(measured);
    left.push((oldBytes() - before) / measured);
  }
  return Math.min(...left);
}
