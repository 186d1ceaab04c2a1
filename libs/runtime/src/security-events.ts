import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/**
 * Every event that somebody who defends the service wants to know of, with its log level. docs/security.md says what each
 * means; the list follows chapter 16 of OWASP ASVS 5.
 */
export const securityEvents = {
  /** A member signed in on the hosted pages. */
  sign_in: 'info',
  /** A member went on with the session of their browser in another app. */
  session_continued: 'info',
  /** Credentials were refused. `reason`: `wrong`, `suspended`, `otherAccount`, `staleForm`. */
  sign_in_failed: 'warn',
  /** A sign-in was refused because of earlier failures. */
  sign_in_limited: 'warn',
  /** A link for another browser was asked for, after too many failures. */
  device_link_requested: 'info',
  /** A member opened such a link: the browser is known for the account. */
  device_confirmed: 'info',
  /** A staff account signed in, or was given a token by the command line. */
  staff_sign_in: 'info',
  /** An authorization code was presented twice. */
  code_reused: 'warn',
  /** A refresh token was presented after it had been exchanged. */
  refresh_token_reused: 'warn',
  /** A client sent a wrong secret. */
  client_refused: 'warn',
  /** A member has another password. `reason`: by a `mail`ed link, or on the `page` with the one before. */
  password_changed: 'info',
  /** A mail with a link for a new password was asked for. */
  password_reset_requested: 'info',
  /** Another e-mail address was asked for. */
  email_change_requested: 'info',
  /** Another e-mail address is in force. */
  email_changed: 'info',
  /** The link that takes a change of the e-mail address back was used. */
  email_change_reverted: 'warn',
  /** Every sign-in of a member was ended. */
  signed_out_everywhere: 'info',
  /** A member registered. */
  registered: 'info',
  /** A registration was refused. `reason`: `taken` (username or e-mail), `limited` (too many from its address). */
  registration_refused: 'warn',
  /** A client application, its secrets or its settings were changed. `reason`: what was done. */
  client_changed: 'info',
  /** A staff account was created, changed or disabled. `reason`: what was done. */
  staff_changed: 'info',
  /** The signing key was rotated. */
  key_rotated: 'info',
  /** A member of staff decided something about a member. `reason`: the decision. */
  staff_decision: 'info',
  /** A token without the scope `staff` was sent to a staff endpoint. */
  staff_call_refused: 'warn',
  /** A call to an internal endpoint was refused. `reason`: `token` was missing or not good, or `caller` is not one of it. */
  service_call_refused: 'warn',
} as const satisfies Readonly<Record<string, 'info' | 'warn'>>;

/** The name of a security event. */
export type SecurityEventName = keyof typeof securityEvents;

/** The reasons that alerts and dashboards ask for; an event without any has none. */
const reasonsOf: Partial<Record<SecurityEventName, readonly string[]>> = {
  sign_in_failed: ['wrong', 'suspended', 'otherAccount', 'staleForm'],
  password_changed: ['mail', 'page'],
  registration_refused: ['taken', 'limited'],
  staff_changed: ['created', 'password', 'disabled', 'enabled'],
  staff_decision: ['suspend', 'delete', 'payment_refunded', 'membership_corrected', 'view-evidence'],
  service_call_refused: ['token', 'caller'],
};

/** What is told of a security event: identifiers only, never names, mail addresses, passwords or tokens. */
interface SecurityFacts {
  /** UUID of the member whom it concerns. */
  readonly member?: string | undefined;
  /** Number of the member, where the service does not know the UUID. */
  readonly memberNumber?: number | undefined;
  /** UUID of the staff account that acted. */
  readonly staff?: string | undefined;
  /** Id of the client application. */
  readonly client?: string | undefined;
  /** The caller's network address as limits count it (`addressKey`). */
  readonly address?: string | undefined;
  /** One of a few fixed words; it becomes a label of the counter. */
  readonly reason?: string | undefined;
}

/** Records security events. */
export interface SecurityLog {
  /** Writes one structured log line, with the id of the request under way, and counts the event. */
  record(name: SecurityEventName, facts: SecurityFacts): void;
}

/**
 * Creates the log of security events over a service's logger and metrics. `LOG_LEVEL` hides none of them, except `silent`.
 */
export function createSecurityLog(logger: Logger, metrics: Metrics): SecurityLog {
  const isQuiet = logger.level === 'warn' || logger.level === 'error';
  const lines = isQuiet ? logger.child({}, { level: 'info' }) : logger;
  // A counter that begins with its first event shows Prometheus no increase.
  for (const event of Object.keys(securityEvents) as SecurityEventName[]) {
    for (const reason of reasonsOf[event] ?? ['']) metrics.securityEvents.inc({ event, reason }, 0);
  }
  return {
    record(name, { member, memberNumber, staff, client, address, reason }) {
      metrics.securityEvents.inc({ event: name, reason: reason ?? '' });
      lines[securityEvents[name]](
        { security_event: name, reason, member, member_number: memberNumber, staff, client, address },
        'security event',
      );
    },
  };
}
