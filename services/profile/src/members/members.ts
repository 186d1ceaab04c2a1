import type { Publisher } from '@covalence/events/publisher';
import type { Peer } from '@covalence/http/peer';
import type { Site, Sites } from '@covalence/contract/sites';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import type { SecurityLog } from '@covalence/runtime/security-events';
import type { RedisClient } from '@covalence/runtime/redis';
import { z } from 'zod';
import type { AffiliatesContext } from '../affiliates/affiliates.ts';
import { createBans } from './bans.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { localeOf } from './document/member-values.ts';
import type { Member } from './document/member.ts';
import { createShownPosition } from './places/shown-position.ts';
import { createHourlyLimitStore } from './store/hourly-limit-store.ts';
import { createIdStore } from './store/id-store.ts';
import { createMemberStore } from './store/member-store.ts';
import type { StoreOptions } from './store/outbox-of.ts';
import { createPresenceStore } from './store/presence-store.ts';

/** A member record as it is sent. */
export type MemberRecord = { id: number } & Record<string, unknown>;

/** The email addresses in a member's own record: the one in force, and the one that waits to be confirmed. */
export interface OwnAddresses {
  readonly email: string;
  readonly pending_email?: string | null | undefined;
}

/** Stores and checks of the member operations. */
export type Members = ReturnType<typeof createMembers>;

/** Dependencies of the member operations. */
export interface MembersContext extends AffiliatesContext {
  readonly sites: Sites;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly security: SecurityLog;
  readonly auth: Peer<'auth'>;
  readonly billing: Peer<'billing'>;
  readonly members: Members;
  readonly publisher: Pick<Publisher, 'publish'>;
}

interface MembersOptions extends StoreOptions {
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly config: {
    readonly POSITION_SECRET: string;
    readonly BAN_YEARS: number;
    readonly SITES_FILE: Sites;
  } & Readonly<Record<`${'EMAILS' | 'USERNAMES' | 'REGISTRATIONS' | 'TAKEN_NAMES'}_PER_HOUR`, number>>;
  /** Renders a member's own record; reads the addresses from the auth service unless they are passed. */
  readonly ownRecord: (member: Member, addresses?: OwnAddresses) => Promise<MemberRecord>;
}

/** Creates the stores and limits of the members. */
export function createMembers({ redis, namespace, config, ownRecord, ...options }: MembersOptions) {
  const { connection, clock } = options;
  const { POSITION_SECRET: secret, BAN_YEARS: years, SITES_FILE: sites } = config;
  const hourly = (name: string, perHour: number) => createHourlyLimitStore(redis, namespace, name, perHour);
  return {
    store: createMemberStore(options),
    ids: createIdStore(connection),
    presence: createPresenceStore(redis, namespace, options.logger),
    shownPosition: createShownPosition(secret),
    bans: createBans({ connection, clock, secret, years, groupOf: (siteid) => groupOf(sites, siteid) }),
    /** Emails and usernames are limited by member, the others by client address. */
    limits: {
      emails: hourly('emails', config.EMAILS_PER_HOUR),
      usernames: hourly('usernames', config.USERNAMES_PER_HOUR),
      registrations: hourly('registrations', config.REGISTRATIONS_PER_HOUR),
      takenNames: hourly('taken-names', config.TAKEN_NAMES_PER_HOUR),
    },
    /** Look-ups of usernames and email addresses, one at a time for each client address. */
    nameLookUps: createKeyedQueue(),
    ownRecord,
  };
}

/** Whether two sites are of one group, whose members see each other (`from_world_plus`). */
export function sameGroup(one: Site | undefined, other: Site | undefined): boolean {
  return one !== undefined && one.group === other?.group;
}

/** The sites of the group of a site. */
export function groupOf(sites: Sites, siteid: number): number[] {
  const own = sites.get(siteid);
  return [...sites.keys()].filter((each) => each === siteid || sameGroup(own, sites.get(each)));
}

/** The site of a member. The sites file has every site that members were registered on. */
export function siteOf({ sites }: Pick<MembersContext, 'sites'>, siteid: number): Site {
  const site = sites.get(siteid);
  if (!site) throw new Error(`site ${siteid} is not in the sites file`);
  return site;
}

/** The locale of a member (language_COUNTRY), else of their site. */
export const localeFor = (context: Pick<MembersContext, 'sites'>, member: Member): string =>
  localeOf(member, siteOf(context, member.siteid));

/** A member as the recipient of a mail. */
export const recipientOf = (context: Pick<MembersContext, 'sites'>, member: Member) => ({
  member_id: member.member_id,
  locale: localeFor(context, member),
});

const uuid = z.uuid();

/** The numeric id of a member or photo, as a number or its digits, or undefined. */
export function numericId(value: unknown): number | undefined {
  const isDigits =
    (typeof value === 'string' || typeof value === 'number') && /^\d{1,15}$/.test(String(value));
  return isDigits ? Number(value) : undefined;
}

/** The member that a `profileid` names (numeric id or UUID), or undefined where it names none. */
export async function findMember({ members }: Pick<MembersContext, 'members'>, profileid: unknown) {
  const id = numericId(profileid);
  if (id !== undefined) return members.store.byId(id);
  return typeof profileid === 'string' && uuid.safeParse(profileid).success
    ? members.store.byUuid(profileid.toLowerCase())
    : undefined;
}

/** The members that a number and a `profileid` name: in one query where that is a number, too. */
export async function findTwo(context: Pick<MembersContext, 'members'>, id: number, profileid: unknown) {
  const { store } = context.members;
  const other = numericId(profileid);
  if (other === undefined) return Promise.all([store.byId(id), findMember(context, profileid)]);
  const found = await store.byIds([id, other]);
  const named = (number: number) => found.find(({ _id }) => _id === number);
  return [named(id), named(other)] as const;
}

/** Maps members. A member for whom `map` throws is logged and listed in `broken`; the others are mapped all the same. */
export function mapMembers<Result>(
  members: readonly Member[],
  map: (member: Member) => Result,
  logger: Logger,
): { results: Result[]; broken: number[] } {
  const results: Result[] = [];
  const broken: number[] = [];
  for (const member of members) {
    try {
      results.push(map(member));
    } catch (error) {
      broken.push(member._id);
      logger.error(
        { err: error, member: member._id },
        'a member was left out: its record cannot be rendered',
      );
    }
  }
  return { results, broken };
}
