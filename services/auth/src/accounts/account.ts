import type { RolesBySite } from '@covalence/contract/staff-roles';

/** A new email address that comes into force when the link mailed to it is opened. */
export interface PendingEmail {
  readonly email: string;
  readonly until: Date;
  /** Token family that asked for the change; it stays signed in when the change is applied. */
  readonly family?: string | undefined;
  /** The owner asked for it, with a passkey: no former address is protected from then on. */
  readonly by_owner?: boolean | undefined;
}

/** A former address. For its time it receives the mails for a new password, and its link reverts the change. */
export interface ProtectedEmail {
  /** Random id in the link. */
  readonly id: string;
  readonly email: string;
  readonly until: Date;
  /** When its link was used. From then on the link only leads to the choice of a password. */
  readonly reverted_at?: Date | undefined;
}

/** The email addresses of an account. */
export interface Addresses {
  /** The current address; '' for staff. */
  readonly email: string;
  readonly email_confirmed_at?: Date | undefined;
  readonly pending_email?: PendingEmail | undefined;
  /** Oldest first, at most `maxProtected`. */
  readonly protected_emails?: readonly ProtectedEmail[] | undefined;
}

/** A passkey: a WebAuthn credential that identifies its member by itself. Bytes are base64url. */
export interface Passkey {
  /** Credential id. */
  readonly id: string;
  /** COSE key. */
  readonly public_key: string;
  /** Signature counter at the last use; passkeys that are synced keep 0. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** Whether its provider can sync it to other devices, and whether it has. */
  readonly backup_eligible: boolean;
  readonly backed_up: boolean;
  /** As the member named it. */
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at?: Date | undefined;
}

/** An account at a provider that signs the member in. */
export interface Identity {
  /** Provider, site and the provider's `sub`: one account at a provider signs in one member of a site. */
  readonly id: string;
  /** A member has one account at a provider: "Continue with Apple" means one thing on the account page. */
  readonly provider: string;
  /** The address that the provider gave when it was linked. */
  readonly email?: string | undefined;
  readonly linked_at: Date;
  readonly last_used_at: Date;
}

/** An authenticator app: one-time codes by time (RFC 6238). */
export interface Totp {
  /** The key in base32, encrypted. */
  readonly secret: string;
  readonly added_at: Date;
  /** Time step of the last code that signed in; older codes are refused. */
  readonly last_step: number;
}

/** A recovery by mail, whose links open the account from a later time on: of an account with passkeys, or begun by customer service. */
export interface Recovery {
  /** Random id, which its links name. */
  readonly id: string;
  /** From when to when its links open the account. */
  readonly from: Date;
  readonly until: Date;
  /** Begun by customer service: it also removes the second factor, and no sign-in stops it. */
  readonly by_support?: boolean | undefined;
}

/** A mail that waits to be sent. */
export interface QueuedMail {
  readonly id: string;
  /** When it expires. */
  readonly until: Date;
  /** The encrypted content. */
  readonly sealed: string;
}

/** The credentials of a member or a staff account. */
export interface Account extends Addresses {
  /** Member UUID, the subject of tokens. */
  readonly _id: string;
  /** Numeric member id; 0 for staff. */
  readonly id: number;
  /** 0 for staff. */
  readonly siteid: number;
  readonly username: string;
  /** A new username that waits for approval; it does not sign in. */
  readonly pending_username?: string;
  /** Increases with every change of addresses. */
  readonly email_revision?: number;
  /** argon2id, or bcrypt when imported; absent while the member has to choose a password. */
  readonly password_hash?: string;
  /** Random id of the member in passkeys, set with the first one. */
  readonly passkey_user?: string;
  /** Oldest first, at most `maxPasskeys`. */
  readonly passkeys?: readonly Passkey[];
  /** Oldest first. */
  readonly identities?: readonly Identity[];
  readonly recovery?: Recovery;
  /** When a passkey was removed that delayed a recovery; it does so for the time of a delay still. */
  readonly settled_passkey_removed_at?: Date;
  /** `pending` until profile has the member. */
  readonly status: 'pending' | 'active';
  readonly staff: boolean;
  /** The app of the second factor; a member who has one has turned two-step sign-in on. */
  readonly totp?: Totp;
  /** Hashes of the recovery codes that are left. */
  readonly recovery_codes?: readonly string[];
  /** Staff only: its roles; without any it may do nothing. */
  readonly roles?: RolesBySite;
  /** Staff only: the password was generated for them, and works until then, to choose another one. */
  readonly initial_password_until?: Date;
  /** Staff only: the account cannot sign in. */
  readonly disabled?: boolean;
  /** When a pending account was last reserved. */
  readonly created_at: Date;
  /** When a pending account was found to have no member; it is being removed. */
  readonly abandoned_at?: Date;
  /** Credentials entered before this time are no longer valid. */
  readonly signed_out_at?: Date;
  /** When its owner got it back from somebody else: browsers that knew it before are strange. */
  readonly recovered_at?: Date;
  /** Locale given at registration, e.g. en_US; currentLocale() reads the current one. */
  readonly locale?: string;
  /** Since when a confirmation mail is due. */
  readonly mail_due_at?: Date;
  readonly queued_mails?: readonly QueuedMail[];
  /** Since when the last queued mail is due. */
  readonly mails_queued_at?: Date;
  /** When the last digest was due that was queued. */
  readonly digest_due?: Date;
}
