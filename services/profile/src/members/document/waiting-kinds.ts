/** What of a member Customer Service has to look at, each since when, and whether contact data was found. */
export interface Waiting {
  readonly profile?: Date;
  readonly text?: Date;
  readonly photo?: Date;
  readonly flagged?: boolean;
}

/** The kinds of the queue that are members; reports are kept apart. */
export const waitingKinds = ['profile', 'text', 'photo'] as const;

/** One of them. */
export type WaitingKind = (typeof waitingKinds)[number];
