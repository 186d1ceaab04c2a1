import { membershipStatuses } from '@covalence/contract/record';
import { z } from 'zod';
import { statusAt, type Membership } from './membership.ts';

/** A membership for its member and for staff, with the field names of the record. */
export const membershipView = z
  .object({
    membership_status: z.enum(membershipStatuses).meta({ examples: ['active'] }),
    autorenew: z.boolean().meta({ examples: [true] }),
    expirationdate: z.iso
      .datetime()
      .nullable()
      .meta({ examples: ['2026-06-01T12:00:00.000Z'] }),
  })
  .meta({ id: 'Membership' });

/** The current view of a membership. */
export function viewOf(membership: Membership | undefined, at: Date): z.infer<typeof membershipView> {
  const status = membership ? statusAt(membership, at) : 'none';
  if (!membership || status === 'none') {
    return { membership_status: 'none', autorenew: false, expirationdate: null };
  }
  const { autorenew, expires_at } = membership;
  return { membership_status: status, autorenew, expirationdate: expires_at.toISOString() };
}
