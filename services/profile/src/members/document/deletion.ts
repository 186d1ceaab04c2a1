const dayMs = 86_400_000;

/** Days in which a deleted member can come back by signing in. */
export const deletionDays = 30;

/** When a member who is deleted now is erased. */
export function erasureAfter(now: Date): Date {
  return new Date(now.getTime() + deletionDays * dayMs);
}
