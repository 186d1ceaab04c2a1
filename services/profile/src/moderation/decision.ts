/** What staff can do; the names stand in the history. */
export type DecisionAction =
  | 'approve'
  | 'reject'
  | 'suspend'
  | 'unsuspend'
  | 'delete'
  | 'approve-text'
  | 'reject-text'
  | 'approve-photo'
  | 'reject-photo'
  | 'close-report';

/** One entry of a member's history: who did what, when and why. It holds no texts of the member. */
export interface Decision {
  /** UUIDv7; a decision is logged once under it. */
  readonly id: string;
  /** Numeric id of the member. */
  readonly member: number;
  /** UUID of the staff account. */
  readonly staff: string;
  readonly action: DecisionAction;
  readonly at: Date;
  readonly reason?: string;
  /** Canonical name of the text's field. */
  readonly field?: string;
  /** Numeric id of the photo. */
  readonly photo?: number;
  readonly report?: string;
  /** The userstatus or the photo's status before and after, where it changed. */
  readonly before?: string;
  readonly after?: string;
}
