/** The version of the next write: moves forward even after a restored backup (design, Data). */
export function nextVersion(previous: number, now: Date): number {
  return Math.max(previous + 1, now.getTime());
}
