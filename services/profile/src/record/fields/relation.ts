import type { Blocked, Covalence } from '@covalence/contract/record';
import { z } from 'zod';

/** The relation between two members in a record, as one of them sees it. */
export interface Relation {
  readonly covalence: Covalence;
  /** True for a connection, null where neither has expressed anything. */
  readonly isconnection: boolean | null;
  /** When the initial like was made, and when it was answered; null while no like stands. */
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

/** The shared_photos object. */
export const sharedPhotosSchema = z
  .object({
    can_share: z.boolean(),
    can_send_to: z.boolean(),
    can_receive_from: z.boolean(),
    receiving_me: z.boolean(),
  })
  .meta({ id: 'SharedPhotos' });

/** The state of photo sharing as one member sees it; all false where `allowed` is false. */
export function sharedPhotos({ sending, receiving, theyReceive }: Relation, allowed: boolean) {
  return {
    can_share: allowed,
    can_send_to: allowed && sending,
    can_receive_from: allowed && receiving,
    receiving_me: allowed && theyReceive,
  };
}
