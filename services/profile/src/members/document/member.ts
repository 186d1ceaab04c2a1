import type { StoredValue } from '@covalence/contract/catalogue/check-value';
import type { MembershipStatus, photoStatuses, UserStatus } from '@covalence/contract/record';
import type { WithOutbox } from '@covalence/events/outbox';
import type { Decision } from './decision.ts';
import type { PushSubscription } from './push-subscription.ts';

/** Contact data that leads away from the service. */
export type ContactKind = 'email' | 'phone' | 'link' | 'handle';

/** A stored value of a catalogue field; an unset field is absent. */
export type FieldValue = Exclude<StoredValue, null>;

/** A member's catalogue fields by canonical name. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

/** Fields whose later changes wait beside the current text until they are reviewed. */
export type ModeratedField = 'headline' | 'about_me' | 'city' | 'username';

/** One photo of a member: its files are named by `photo-files.ts` of the contract. */
export interface Photo {
  readonly id: number;
  readonly stem: string;
  /** With its dot, e.g. `.jpg`. */
  readonly extension: string;
  /** Edge lengths in pixels of the files that exist. */
  readonly sizes: readonly number[];
  readonly status: (typeof photoStatuses)[number];
  readonly primary: boolean;
  /** Place among the member's photos; the primary one comes first. */
  readonly order: number;
  readonly added_at: Date;
  /** Seen only by those whom the owner shares with and who accept it; never primary. Settled at upload. */
  readonly private?: boolean;
  /** What the member wrote beside it. */
  readonly caption?: string;
  /** Pixels of the upright image as it was uploaded. */
  readonly width?: number;
  readonly height?: number;
  /** What a client may show while the photo loads. */
  readonly blurhash?: string;
  /** Dominant color, `#rrggbb`. */
  readonly color?: string;
}

/** The name that everybody fetches a photo by. It says nothing of the photo's stem, and never comes again once it is dropped. */
export interface PublicPhoto {
  readonly photo: number;
  readonly name: string;
}

/** The paid membership as billing last told it; `version` orders what billing tells. */
export interface Membership {
  readonly status: MembershipStatus;
  readonly autorenew: boolean;
  readonly expires_at: Date | null;
  readonly version: number;
}

/** What Customer Service has to review of a member: since when, by kind, and whether contact data was found. */
export interface Waiting {
  readonly profile?: Date;
  readonly text?: Date;
  readonly photo?: Date;
  readonly flagged?: boolean;
}

/** One member. Every change raises `version`; the search index and all consumers order by it. */
export interface Member extends WithOutbox {
  readonly _id: number;
  readonly member_id: string;
  readonly siteid: number;
  readonly version: number;
  readonly joined: Date;
  readonly userstatus: UserStatus;
  readonly fields: FieldValues;
  /** Texts of these fields that wait for review. */
  readonly pending: Partial<Readonly<Record<ModeratedField, string>>>;
  /**
   * Answers in own words as they were approved, by field: what others read. `fields` has the latest text, which waits for
   * review while it is another one. Absent in documents of versions before, whose texts nobody has reviewed.
   */
  readonly approved_answers?: Readonly<Record<string, string>>;
  /** Names of the parts of a place that came with, or after, the city that waits. */
  readonly pending_place?: readonly string[];
  /** Contact data found in texts, waiting or current, that no person has looked at yet, by field. */
  readonly flags?: Readonly<Record<string, readonly ContactKind[]>>;
  /** What Customer Service has to look at; the store derives it with every write. */
  readonly waiting?: Waiting;
  /** Decisions that are not in the history yet (decision-store.ts). */
  readonly unlogged?: readonly Decision[];
  readonly photos: readonly Photo[];
  /** Photos that everybody may fetch, with their names; the store derives them with every write. */
  readonly public_photos?: readonly PublicPhoto[];
  readonly membership: Membership;
  /** `last_seen` is copied from Redis at most every five minutes; `offline` is the member's own setting. */
  readonly presence: { readonly last_seen: Date | null; readonly offline: boolean };
  readonly deactivated: boolean;
  readonly suspended: boolean;
  readonly deleted: boolean;
  /** Tokens issued before are over: the last suspension. */
  readonly tokens_ended_at?: Date;
  /** When what admission says last changed: for a token's lifetime after it the flag in Redis is kept equal. */
  readonly deactivation_changed_at?: Date;
  /** When everything of a deleted member is erased. */
  readonly erase_at?: Date;
  /** An id of GET /reasons/profile/delete. */
  readonly reason_id?: number;
  /** Changes made since registration. */
  readonly changes: { readonly gender: number; readonly date_of_birth: number };
  /** Devices that take push messages, the newest last (`push_ids`). */
  readonly push_subscriptions?: readonly PushSubscription[];
  /** Where the member came from. */
  readonly affiliateid?: string;
  readonly subid?: string;
}
