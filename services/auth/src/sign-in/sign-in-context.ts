import type { SecurityLog } from '@covalence/runtime/security-events';
import type { Request, Response } from 'express';
import type { AttemptsStore } from '../accounts/attempts-store.ts';
import type { EmailStore } from '../accounts/emails/email-store.ts';
import type { IdentityStore } from '../accounts/identities/identity-store.ts';
import type { ProviderConnection } from '../accounts/identities/provider-connection.ts';
import type { ProviderTokenStore } from '../accounts/identities/provider-token-store.ts';
import type { ClaimContext } from '../accounts/names/claims.ts';
import type { PasskeyStore } from '../accounts/passkey-store.ts';
import type { SecondFactorStore } from '../accounts/second-factor-store.ts';
import type { SignInMethodStore } from '../accounts/sign-in-method-store.ts';
import type { StaffSecondFactor } from '../accounts/second-factors.ts';
import type { ClientStore } from '../clients/client-store.ts';
import type { Passwords } from '../accounts/passwords/passwords.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { MailContext } from '../mail/mail-context.ts';
import type { AuthorizationServer } from '../tokens/provider/authorization-server.ts';
import type { SessionStore } from '../tokens/sessions/session-store.ts';
import type { SignOutContext } from '../tokens/sessions/sign-out-everywhere.ts';

/** Dependencies of the hosted pages and of operations on accounts. */
export interface SignInContext extends MailContext, SignOutContext {
  readonly accounts: ClaimContext['accounts'] & {
    readonly attempts: AttemptsStore;
    readonly emails: EmailStore;
    readonly identities: IdentityStore;
    readonly passkeys: PasskeyStore;
    readonly passwords: Passwords;
    readonly secondFactors: SecondFactorStore;
    readonly signInMethods: SignInMethodStore;
  };
  readonly keys: MailContext['keys'] & { readonly ring: KeyRing };
  /** Whether staff need a second factor. */
  readonly secondFactor: StaffSecondFactor;
  readonly clients: ClientStore;
  readonly tokens: SignOutContext['tokens'] & {
    readonly server: AuthorizationServer;
    readonly sessions: SessionStore;
  };
  readonly identities: {
    readonly tokens: ProviderTokenStore;
    /** By id. */
    readonly providers: ReadonlyMap<string, ProviderConnection>;
  };
  readonly security: SecurityLog;
  /** Address of the interface. */
  readonly audience: string;
  /** Hours until a mailed link opens an account with passkeys. */
  readonly recoveryHours: number;
  /** Address of the profile service. */
  readonly profileUrl: string;
}

/** Handles a request for a hosted page. */
export type PageHandler = (request: Request, response: Response, context: SignInContext) => Promise<void>;

/** A hosted page: GET shows it, POST takes its form. */
export interface HostedPage {
  readonly path: string;
  readonly GET: PageHandler;
  readonly POST?: PageHandler;
  /** Mail programs may send any type of form (RFC 8058, 3.2). */
  readonly ignoresBody?: true;
}
