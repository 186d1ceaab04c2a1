/** Spec 2.4. */
export type Covalence = 'liked' | 'declined' | 'mutual' | 'likedme' | 'declinedme' | 'unliked' | 'none';

/** Spec 2.3: `you` = the viewee blocked the viewer, `them` = the viewer blocked the viewee. */
export type Blocked = 'none' | 'both' | 'you' | 'them';

/** How a record is asked for: the member's own, another's as a single profile, or another's in a search result (spec 2.3). */
export type RecordUse = 'self' | 'single' | 'search';

/** The values of userstatus (spec 3). */
export const userStatuses = ['new', 'approved', 'rejected'] as const;

/** One of them. */
export type UserStatus = (typeof userStatuses)[number];
