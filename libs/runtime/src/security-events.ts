import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/**
 * Every security event with its log level, after chapter 16 of OWASP ASVS 5. docs/security.md describes each.
 */
export const securityEvents = {
  /** A member signed in on the hosted pages. */
  sign_in: 'info',
  /** A member continued the session of the browser in another app. */
  session_continued: 'info',
  /** Credentials were refused. `reason`: `wrong`, `suspended`, `otherAccount`, `staleForm`. */
  sign_in_failed: 'warn',
  /** A sign-in was refused because of earlier failures. */
  sign_in_limited: 'warn',
  /** A link for another browser was requested after too many failures. */
  device_link_requested: 'info',
  /** A member confirmed another browser by such a link. */
  device_confirmed: 'info',
  /** A staff account signed in or received a token from the command line. */
  staff_sign_in: 'info',
  /** An authorization code was presented twice. */
  code_reused: 'warn',
  /** A refresh token was presented after it had been exchanged. */
  refresh_token_reused: 'warn',
  /** A client sent a wrong secret. */
  client_refused: 'warn',
  /** A password was changed. `reason`: by a `mail`ed link or on the `page`. */
  password_changed: 'info',
  /** A password reset was requested. */
  password_reset_requested: 'info',
  /** A change of the e-mail address was requested. */
  email_change_requested: 'info',
  /** The e-mail address was changed. */
  email_changed: 'info',
  /** A change of the e-mail address was reverted. */
  email_change_reverted: 'warn',
  /** All sign-ins of a member were ended. */
  signed_out_everywhere: 'info',
  /** A member registered. */
  registered: 'info',
  /** A registration was refused. `reason`: `taken` (username or e-mail), `limited` (too many from its address). */
  registration_refused: 'warn',
  /** A client application was changed. `reason`: the change. */
  client_changed: 'info',
  /** A staff account was changed. `reason`: the change. */
  staff_changed: 'info',
  /** The signing key was rotated. */
  key_rotated: 'info',
  /** Staff took a decision about a member. `reason`: the decision. */
  staff_decision: 'info',
  /** A token without the scope `staff` was sent to a staff endpoint. */
  staff_call_refused: 'warn',
  /**
   * A call to an internal endpoint was refused. `reason`: the `token` is invalid or the `caller` may not call
   * it.
   */
  service_call_refused: 'warn',
} as const satisfies Readonly<Record<string, 'info' | 'warn'>>;

/** The name of a security event. */
export type SecurityEventName = keyof typeof securityEvents;

/** The reasons of events that have any, as alerts and dashboards use them. */
const reasonsOf: Partial<Record<SecurityEventName, readonly string[]>> = {
  sign_in_failed: ['wrong', 'suspended', 'otherAccount', 'staleForm'],
  password_changed: ['mail', 'page'],
  registration_refused: ['taken', 'limited'],
  staff_changed: ['created', 'password', 'disabled', 'enabled'],
  staff_decision: ['suspend', 'delete', 'payment_refunded', 'membership_corrected', 'view-evidence'],
  service_call_refused: ['token', 'caller'],
};

/** Facts of a security event: identifiers only, never names, mail addresses, passwords or tokens. */
interface SecurityFacts {
  /** UUID of the member. */
  readonly member?: string | undefined;
  /** Number of the member, for services without the UUID. */
  readonly memberNumber?: number | undefined;
  /** UUID of the staff account that acted. */
  readonly staff?: string | undefined;
  /** Id of the client application. */
  readonly client?: string | undefined;
  /** The caller's network address as limits count it (`addressKey`). */
  readonly address?: string | undefined;
  /** One of a fixed set: it is a label of the counter. */
  readonly reason?: string | undefined;
}

/** Records security events. */
export interface SecurityLog {
  /** Logs the event with the current request id and counts it. */
  record(name: SecurityEventName, facts: SecurityFacts): void;
}

/** Creates a security log. `LOG_LEVEL` does not hide its lines, except for `silent`. */
export function createSecurityLog(logger: Logger, metrics: Metrics): SecurityLog {
  const isQuiet = logger.level === 'warn' || logger.level === 'error';
  const lines = isQuiet ? logger.child({}, { level: 'info' }) : logger;
  // Prometheus sees no increase in a counter that starts with its first event.
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
