import { z } from 'zod';
import { isPasswordHash } from '../password-hash.ts';
import { slowCallMs, type Exchange } from './exchange.ts';

/** Credentials of a client application. 403 without code when they are wrong. */
export const verifyClient = {
  path: '/internal/clients/verify',
  callers: ['profile'],
  input: z.object({ client_id: z.string(), client_secret: z.string() }),
  output: z.object({ client_id: z.string(), redirect_uri: z.string() }),
} as const satisfies Exchange;

const credentials = {
  siteid: z.int().positive(),
  username: z.string(),
  email: z.string(),
  password: z.string(),
  /** The site's minimum length. */
  password_minimum: z.int(),
};

/**
 * What of these credentials would be refused, without keeping anything: 10201 password
 * rules, and 10101 and 10302 taken. Absent ones are not checked. Who has a name is looked up only where the password is
 * good, and not at all with `look_up_names: false`: a request that fails anyway must not tell who is registered. A name that
 * `member_id` has is not taken.
 */
export const checkAccount = {
  path: '/internal/accounts/check',
  callers: ['profile'],
  input: z
    .object({ ...credentials, member_id: z.uuid(), look_up_names: z.boolean() })
    .partial()
    .required({ siteid: true, password_minimum: true }),
  output: z.object({ failcode: z.array(z.int()) }),
} as const satisfies Exchange;

/**
 * Claims username and e-mail and keeps the password's hash; pending until confirmed.
 * Idempotent by member_id. 403 with 10201, or with 10101 and 10302 where the password is good.
 */
export const reserveAccount = {
  path: '/internal/accounts/reserve',
  callers: ['profile'],
  input: z.object({
    member_id: z.uuid(),
    id: z.int().positive(),
    ...credentials,
    /** The client's address as limits count it: passwords of one address wait for each other, not for those of others. */
    address: z.string().optional(),
  }),
  output: z.object({}),
} as const satisfies Exchange;

/**
 * The member exists, the account may sign in, and a mail asks to confirm the address, in
 * the member's `locale` if there is one. Idempotent.
 */
export const confirmAccount = {
  path: '/internal/accounts/confirm',
  callers: ['profile'],
  input: z.object({ member_id: z.uuid(), locale: z.string().optional() }),
  output: z.object({}),
} as const satisfies Exchange;

/** An authorization code for a member just registered. */
export const issueCode = {
  path: '/internal/codes',
  callers: ['profile'],
  input: z.object({ member_id: z.uuid(), client_id: z.string() }),
  output: z.object({ code: z.string() }),
} as const satisfies Exchange;

const usernameOfMember = { member_id: z.uuid(), username: z.string() };

/** Keeps a new username for the member until it is applied. 403 with 10101. */
export const claimUsername = {
  path: '/internal/accounts/claim-username',
  callers: ['profile'],
  input: z.object(usernameOfMember),
  output: z.object({}),
} as const satisfies Exchange;

/** The claimed username becomes the login name; the old one is freed. */
export const applyUsername = {
  path: '/internal/accounts/apply-username',
  callers: ['profile'],
  input: z.object(usernameOfMember),
  output: z.object({}),
} as const satisfies Exchange;

/**
 * Claims a new e-mail, which is applied when its own link is opened and ends every
 * sign-in of the member then but the one that `family` names. The current one withdraws it. 403 with 20502.
 */
export const changeEmail = {
  path: '/internal/accounts/change-email',
  callers: ['profile'],
  input: z.object({ member_id: z.uuid(), email: z.string(), family: z.string().optional() }),
  output: z.object({}),
} as const satisfies Exchange;

/**
 * A member's e-mail address, the one that waits to be confirmed, and whether the member has
 * ever confirmed one.
 */
export const readEmail = {
  path: '/internal/accounts/emails',
  callers: ['profile'],
  input: z.object({ member_id: z.uuid() }),
  output: z.object({
    email: z.string(),
    pending_email: z.string().optional(),
    // Of an auth service of the version before, nothing is known of the confirmation: it keeps nobody from writing.
    confirmed: z.boolean().default(true),
  }),
} as const satisfies Exchange;

