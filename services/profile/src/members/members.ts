import type { Peer } from '@covalence/http/peer';
import type { Site, Sites } from '@covalence/contract/sites';
import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { Metrics } from '@covalence/runtime/metrics';
import type { SecurityLog } from '@covalence/runtime/security-events';
import type { Redis } from 'ioredis';
import type { AffiliatesContext } from '../affiliates/affiliates.ts';
import type { Member } from './document/member.ts';
import { createKeyedQueue, type KeyedQueue } from './keyed-queue.ts';
import { createShownPosition, type ShownPosition } from './places/shown-position.ts';
import { createHourlyLimitStore, type HourlyLimitStore } from './store/hourly-limit-store.ts';
import { createIdStore, type IdStore } from './store/id-store.ts';
import { createMemberStore, type MemberStore, type StoreOptions } from './store/member-store.ts';
import { createPresenceStore, type PresenceStore } from './store/presence-store.ts';

/** A member record as it is sent. */
export type MemberRecord = { id: number } & Record<string, unknown>;

/** The e-mail addresses in a member's own record: the one in force, and the one that waits to be confirmed. */
export interface OwnAddresses {
  readonly email: string;
  readonly pending_email?: string | null | undefined;
}

/** Renders a member's own record; asks the auth service for the addresses unless they are given. */
export type RenderOwnRecord = (member: Member, addresses?: OwnAddresses) => Promise<MemberRecord>;

/** What operations on members work with. */
export interface Members {
  readonly store: MemberStore;
  readonly ids: IdStore;
  readonly presence: PresenceStore;
  readonly shownPosition: ShownPosition;
  /** How often something may happen in an hour: e-mails and usernames by member, the others by client address. */
  readonly limits: Readonly<
    Record<'emails' | 'usernames' | 'registrations' | 'takenNames', HourlyLimitStore>
  >;
  /** Look-ups of usernames and e-mail addresses, one at a time for each client address. */
  readonly nameLookUps: KeyedQueue;
  readonly ownRecord: RenderOwnRecord;
}

/** What operations on members receive. */
export interface MembersContext extends AffiliatesContext {
  readonly sites: Sites;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly security: SecurityLog;
  readonly auth: Peer<'auth'>;
  readonly billing: Peer<'billing'>;
  readonly members: Members;
}

/** What createMembers needs beside the options of a store. */
export interface MembersOptions extends StoreOptions {
  readonly redis: Redis;
  readonly namespace: string;
  readonly config: {
    readonly POSITION_SECRET: string;
    readonly EMAILS_PER_HOUR: number;
    readonly USERNAMES_PER_HOUR: number;
    readonly REGISTRATIONS_PER_HOUR: number;
    readonly TAKEN_NAMES_PER_HOUR: number;
  };
  readonly ownRecord: RenderOwnRecord;
}

/** Creates the stores and limits of the members. */
export function createMembers({ redis, namespace, config, ownRecord, ...options }: MembersOptions): Members {
  const hourly = (name: string, perHour: number) => createHourlyLimitStore(redis, namespace, name, perHour);
  return {
    store: createMemberStore(options),
    ids: createIdStore(options.connection),
    presence: createPresenceStore(redis, namespace, options.logger),
    shownPosition: createShownPosition(config.POSITION_SECRET),
    limits: {
      emails: hourly('emails', config.EMAILS_PER_HOUR),
      usernames: hourly('usernames', config.USERNAMES_PER_HOUR),
      registrations: hourly('registrations', config.REGISTRATIONS_PER_HOUR),
      takenNames: hourly('taken-names', config.TAKEN_NAMES_PER_HOUR),
    },
    nameLookUps: createKeyedQueue(),
    ownRecord,
  };
}

/** Whether two sites are of one group, whose members see each other (`from_world_plus`). */
export function sameGroup(one: Site | undefined, other: Site | undefined): boolean {
  return one !== undefined && one.group === other?.group;
}

/** The site of a member. The sites file has every site that members were registered on. */
export function siteOf({ sites }: Pick<MembersContext, 'sites'>, siteid: number): Site {
  const site = sites.get(siteid);
  if (!site) throw new Error(`site ${siteid} is not in the sites file`);
  return site;
}
