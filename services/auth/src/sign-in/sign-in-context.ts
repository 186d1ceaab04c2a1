import type { Request, Response } from 'express';
import type { EmailsContext } from '../accounts/emails/change-addresses.ts';
import type { PasskeyStore } from '../accounts/passkey-store.ts';
import type { Passwords } from '../accounts/passwords/passwords.ts';
import type { SecondFactorStore } from '../accounts/second-factor-store.ts';
import type { StaffSecondFactor } from '../accounts/second-factors.ts';
import type { SignInMethodStore } from '../accounts/sign-in-method-store.ts';
import type { KeyContext } from '../keys/key-ring.ts';
import type { MailContext } from '../mail/mail-context.ts';
import type { ServerContext } from '../tokens/provider/authorization-server.ts';

/** Dependencies of the hosted pages and of operations on accounts. */
export interface SignInContext extends MailContext, EmailsContext, ServerContext, KeyContext {
  readonly accounts: MailContext['accounts'] &
    EmailsContext['accounts'] & {
      readonly passkeys: PasskeyStore;
      readonly passwords: Passwords;
      readonly secondFactors: SecondFactorStore;
      readonly signInMethods: SignInMethodStore;
    };
  readonly keys: MailContext['keys'] & KeyContext['keys'];
  /** Whether staff need a second factor. */
  readonly secondFactor: StaffSecondFactor;
  /** Hours until a mailed link opens an account with passkeys. */
  readonly recoveryHours: number;
  /** Address of the profile service. */
  readonly profileUrl: string;
}

/** A request for a hosted page. */
export interface PageVisit {
  readonly request: Request;
  readonly response: Response;
  readonly context: SignInContext;
}

/** Handles a request for a hosted page. */
export type PageHandler = (visit: PageVisit) => Promise<void>;

/** A hosted page: GET shows it, POST takes its form. */
export interface HostedPage {
  readonly path: string;
  readonly GET: PageHandler;
  readonly POST?: PageHandler;
  /** Mail programs may send any type of form (RFC 8058, 3.2). */
  readonly ignoresBody?: true;
}
