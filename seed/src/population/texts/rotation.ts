import type { Random } from '../random.ts';

/** Hands out lines so that none comes back until others of its topic have had their turn. */
export interface Rotation {
  /** Begins the next member: what the one before last said may be said again, if need be. */
  turn(): void;
  /**
   * One of the lines, best one that was not chosen lately under this topic; never one that this member or the one
   * before has used. Undefined when none is left.
   */
  choose(topic: string, lines: readonly string[], random: Random): string | undefined;
}

/** At most this many lines of a topic rest at a time. */
const longestRest = 24;

/** A rotation that has handed out nothing yet: members made one after the other share it. */
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
