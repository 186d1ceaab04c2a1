import type { Addresses } from './emails/addresses.ts';

/** A mail that is to be sent, until it is. */
export interface Letter {
  readonly id: string;
  /** When it is given up. */
  readonly until: Date;
  readonly sealed: string;
}

/** The credentials of a member or a staff account; `email` is '' for staff. */
export interface Account extends Addresses {
  /** Member UUID, the subject of tokens. */
  readonly _id: string;
  /** Numeric member id; 0 for staff. */
  readonly id: number;
  /** 0 for staff. */
  readonly siteid: number;
  readonly username: string;
  /** A new username that waits for its approval; nobody signs in with it. */
  readonly pending_username?: string;
  /** Counts the changes of its addresses. */
  readonly email_revision?: number;
  /** argon2id, or bcrypt as it was imported; absent when the member has to choose a new password. */
  readonly password_hash?: string;
  /** `pending` until the member is known to exist. */
  readonly status: 'pending' | 'active';
  readonly staff: boolean;
  /** A staff account that may not sign in any more. */
  readonly disabled?: boolean;
  /** Of a pending one: when it was last reserved. */
  readonly created_at: Date;
  /** No member came of it: it is being removed, and nothing can be made of it any more. */
  readonly given_up_at?: Date;
  /** Whoever gave credentials before this moment has to give them again. */
  readonly signed_out_at?: Date;
  /** The language that the member told at registration, language_COUNTRY, if they did; currentLocale() says what it is now. */
  readonly locale?: string;
  /** Since when a mail that asks to confirm the e-mail address is due. */
  readonly mail_due_at?: Date;
  /** Mails that are to be sent, and since when the last of them is due. */
  readonly letters?: readonly Letter[];
  readonly letters_at?: Date;
}

/** What a change of addresses brings with it, in the same write. */
export interface AddressEffects {
  /** Mails that tell of it. */
  readonly letters?: readonly Letter[];
  /** The mail that asks to confirm an address is due. */
  readonly isConfirmationDue?: boolean;
  /** The password works no longer; the member has to choose another. */
  readonly withoutPassword?: boolean;
}

/** What a new password brings with it, in the same write. */
export interface PasswordEffects {
  readonly letters: readonly Letter[];
  /** The address in force is confirmed by it. */
  readonly confirms: boolean;
}

/** Since when mails of an account are due: the one that asks to confirm its address, or its letters. */
export type DueMail = 'mail_due_at' | 'letters_at';

/** Who holds a username or an e-mail address of a site, and since when. */
export interface Claim {
  /** `site:kind:key`, see claimId(). */
  readonly _id: string;
  readonly member_id: string;
  readonly at: Date;
  /** Of a plain Latin username: what it looks like, as skeletonId() writes it. Several names may share one. */
  readonly skeleton?: string | undefined;
}
