import type { Blocked, Covalence } from '@covalence/contract/record';

/** What the member record says of two members, as one of them sees it. */
export interface Relation {
  readonly covalence: Covalence;
  /** True for a connection, null where neither has expressed anything. */
  readonly isconnection: boolean | null;
  /** When the initial like that stands was made, and when it was answered. */
  readonly created: Date | null;
  readonly answered: Date | null;
  readonly blocked: Blocked;
  readonly messagedByThem: boolean;
  readonly messagedByMe: boolean;
  readonly reportedByMe: boolean;
  readonly sending: boolean;
  readonly receiving: boolean;
  readonly theyReceive: boolean;
  /** Whether the viewer sees the other's private photos: one shares, the other accepts. */
  readonly seesPrivate: boolean;
}

/** The relation of a member to themselves. */
export const noRelation: Relation = {
  covalence: 'none',
  isconnection: null,
  created: null,
  answered: null,
  blocked: 'none',
  messagedByThem: false,
  messagedByMe: false,
  reportedByMe: false,
  sending: false,
  receiving: false,
  theyReceive: false,
  seesPrivate: false,
};
