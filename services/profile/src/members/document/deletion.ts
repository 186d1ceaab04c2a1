const dayMs = 86_400_000;

/** How long a deleted member can come back by signing in. */
export const deletionDays = 30;

/** When everything of a member who is deleted now is erased. */
export function erasureAfter(now: Date): Date {
  return new Date(now.getTime() + deletionDays * dayMs);
}