/**
 * Every refresh token, family and browser session of a member is over; access tokens
 * end at admission. Idempotent; a member without account has none.
 */
export const endSessions = {
  path: '/internal/sessions/end',
  callers: ['profile'],
  input: z.object({ member_id: z.uuid() }),
  output: z.object({}),
} as const satisfies Exchange;

/**
 * A mail says that the profile was deleted and for how many days it can be brought
 * back. Repeated, it is sent again.
 */
export const notifyDeletion = {
  path: '/internal/accounts/notify-deletion',
  callers: ['profile'],
  input: z.object({ member_id: z.uuid(), days: z.int().positive() }),
  output: z.object({}),
} as const satisfies Exchange;

/**
 * Accounts in bulk (`pnpm covalence members import`, the seed), pending until /confirm, so that one
 * whose member never comes is given up. Those already there by member_id are left as they are, and keep their `id`. A
 * `password_hash` is argon2id or bcrypt; without one the member has to choose a password by mail.
 */
export const importAccounts = {
  path: '/internal/accounts/import',
  callers: ['profile'],
  timeoutMs: slowCallMs,
  input: z.object({
    accounts: z
      .array(
        z.object({
          member_id: z.uuid(),
          id: z.int().positive(),
          siteid: z.int().positive(),
          username: z.string(),
          email: z.string(),
          password_hash: z.string().refine(isPasswordHash).optional(),
          /** The language of mails, language_COUNTRY. */
          locale: z.string().optional(),
        }),
      )
      .max(1_000),
  }),
  output: z.object({
    /** Those that are there now, with the numeric id that each is kept under. */
    accounts: z.array(z.object({ member_id: z.uuid(), id: z.int().positive() })),
    /** Those whose username (10101) or e-mail (10302) somebody else has. */
    refused: z.array(z.object({ member_id: z.uuid(), failcode: z.array(z.int()) })),
  }),
} as const satisfies Exchange;

/** The members of imported accounts exist; they may sign in. Idempotent. */
export const confirmImported = {
  path: '/internal/accounts/import/confirm',
  callers: ['profile'],
  timeoutMs: slowCallMs,
  input: z.object({ member_ids: z.array(z.uuid()).max(1_000) }),
  output: z.object({}),
} as const satisfies Exchange;

/** Settings of a client application. */
const clientSettings = {
  /** Whether each sign-in has to bring a PKCE challenge; clients without a secret need one in any case. */
  require_pkce: z.boolean(),
  /** Seconds that a used refresh token is answered with the pair it was exchanged for. */
  refresh_grace_seconds: z.int().min(0).max(120),
  /** Seconds after the sign-in at which its refresh tokens end, however much they are used; null: never. */
  refresh_lifetime_seconds: z.int().min(60).max(315_360_000).nullable(),
};

/** What those settings are where nothing is said. */
export const clientDefaults = {
  require_pkce: false,
  refresh_grace_seconds: 10,
  refresh_lifetime_seconds: null,
} as const;

/** Registers a client application; the secret is shown this once. */
export const createClient = {
  path: '/internal/clients/create',
  callers: ['operator'],
  input: z.object({
    name: z.string().min(1).max(100),
    redirect_uris: z.array(z.url()).min(1),
    staff: z.boolean().default(false),
    ...z.object(clientSettings).partial().shape,
  }),
  output: z.object({ client_id: z.uuid(), client_secret: z.string() }),
} as const satisfies Exchange;

const listedClient = z.object({
  client_id: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  staff: z.boolean(),
  disabled: z.boolean(),
  /** The ids of its secrets, the older one first. */
  secrets: z.array(z.string()),
  ...clientSettings,
});

/** A client application as the list shows it. */
export type ListedClient = z.output<typeof listedClient>;

/** Every client application, oldest first; secrets are kept nowhere. */
export const listClients = {
  path: '/internal/clients/list',
  callers: ['operator'],
  input: z.object({}),
  output: z.object({ clients: z.array(listedClient) }),
} as const satisfies Exchange;

