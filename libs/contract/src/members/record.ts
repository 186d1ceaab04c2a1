/** The values of covalence. */
export const covalences = [
  'liked',
  'declined',
  'mutual',
  'likedme',
  'declinedme',
  'unliked',
  'none',
] as const;

/** One of them. */
export type Covalence = (typeof covalences)[number];

/** The values of blocked: `you` = the viewee blocked the viewer, `them` = the viewer blocked the viewee. */
export const blockings = ['none', 'both', 'you', 'them'] as const;

/** One of them. */
export type Blocked = (typeof blockings)[number];

/** The values of gender and gender_preference. */
export const genders = ['Male', 'Female'] as const;

/** One of them. */
export type Gender = (typeof genders)[number];

/** Whether a value is one of them. */
export const isGender = (value: unknown): value is Gender => genders.some((each) => each === value);

/** The values of world_plus as the record shows them. */
export const worldPlusChoices = ['opted_in', 'opted_out', 'undecided'] as const;

/** The values of membership_status: `inactive` = a membership exists but has a problem. */
export const membershipStatuses = ['active', 'none', 'inactive'] as const;

/** One of them. */
export type MembershipStatus = (typeof membershipStatuses)[number];

/** The statuses of a photo. */
export const photoStatuses = ['pending', 'approved', 'rejected', 'deleted'] as const;

/** Use of a record: the own one, another member's single profile, or a search result. */
export type RecordUse = 'self' | 'single' | 'search';

/** The values of userstatus. */
export const userStatuses = ['new', 'approved', 'rejected'] as const;

/** One of them. */
export type UserStatus = (typeof userStatuses)[number];
