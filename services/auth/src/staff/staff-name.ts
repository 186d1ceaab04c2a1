import { notFound } from '@covalence/contract/failure';
import { endpoint } from '@covalence/http/endpoint';
import { z } from 'zod';
import type { StaffContext } from './find-staff.ts';

/** Usernames of staff accounts by id. */
export async function namesOf(
  ids: readonly string[],
  { accounts }: Pick<StaffContext, 'accounts'>,
): Promise<ReadonlyMap<string, string>> {
  const found = await accounts.findMany([...new Set(ids)]);
  return new Map(found.flatMap(({ _id, username, staff }) => (staff ? [[_id, username] as const] : [])));
}

/** GET /staff/name: who a colleague is. */
export const showStaffName = endpoint({
  access: 'staff',
  staff: { roles: ['moderator', 'support', 'search', 'operator'], site: 'several' },
  operationId: 'getStaffName',
  summary: 'Get the name of a colleague',
  description:
    'The username behind the id of a staff account in a history, claim, note or version. There is no list: whoever may read what an account did may know whose it is. 404 for another id.',
  answer: 'The name.',
  example: { request: { staff_id: '019a3f20-1111-7d41-9d0f-5b1f5c1e8a77' } },
  statuses: [404],
  input: z.object({
    staff_id: z.uuid().toLowerCase().meta({ description: 'The staff account.' }),
  }),
  output: z
    .object({ staff_id: z.uuid(), username: z.string().meta({ examples: ['grace'] }) })
    .meta({ id: 'StaffName' }),
  handler: async ({ input: { staff_id } }, context: StaffContext) => {
    const username = (await namesOf([staff_id], context)).get(staff_id);
    if (username === undefined) throw notFound();
    return { staff_id, username };
  },
});
