import { z } from 'zod';
import { clientKeys } from '../accounts/client-keys.ts';
import { isPasswordHash } from '../accounts/password-hash.ts';
import { digestKinds } from '../notifications/kinds.ts';
import { associatedApps } from './associated-apps.ts';
import { slowCallMs, type Exchange } from './exchange.ts';

/** Verifies the credentials of a client application. 403 without code if they are wrong. */
export const verifyClient = {
  path: '/internal/clients/verify',
  callers: ['profile'],
  input: z.object({ client_id: z.string(), client_secret: z.string() }),
  output: z.object({ client_id: z.string(), redirect_uri: z.string() }),
} as const satisfies Exchange;

/** An address that a payment page sends the browser back to. */
export const returnUrl = z.url({ protocol: /^https?$/ }).max(2_048);

/** Whether the browser may be sent from a payment page to these addresses: their origins are those of the client's pages. */
export const checkReturns = {
  path: '/internal/clients/returns',
  callers: ['billing'],
  input: z.object({ client_id: z.string(), urls: z.array(returnUrl).min(1).max(5) }),
  output: z.object({ allowed: z.boolean() }),
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
 * Checks credentials without storing them: 10201 password rules, 10101 and 10302 taken. Names are looked up only if the
 * password is valid and `look_up_names` is true: a request that fails anyway must not disclose who is registered. The names
 * of `member_id` are not taken.
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
 * Claims username and email and stores the password's hash; pending until confirmed. Idempotent by member_id. 403 with
 * 10201, or with 10101 and 10302 if the password is valid.
 */
export const reserveAccount = {
  path: '/internal/accounts/reserve',
  callers: ['profile'],
  input: z.object({
    member_id: z.uuid(),
    id: z.int().positive(),
    ...credentials,
    /** The client's address. Passwords from one address are hashed one at a time. */
    address: z.string().optional(),
    /** The email address is proven, so no mail confirms it. */
    email_confirmed: z.boolean().default(false),
  }),
  /** The number of the stored account, which a repeated call keeps. */
  output: z.object({ id: z.int().positive() }),
} as const satisfies Exchange;

/** Confirms that the member exists: enables sign-in and mails a link that confirms the address. Idempotent. */
export const confirmAccount = {
  path: '/internal/accounts/confirm',
  callers: ['profile'],
  input: z.object({ member_id: z.uuid(), locale: z.string().optional() }),
  output: z.object({}),
} as const satisfies Exchange;

/** Issues an authorization code for a new member. */
export const issueCode = {
  path: '/internal/codes',
  callers: ['profile'],
  input: z.object({
    member_id: z.uuid(),
    client_id: z.string(),
    /** The app's device, for the list of sign-ins. */
    platform: z.string().optional(),
    device_name: z.string().optional(),
  }),
  output: z.object({ code: z.string() }),
} as const satisfies Exchange;

const usernameOfMember = { member_id: z.uuid(), username: z.string() };

/** Reserves a new username for the member until it is applied. 403 with 10101. */
export const claimUsername = {
  path: '/internal/accounts/claim-username',
  callers: ['profile'],
  input: z.object(usernameOfMember),
  output: z.object({}),
} as const satisfies Exchange;

/** Makes the claimed username the login name and releases the old one. */
export const applyUsername = {
  path: '/internal/accounts/apply-username',
  callers: ['profile'],
  input: z.object(usernameOfMember),
  output: z.object({}),
} as const satisfies Exchange;

/**
 * Claims a new email address. Opening its link applies it and ends every sign-in except `family`. The current address
 * withdraws the claim. `sign_in` says how and when the caller signed in. 403 with 20502.
 */
export const changeEmail = {
  path: '/internal/accounts/change-email',
  callers: ['profile'],
  input: z.object({
    member_id: z.uuid(),
    email: z.string(),
    family: z.string().optional(),
    sign_in: z.object({ methods: z.array(z.string()), at: z.int() }).optional(),
  }),
  output: z.object({}),
} as const satisfies Exchange;

/** Reads the email address, a pending new one, and whether the member has ever confirmed one. */
export const readEmail = {
  path: '/internal/accounts/emails',
  callers: ['profile'],
  input: z.object({ member_id: z.uuid() }),
  output: z.object({
    email: z.string(),
    pending_email: z.string().optional(),
    /** Former addresses that can still revert their change. */
    protected_emails: z.array(z.string()).optional(),
    confirmed: z.boolean(),
  }),
} as const satisfies Exchange;

/** Ends every refresh token, family and browser session of a member; admission refuses the access tokens. Idempotent. */
export const endSessions = {
  path: '/internal/sessions/end',
  callers: ['profile'],
  input: z.object({ member_id: z.uuid() }),
  output: z.object({}),
} as const satisfies Exchange;

/** Mails that the profile was deleted, and for how many days it can be restored. Not idempotent. */
export const notifyDeletion = {
  path: '/internal/accounts/notify-deletion',
  callers: ['profile'],
  input: z.object({ member_id: z.uuid(), days: z.int().positive() }),
  output: z.object({}),
} as const satisfies Exchange;

/**
 * Mails how much is new for a member since the last digest, once for each `due`, to a confirmed address only. Idempotent.
 */
export const sendDigest = {
  path: '/internal/accounts/send-digest',
  callers: ['profile'],
  input: z.object({
    member_id: z.uuid(),
    due: z.iso.datetime(),
    locale: z.string(),
    counts: z.partialRecord(z.enum(digestKinds), z.int().positive()),
  }),
  output: z.object({}),
} as const satisfies Exchange;

/**
 * Imports accounts in bulk, pending until `confirmImported`. Existing accounts (by member_id) keep their data and `id`. A
 * `password_hash` is argon2id or bcrypt; without one the member must choose a password by mail.
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
    /** The accounts that exist now, each with its stored id. */
    accounts: z.array(z.object({ member_id: z.uuid(), id: z.int().positive() })),
    /** The accounts whose username (10101) or email (10302) is taken. */
    refused: z.array(z.object({ member_id: z.uuid(), failcode: z.array(z.int()) })),
  }),
} as const satisfies Exchange;

