import { documented, pagesize } from '@covalence/contract/parameters';
import {
  auditEntry,
  recordCommand as commandContract,
  recordStaffCall,
} from '@covalence/contract/peers/staff-api';
import { endpoint, serviceEndpoint } from '@covalence/http/endpoint';
import type { StaffCall } from '@covalence/http/audit';
import { currentRequestId } from '@covalence/runtime/request-context';
import { NIL, v7 } from 'uuid';
import { z } from 'zod';
import { accountById, staffIdOf, type StaffContext } from './find-staff.ts';
import { namesOf } from './staff-name.ts';

/** Adds a call of staff to the audit log. */
export async function recordCall(call: StaffCall, { audit, clock }: Pick<StaffContext, 'audit' | 'clock'>) {
  const at = clock();
  const request_id = currentRequestId();
  await audit.add({ _id: v7({ msecs: at.getTime() }), at, ...call, ...(request_id && { request_id }) });
}

/** POST /internal/audit: adds a call of staff at another service. */
export const recordElsewhere = serviceEndpoint(
  recordStaffCall,
  async ({ status, ...call }, context: StaffContext) => {
    await recordCall({ ...call, ...(status !== undefined && { status }) }, context);
    return {};
  },
);

/** Adds a command on the servers to the audit log. No account made it. */
export const recordCommandCall = (
  call: Pick<StaffCall, 'call' | 'about'>,
  context: Pick<StaffContext, 'audit' | 'clock'>,
) => recordCall({ staff: NIL, ...call }, context);

/** POST /internal/audit/commands: adds a command on the servers that does what a call of staff does. */
export const recordCommand = serviceEndpoint(commandContract, async (input, context: StaffContext) => {
  await recordCommandCall(input, context);
  return {};
});

const entrySchema = z
  .object({
    id: z.uuid(),
    at: z.iso.datetime(),
    staff_id: auditEntry.shape.staff,
    username: z
      .string()
      .nullable()
      .meta({ description: 'Of the staff account.', examples: ['grace'] }),
    call: auditEntry.shape.call.meta({ examples: ['POST /staff/members/:id/suspend'] }),
    about: auditEntry.shape.about.meta({ examples: [['1002']] }),
    status: z.int().nullable().meta({
      description:
        'The status of a refusal or failure, or 202 of a call that waits for a second person, each with an entry of its own; null: the call was allowed.',
    }),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });

/** The spellings of a member, by number or UUID: calls are recorded as they came. */
async function spellingsOf(id: string, context: Pick<StaffContext, 'accounts'>): Promise<string[]> {
  const account = await accountById(id, context);
  return account ? [String(account.id), account._id] : [id];
}

/** GET /staff/audit: what staff did. */
export const listAudit = endpoint({
  access: 'staff',
  staff: { roles: ['operator'], site: 'every' },
  operationId: 'listStaffAudit',
  summary: 'List the calls of staff',
  description:
    'The audit log, newest first: every call that changes something or shows members, photos or reports, before it runs or before they are shown, with the members whom it is about. Entries cannot be changed, and are deleted after two years. 404 for an unknown username.',
  answer: 'A page of the audit log.',
  example: { request: { about: '1002' } },
  statuses: [404],
  input: z.object({
    staff_id: z.uuid().toLowerCase().optional().meta({ description: 'Calls of one staff account.' }),
    username: z
      .string()
      .max(100)
      .optional()
      .meta({
        description: 'The same by username.',
        examples: ['grace'],
      }),
    call: auditEntry.shape.call.optional().meta({
      description: 'Calls of one kind.',
      examples: ['POST /staff/members/:id/suspend'],
    }),
    about: z
      .string()
      .max(100)
      .toLowerCase()
      .optional()
      .meta({
        description: 'Calls about one member (number or UUID), photo or report.',
        examples: ['1002'],
      }),
    since: z.iso.datetime({ offset: true }).optional().meta({ description: 'Calls since this time.' }),
    until: z.iso.datetime({ offset: true }).optional().meta({ description: 'Calls before this time.' }),
    cursor: z.uuid().toLowerCase().optional().meta(documented.cursor),
    pagesize,
  }),
  output: z.object({ entries: z.array(entrySchema), next: z.uuid().nullable() }).meta({ id: 'AuditLog' }),
  handler: async (
    { input: { staff_id, username, call, about, since, until, cursor, pagesize: size } },
    context: StaffContext,
  ) => {
    const filter = {
      staff: username === undefined ? staff_id : await staffIdOf(username, context),
      call,
      about: about === undefined ? undefined : await spellingsOf(about, context),
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
    };
    const found = await context.audit.find(filter, size + 1, cursor);
    const entries = found.slice(0, size);
    const names = await namesOf(
      entries.map(({ staff }) => staff),
      context,
    );
    return {
      entries: entries.map(({ _id: id, at, staff, status = null, request_id = null, ...entry }) => ({
        id,
        at: at.toISOString(),
        staff_id: staff,
        username: names.get(staff) ?? null,
        call: entry.call,
        about: [...entry.about],
        status,
        request_id,
      })),
      next: found.length > size ? (entries.at(-1)?._id ?? null) : null,
    };
  },
});
