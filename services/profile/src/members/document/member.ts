import type { PushCapability } from '@covalence/contract/push-address';
import type { PushType } from '@covalence/contract/push-types';
import type { StoredValue } from '@covalence/contract/catalogue/check-value';
import type { MembershipStatus, photoStatuses, UserStatus } from '@covalence/contract/record';
import type { WithOutbox } from '@covalence/events/outbox';
import type { NotificationChoices } from './notification-choices.ts';

/** The stored files of a photo, and its caption. */
export interface HeldPhoto {
  readonly id: number;
  /** The beginning of the names of its files. */
  readonly stem: string;
  /** With its dot, e.g. `.jpg`. */
  readonly extension: string;
  /** Edge lengths in pixels of the files that exist. */
  readonly sizes: readonly number[];
  readonly caption?: string;
}

/** The part of a photo that decisions and reports keep. */
export function heldFrom({ id, stem, extension, sizes, caption }: HeldPhoto): HeldPhoto {
  return { id, stem, extension, sizes, ...(caption !== undefined && { caption }) };
}

/** Actions of staff on a member. */
export type StaffAction = 'approve' | 'reject' | 'suspend' | 'unsuspend' | 'delete' | 'undelete';

type DecisionAction =
  | StaffAction
  | `${'approve' | 'reject'}-${'text' | 'photo'}`
  | 'close-report'
  | 'reopen-report'
  | 'keep-report-closed'
  | 'view-evidence'
  | 'find-member'
  | 'view-member'
  | 'dismiss-signals'
  | 'undo'
  | 'grant-appeal'
  | 'refuse-appeal'
  | 'ban'
  | 'unban';

/** The statement of reasons that a member receives for a restricting decision. */
export interface Statement {
  /** The saved reason. */
  readonly ground: string;
  readonly basis: 'terms' | 'law';
  /** The clause of the terms, or the law. */
  readonly clause?: string;
  /** The reason in the language of the member. */
  readonly text: string;
  /** The facts that staff wrote for the member. */
  readonly facts?: string;
  /** Whether a report led to it, and whether a program pointed it out. */
  readonly reported: boolean;
  readonly detected: boolean;
  /** The kind of misuse, for the transparency report. */
  readonly misuse?: 'illegal_content' | 'notices' | 'appeals';
  /** Until when the address, the devices and the photos are banned, and whether on every site. */
  readonly ban_until?: Date;
  readonly everywhere?: boolean;
}

/** Content that a decision rejected; staff can read it until retention ends. */
export interface Rejected {
  readonly since: Date;
  readonly text?: string;
  readonly photo?: HeldPhoto;
}

/** An account that staff deleted, after its erasure. */
export interface ClosedAccount {
  readonly member_id: string;
  readonly siteid: number;
  /** The language of the answer to an appeal. */
  readonly locale: string;
  readonly until: Date;
}

/** One entry of a member's history: who did what, when and why. */
export interface Decision {
  /** UUIDv7; a decision is logged once under it. */
  readonly id: string;
  readonly member: number;
  readonly staff: string;
  /** The second person, where one had to approve it. */
  readonly approved_by?: string;
  readonly action: DecisionAction;
  readonly at: Date;
  readonly reason?: string;
  /** The saved reason that it is the text of. */
  readonly reason_id?: string;
  /** The program that pointed staff to it. */
  readonly detection?: 'contact_data' | 'ban_list' | 'scam_signals';
  /** The field of a text; of `find-member` what the member was found by. */
  readonly field?: string;
  readonly photo?: number;
  readonly report?: string;
  readonly evidence?: string;
  /** Of `undo`, `undelete`, `grant-appeal` and `reopen-report`: the decision that was taken back. */
  readonly undoes?: string;
  /** Of `grant-appeal` and `reopen-report`: nothing that the decision did was in force any more. */
  readonly ineffective?: true;
  /** Of an approval: the entries of the ban list that it still has to remove, unless they are renewed meanwhile. */
  readonly unbans?: readonly BanVersion[];
  /** Of a deletion whose member is erased: what an appeal still needs, and until when it is kept. */
  readonly closed?: ClosedAccount;
  readonly rejected?: Rejected;
  readonly statement?: Statement;
  /** When to notify by mail; absent afterwards. */
  readonly tell_at?: Date;
  /** When members who wrote with this one are warned of the fraud; absent once they were. */
  readonly warn_at?: Date;
  /** The userstatus or the photo's status before and after, where it changed. */
  readonly before?: string;
  readonly after?: string;
}

/** A device that takes push messages (POST /webpush, POST /devices). */
export interface PushSubscription {
  /** Hash of the endpoint, by which a device is found. */
  readonly id: string;
  /** The address of a browser's push service, or of an app. */
  readonly endpoint: string;
  /** A browser's public key and secret, web-safe base64. */
  readonly p256dh?: string | undefined;
  readonly auth?: string | undefined;
  readonly types: readonly PushType[];
  readonly locale?: string | undefined;
  readonly capabilities?: readonly PushCapability[] | undefined;
  /** The sign-in that asked for it, and with which it ends. */
  readonly family?: string | undefined;
  readonly added_at: Date;
}

/** push_ids of the record: those of older apps, and the member's UUID while any device takes push messages. */
export function pushIdsOf({
  member_id,
  legacy_push_ids = [],
  push_subscriptions: devices,
}: Member): string[] {
  return [...legacy_push_ids, ...(devices?.length ? [member_id] : [])];
}

/** Contact data that leads away from the service. */
export type ContactKind = 'email' | 'phone' | 'link' | 'handle';

/** A stored value of a catalogue field; an unset field is absent. */
export type FieldValue = Exclude<StoredValue, null>;

