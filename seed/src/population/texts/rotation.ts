import type { Random } from '../random.ts';

/** Chooses lines so that none repeats before others of its topic were used. */
export interface Rotation {
  /** Begins the next member. */
  turn(): void;
  /**
   * Chooses a line, preferably one not chosen recently under this topic, and never one that this or the previous
   * member has used. Undefined when none is left.
   */
  choose(topic: string, lines: readonly string[], random: Random): string | undefined;
}

/** The number of recent lines per topic that are avoided. */
const longestRest = 24;

/** A new rotation, which the members of a population share in order. */
export function createRotation(): Rotation {
  const resting = new Map<string, string[]>();
  let [before, current] = [new Set<string>(), new Set<string>()];
  return {
    turn() {
      [before, current] = [current, new Set()];
    },
    choose(topic, lines, random) {
      const free = lines.filter((line) => !before.has(line) && !current.has(line));
      if (free.length === 0) return undefined;
      const rest = resting.get(topic) ?? [];
      const rested = free.filter((line) => !rest.includes(line));
      const chosen = random.pick(rested.length > 0 ? rested : free);
      current.add(chosen);
      resting.set(
        topic,
        [...rest, chosen].slice(-Math.min(longestRest, Math.max(1, Math.floor(lines.length * 0.7)))),
      );
      return chosen;
    },
  };
}