/** Replaces the addresses that a client may come back to. 404 for an unknown client. */
export const setRedirects = {
  path: '/internal/clients/redirects',
  callers: ['operator'],
  input: z.object({ client_id: z.string(), redirect_uris: z.array(z.url()).min(1) }),
  output: z.object({}),
} as const satisfies Exchange;

/** Changes the settings that are given. 404 for an unknown client. */
export const setClientSettings = {
  path: '/internal/clients/settings',
  callers: ['operator'],
  input: z.object({ client_id: z.string(), ...z.object(clientSettings).partial().shape }),
  output: z.object({}),
} as const satisfies Exchange;

/**
 * A second secret beside the one in use, shown this once. 403 where the client has two already,
 * 404 for an unknown client.
 */
export const addSecret = {
  path: '/internal/clients/secret',
  callers: ['operator'],
  input: z.object({ client_id: z.string() }),
  output: z.object({ client_secret: z.string(), secret_id: z.string() }),
} as const satisfies Exchange;

/**
 * One of a client's two secrets is worth nothing from now on; the older one where no id
 * is given. 403 where it has only one or none with this id, 404 for an unknown client.
 */
export const retireSecret = {
  path: '/internal/clients/retire-secret',
  callers: ['operator'],
  input: z.object({ client_id: z.string(), secret_id: z.string().optional() }),
  output: z.object({ secret_id: z.string() }),
} as const satisfies Exchange;

/** Turns a client away, or lets it in again. Idempotent. 404 for an unknown client. */
export const disableClient = {
  path: '/internal/clients/disable',
  callers: ['operator'],
  input: z.object({ client_id: z.string(), disabled: z.boolean() }),
  output: z.object({}),
} as const satisfies Exchange;

/** A staff account; 403 when the username is taken, or the password not allowed. */
export const createStaff = {
  path: '/internal/staff/create',
  callers: ['staff-cli'],
  input: z.object({ username: z.string().min(1).max(100), password: z.string() }),
  output: z.object({ staff_id: z.uuid() }),
} as const satisfies Exchange;

/** Another password, which ends what the account was signed in with. 403 when it is not allowed, 404 for an unknown name. */
export const changeStaffPassword = {
  path: '/internal/staff/password',
  callers: ['staff-cli'],
  input: z.object({ username: z.string(), password: z.string() }),
  output: z.object({ staff_id: z.uuid() }),
} as const satisfies Exchange;

/** The staff accounts, by name; at most 1,000. */
export const listStaff = {
  path: '/internal/staff/list',
  callers: ['staff-cli'],
  input: z.object({}),
  output: z.object({
    staff: z.array(z.object({ staff_id: z.uuid(), username: z.string(), disabled: z.boolean() })),
  }),
} as const satisfies Exchange;

/** The account neither signs in nor refreshes, or does again. Idempotent. 404 for an unknown name. */
export const disableStaff = {
  path: '/internal/staff/disable',
  callers: ['staff-cli'],
  input: z.object({ username: z.string(), disabled: z.boolean() }),
  output: z.object({ staff_id: z.uuid() }),
} as const satisfies Exchange;

/**
 * An access token in the name of a staff account, for the command line; it lives for minutes and
 * cannot be refreshed. 404 for an unknown name and for a disabled account.
 */
export const issueStaffToken = {
  path: '/internal/staff/token',
  callers: ['staff-cli'],
  input: z.object({ username: z.string() }),
  output: z.object({ access_token: z.string() }),
} as const satisfies Exchange;

/** Adds a signing key, which takes over a minute later; older ones go on verifying. */
export const rotateKeys = {
  path: '/internal/keys/rotate',
  callers: ['operator'],
  input: z.object({}),
  output: z.object({ kid: z.string() }),
} as const satisfies Exchange;

/** The signing keys in force, the one that signs first. */
export const listKeys = {
  path: '/internal/keys/list',
  callers: ['operator'],
  input: z.object({}),
  output: z.object({
    keys: z.array(z.object({ kid: z.string(), active_from: z.iso.datetime(), signing: z.boolean() })),
  }),
} as const satisfies Exchange;
