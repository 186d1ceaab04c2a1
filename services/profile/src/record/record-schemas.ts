import { listedRecordSchema, ownRecordSchema, singleRecordSchema } from '@covalence/contract/member-record';
import { z } from 'zod';
import type { MemberRecord } from '../members/members.ts';

/** The own record as an answer. */
export const ownRecordOutput: z.ZodType<MemberRecord> = ownRecordSchema;

/** One record as an answer: the own one, or another's as a single profile. */
export const anyRecordOutput: z.ZodType<MemberRecord> = z
  .union([ownRecordSchema, singleRecordSchema])
  .meta({ id: 'MemberRecord' });

/** Another's record in a list. */
export const listedRecordOutput: z.ZodType<MemberRecord> = listedRecordSchema;

/** Another's record in a list, with when they came into it. */
export const timedRecordOutput: z.ZodType<MemberRecord & { at: string }> = listedRecordSchema
  .extend({ at: z.iso.datetime() })
  .meta({ id: 'ActivityMember' });