/** A member's catalogue fields by canonical name. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

/** Fields whose later changes wait beside the current text until they are reviewed. */
export type ModeratedField = 'headline' | 'about_me' | 'city' | 'username';

/** An entry of the ban list; a renewal changes when it expires. */
export interface BanVersion {
  readonly id: string;
  readonly expires_at: Date;
}

/** A match of the ban list. Until staff approve it, only its member sees the profile or photo, who must not notice. */
export interface Suspicion {
  readonly suspected?: true;
  /** The entries that matched. */
  readonly ban_matches?: readonly string[];
}

/** One photo of a member. */
export interface Photo extends HeldPhoto, Suspicion {
  readonly status: (typeof photoStatuses)[number];
  readonly primary: boolean;
  /** Rank among the member's photos; the primary one comes first. */
  readonly order: number;
  readonly added_at: Date;
  /** Seen only by members whom the owner shares photos with and who accept; never primary. Fixed at upload. */
  readonly private?: boolean;
  /** Pixels of the upright image as it was uploaded. */
  readonly width?: number;
  readonly height?: number;
  readonly blurhash?: string;
  readonly color?: string;
}

/** The name in a photo's public address. It does not reveal the stem, and is never reused. */
export interface PublicPhoto {
  readonly photo: number;
  readonly name: string;
}

/** The paid membership as billing last sent it; `version` orders the updates. */
interface Membership {
  readonly status: MembershipStatus;
  readonly autorenew: boolean;
  readonly expires_at: Date | null;
  readonly version: number;
}

/** Reviews of a member that wait: start by kind, and whether contact data, a banned address, device or photo, or scam signals were found. */
export interface Waiting {
  readonly profile?: Date;
  readonly text?: Date;
  readonly photo?: Date;
  readonly flagged?: boolean;
}

/** One member; a suspicion is that of the email address or a device. Every change raises `version`; the search index and all consumers order by it. */
export interface Member extends WithOutbox, Suspicion {
  readonly _id: number;
  readonly member_id: string;
  readonly siteid: number;
  readonly version: number;
  readonly joined: Date;
  /** Kinds of what the ban list matched; absent without a match. */
  readonly matched_by?: readonly ('email' | 'device')[];
  /** Keys of the entries of the ban list that staff cleared the member of: they match no more until they are renewed. */
  readonly cleared_bans?: readonly string[] | undefined;
  readonly userstatus: UserStatus;
  readonly fields: FieldValues;
  /** Texts that wait for review, by field. */
  readonly pending: Partial<Readonly<Record<ModeratedField, string>>>;
  /** Approved free-text answers, which others read. `fields` has the latest text, which waits for review while it differs. */
  readonly approved_answers?: Readonly<Record<string, string>>;
  /** Names of the place fields that were sent with, or after, the city that waits for review. */
  readonly pending_place?: readonly string[];
  /** Contact data in texts, waiting or current, that nobody has reviewed yet, by field. */
  readonly flags?: Readonly<Record<string, ContactKind[]>>;
  /** Since when staff are to look at signals of a scam, of which the member must not know. */
  readonly scam_signals_at?: Date | undefined;
  /** Since when staff are to look at the measure that the points of the member propose. */
  readonly strikes_at?: Date | undefined;
  /** Reviews that wait; the store derives them with every write. */
  readonly waiting?: Waiting;
  /** Decisions that the history does not have yet. */
  readonly unlogged?: readonly Decision[];
  readonly photos: readonly Photo[];
  /** Public photos with their names; the store derives them with every write. */
  readonly public_photos?: readonly PublicPhoto[];
  /** Whether the member was visible, and then hidden, at any time before; the store derives it with every write. */
  readonly was_hidden?: true;
  readonly membership: Membership;
  /** `last_seen` is copied from Redis at most every five minutes; `offline` is the member's own setting. */
  readonly presence: { readonly last_seen: Date | null; readonly offline: boolean };
  /** The share of others' advances that the member answers, as last counted. No member reads it. */
  readonly answering?: { readonly rate: number; readonly at: Date };
  readonly deactivated: boolean;
  readonly suspended: boolean;
  readonly deleted: boolean;
  /** Tokens issued before this time are revoked. */
  readonly tokens_ended_at?: Date;
  /** When admission last changed. For a token's lifetime after it, a job keeps the flag in Redis equal. */
  readonly deactivation_changed_at?: Date;
  readonly erase_at?: Date;
  /** While staff have deleted the member: `erase_at` of the member's own deletion before, which an undo restores. */
  readonly own_erase_at?: Date;
  /** An id of GET /reasons/profile/delete. */
  readonly reason_id?: number;
  /** The country before the last move, whose prices hold for some time, and when that was. */
  readonly moved?: { readonly from: string; readonly at: Date } | undefined;
  readonly changes: { readonly gender: number; readonly date_of_birth: number };
  /** Devices that take push messages, the newest last (`push_ids`). */
  readonly push_subscriptions?: readonly PushSubscription[];
  /** Ids of the devices to ban; kept while the member is suspended or deleted, because that ends the sign-ins and so their devices. */
  readonly banned_devices?: readonly string[];
  /** Push ids that older apps recorded, the newest last; nothing is sent to them. */
  readonly legacy_push_ids?: readonly string[];
  /** The member's notification settings. */
  readonly notifications?: NotificationChoices;
  /** When the next digest is due, and since when it counts. */
  readonly digest_due?: { readonly at: Date; readonly since: Date };
  /** Digests of the parameters that an import stated last, by parameter. */
  readonly import_digests?: Readonly<Record<string, string>>;
  readonly affiliateid?: string;
  readonly subid?: string;
}
