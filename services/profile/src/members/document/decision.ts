/** The stored files of a photo, and its caption. */
export interface HeldPhoto {
  readonly id: number;
  /** The beginning of the names of its files. */
  readonly stem: string;
  /** With its dot, e.g. `.jpg`. */
  readonly extension: string;
  /** Edge lengths in pixels of the files that exist. */
  readonly sizes: readonly number[];
  readonly caption?: string;
}

/** The part of a photo that decisions and reports keep. */
export function heldFrom({ id, stem, extension, sizes, caption }: HeldPhoto): HeldPhoto {
  return { id, stem, extension, sizes, ...(caption !== undefined && { caption }) };
}

/** Actions of staff on a member. */
export type StaffAction = 'approve' | 'reject' | 'suspend' | 'unsuspend' | 'delete';

type DecisionAction =
  StaffAction | `${'approve' | 'reject'}-${'text' | 'photo'}` | 'close-report' | 'view-evidence';

/** What a decision rejected; staff can read it until retention ends. */
export interface Rejected {
  readonly since: Date;
  readonly text?: string;
  readonly photo?: HeldPhoto;
}

/** One entry of a member's history: who did what, when and why. */
export interface Decision {
  /** UUIDv7; a decision is logged once under it. */
  readonly id: string;
  readonly member: number;
  readonly staff: string;
  readonly action: DecisionAction;
  readonly at: Date;
  readonly reason?: string;
  readonly field?: string;
  readonly photo?: number;
  readonly report?: string;
  readonly evidence?: string;
  readonly rejected?: Rejected;
  /** The userstatus or the photo's status before and after, where it changed. */
  readonly before?: string;
  readonly after?: string;
}
