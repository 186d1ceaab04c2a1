import { endpoint } from '@covalence/http/endpoint';
import { v7 } from 'uuid';
import { z } from 'zod';
import { numericId } from '../../members/members.ts';
import { deviceIdOf } from '../../members/push-devices.ts';
import type { ModerationContext } from '../moderation.ts';
import type { FoundMember, MemberName } from '../store/search-store.ts';
import { entryMembers, oneSite, sitesOf } from '../staff-call.ts';
import { memberViewSchema, accountOf } from './entry.ts';

const mostFound = 20;
/** As long as the longest address of a push service. */
const longestValue = 2_048;

const kinds = ['id', 'username', 'email', 'payment', 'device'] as const;
type Kind = (typeof kinds)[number];

/** Members by what names them, in the order of the answer. */
interface Named {
  readonly name: MemberName;
  readonly values: readonly (number | string)[];
}

type Finder = (value: string, siteids: readonly number[], context: ModerationContext) => Promise<Named>;

/** One more than the answer shows whether there are more. */
const limit = mostFound + 1;

const byAccount =
  (by: 'username' | 'email' | 'sign_in'): Finder =>
  async (value, siteids, { auth }) => {
    const { member_ids } = await auth.findAccounts({ by, value, siteids, limit });
    return { name: 'member_id', values: member_ids };
  };

const bySignIn = byAccount('sign_in');

/** Each makes the same calls whether or not there is such a member, on these sites or others. */
const finders: Readonly<Record<Kind, Finder>> = {
  id: (value) => {
    const id = numericId(value);
    const named: Named =
      id === undefined ? { name: 'member_id', values: [value.toLowerCase()] } : { name: '_id', values: [id] };
    return Promise.resolve(named);
  },
  username: byAccount('username'),
  email: byAccount('email'),
  async payment(value, _siteids, { billing }) {
    const { members } = await billing.findPayers({ reference: value, limit });
    return { name: '_id', values: members };
  },
  device: (value, ...rest) =>
    value.includes(':')
      ? Promise.resolve({ name: 'push_subscriptions.id', values: [deviceIdOf(value)] })
      : bySignIn(value, ...rest),
};

/** In the order of `values`; a device has one member. */
function inOrder(found: readonly FoundMember[], { name, values }: Named): FoundMember[] {
  if (name === 'push_subscriptions.id') return [...found];
  return values.flatMap((value) => found.filter((member) => member[name] === value));
}

/** POST /staff/members/search */
export const findMembers = endpoint({
  access: 'staff',
  staff: {
    roles: ['moderator', 'support'],
    site: 'several',
    shows: ({ members }) => entryMembers(members),
  },
  operationId: 'searchStaffMembers',
  summary: 'Find members',
  description:
    'Members of the sites of the role. Email addresses match exactly: the current one, one that waits to be confirmed, and one that can still revert its change. Usernames match exactly, then by a beginning of three characters or more. A payment is named by the reference of its provider or store, by its key, by the customer of a store, or by the account token that stores show; a device by the `id` of its sign-in or by the address of its push service. Send the value in the body. Each search counts for the staff account (429), and is recorded for each member who is found, without the value.',
  answer: 'At most 20 members. `more`: there are others; narrow the search.',
  example: { request: { by: 'email', value: 'ada@mail.example' } },
  bodyOnly: true,
  input: z.object({
    by: z.enum(kinds).meta({ description: 'What the value is.' }),
    value: z.string().trim().min(1).max(longestValue).meta({ description: 'What to look for.' }),
    siteid: oneSite,
  }),
  output: z
    .object({
      members: z.array(
        memberViewSchema
          .pick({
            id: true,
            member_id: true,
            siteid: true,
            username: true,
            userstatus: true,
            suspended: true,
            deactivated: true,
            deleted: true,
            date_registered: true,
          })
          .meta({ id: 'StaffFoundMember' }),
      ),
      more: z.boolean(),
    })
    .meta({ id: 'StaffFoundMembers' }),
  handler: async ({ input: { by, value, siteid }, caller, sites }, context: ModerationContext) => {
    const { searchLimit, search, decisions } = context.moderation;
    const staff = caller.memberId;
    const siteids = sitesOf(siteid, sites, context);
    await searchLimit.count(staff);
    context.security.record('staff_decision', { staff, reason: `searched_by_${by}` });
    const named = await finders[by](value, siteids, context);
    const found = inOrder(await search.find(named.name, named.values, siteids, limit), named);
    const members = found.slice(0, mostFound);
    const facts = { staff, at: context.clock(), action: 'find-member', field: by } as const;
    await decisions.append(members.map(({ _id }) => ({ id: v7(), member: _id, ...facts })));
    const shown = members.map((member) => ({ ...accountOf(member), deleted: member.deleted }));
    return { members: shown, more: found.length > mostFound };
  },
});