/** Enables sign-in for imported accounts whose members exist. Idempotent. */
export const confirmImported = {
  path: '/internal/accounts/import/confirm',
  callers: ['profile'],
  timeoutMs: slowCallMs,
  input: z.object({ member_ids: z.array(z.uuid()).max(1_000) }),
  output: z.object({}),
} as const satisfies Exchange;

const clientSettings = {
  /** Whether each sign-in needs a PKCE challenge; clients without a secret always do. */
  require_pkce: z.boolean(),
  /** Seconds for which a used refresh token returns the same new pair again. */
  refresh_grace_seconds: z.int().min(0).max(120),
  /** Seconds from the sign-in to the end of its refresh tokens; null: no end. By default a year for a public client. */
  refresh_lifetime_seconds: z.int().min(60).max(315_360_000).nullable(),
  /** Whether tokens are issued only with a DPoP proof (RFC 9449, 5.2). */
  dpop_bound_access_tokens: z.boolean(),
  ...associatedApps,
  /** Addresses that browsers return to after a sign-out; compared like redirect URIs. */
  post_logout_redirect_uris: z.array(z.url()).max(20),
};

/** Default settings of a client application; the default lifetime depends on its kind. */
export const clientDefaults = {
  require_pkce: false,
  refresh_grace_seconds: 10,
  dpop_bound_access_tokens: false,
  android_app: null,
  ios_app: null,
  post_logout_redirect_uris: [],
} as const;

/**
 * Registers a client application. The secret cannot be read again; a public client, which cannot keep one, has none (RFC 6749,
 * 2.1). 403 for a redirect URI that `redirectUriProblem` names, and for an id that is taken.
 */
export const createClient = {
  path: '/internal/clients/create',
  callers: ['operator'],
  input: z.object({
    /** Chosen by an installation that has to know it before; otherwise a new one. */
    client_id: z.uuid().optional(),
    name: z.string().min(1).max(100),
    redirect_uris: z.array(z.url()).min(1),
    /** With `public`, the console: its tokens are bound to a key. */
    staff: z.boolean().default(false),
    public: z.boolean().default(false),
    /** A client of FAPI 2.0, neither of staff nor public, authenticates with one of these keys instead of a secret. */
    fapi_keys: clientKeys.optional(),
    ...z.object(clientSettings).partial().shape,
  }),
  output: z.object({ client_id: z.uuid(), client_secret: z.string().optional() }),
} as const satisfies Exchange;

const listedClient = z.object({
  client_id: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  staff: z.boolean(),
  public: z.boolean(),
  fapi: z.boolean(),
  disabled: z.boolean(),
  /** Ids of its secrets, oldest first; none of a public client. */
  secrets: z.array(z.string()),
  ...clientSettings,
});

/** A client application in the list. */
export type ListedClient = z.output<typeof listedClient>;

/** Lists every client application, oldest first, without secrets. */
export const listClients = {
  path: '/internal/clients/list',
  callers: ['operator'],
  input: z.object({}),
  output: z.object({ clients: z.array(listedClient) }),
} as const satisfies Exchange;

/** Replaces the redirect URIs. 404 for an unknown client. */
export const setRedirects = {
  path: '/internal/clients/redirects',
  callers: ['operator'],
  input: z.object({ client_id: z.string(), redirect_uris: z.array(z.url()).min(1) }),
  output: z.object({}),
} as const satisfies Exchange;

/** Changes settings. 404 for an unknown client. */
export const setClientSettings = {
  path: '/internal/clients/settings',
  callers: ['operator'],
  input: z.object({ client_id: z.string(), ...z.object(clientSettings).partial().shape }),
  output: z.object({}),
} as const satisfies Exchange;

/** Adds a second secret, which cannot be read again. 403 if the client has two or is public, 404 for an unknown client. */
export const addSecret = {
  path: '/internal/clients/secret',
  callers: ['operator'],
  input: z.object({ client_id: z.string() }),
  output: z.object({ client_secret: z.string(), secret_id: z.string() }),
} as const satisfies Exchange;

/**
 * Revokes one of a client's two secrets, by default the older one. 403 if it has only one or none with this id, 404 for an
 * unknown client.
 */
export const retireSecret = {
  path: '/internal/clients/retire-secret',
  callers: ['operator'],
  input: z.object({ client_id: z.string(), secret_id: z.string().optional() }),
  output: z.object({ secret_id: z.string() }),
} as const satisfies Exchange;

/** Disables or enables a client. Idempotent. 404 for an unknown client. */
export const disableClient = {
  path: '/internal/clients/disable',
  callers: ['operator'],
  input: z.object({ client_id: z.string(), disabled: z.boolean() }),
  output: z.object({}),
} as const satisfies Exchange;

/** Adds a signing key, which is used after one minute. Older keys still verify. */
export const rotateKeys = {
  path: '/internal/keys/rotate',
  callers: ['operator'],
  input: z.object({}),
  output: z.object({ kid: z.string() }),
} as const satisfies Exchange;

/** Lists the valid signing keys; the one that signs is first. */
export const listKeys = {
  path: '/internal/keys/list',
  callers: ['operator'],
  input: z.object({}),
  output: z.object({
    keys: z.array(z.object({ kid: z.string(), active_from: z.iso.datetime(), signing: z.boolean() })),
  }),
} as const satisfies Exchange;
