import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/** Every security event with its log level, after chapter 16 of OWASP ASVS 5. docs/security.md describes each. */
export const securityEvents = {
  sign_in: 'info',
  session_continued: 'info',
  sign_in_failed: 'warn',
  sign_in_limited: 'warn',
  passkey_copied: 'warn',
  passkey_added: 'info',
  passkey_removed: 'info',
  device_link_requested: 'info',
  device_confirmed: 'info',
  second_factor_added: 'info',
  second_factor_removed: 'warn',
  second_factor_locked: 'warn',
  recovery_codes_renewed: 'info',
  recovery_code_used: 'warn',
  staff_sign_in: 'info',
  code_reused: 'warn',
  refresh_token_reused: 'warn',
  client_refused: 'warn',
  password_changed: 'info',
  password_reset_requested: 'info',
  recovery_cancelled: 'warn',
  identity_link_requested: 'info',
  identity_linked: 'info',
  identity_removed: 'info',
  email_change_requested: 'info',
  email_changed: 'info',
  email_change_reverted: 'warn',
  signed_out_everywhere: 'info',
  session_ended: 'info',
  registered: 'info',
  registration_refused: 'warn',
  client_changed: 'info',
  staff_changed: 'info',
  key_rotated: 'info',
  staff_decision: 'info',
  staff_call_refused: 'warn',
  service_call_refused: 'warn',
} as const satisfies Readonly<Record<string, 'info' | 'warn'>>;

/** The name of a security event. */
export type SecurityEventName = keyof typeof securityEvents;

/** The reasons of events that have any, as alerts and dashboards use them. */
const reasonsOf: Partial<Record<SecurityEventName, readonly string[]>> = {
  sign_in_failed: [
    'wrong',
    'suspended',
    'otherAccount',
    'staleForm',
    'wrongPasskey',
    'wrongCode',
    'expired',
    'identityTaken',
    'identity',
  ],
  password_changed: ['mail', 'page'],
  passkey_removed: ['page', 'mail', 'recovery'],
  second_factor_removed: ['page', 'mail', 'recovery'],
  identity_removed: ['member', 'recovery', 'provider'],
  registration_refused: ['taken', 'limited'],
  staff_changed: ['created', 'password', 'own_password', 'disabled', 'enabled', 'roles', 'factor'],
  staff_decision: [
    'suspend',
    'delete',
    'undelete',
    'reject',
    'approval_requested',
    'approval_approved',
    'approval_refused',
    'payment_refunded',
    'membership_corrected',
    'view-evidence',
    'view-member',
    'close-report',
    'searched_by_id',
    'searched_by_username',
    'searched_by_email',
    'searched_by_payment',
    'searched_by_device',
    'ban',
    'unban',
    'sessions_listed',
    'session_ended',
    'sessions_ended',
    'recovery_begun',
    'recovery_stopped',
    'search_settings_published',
    'search_settings_rolled_back',
    'experiment_started',
    'experiment_stopped',
    'searched_as_member',
    'judgments_run',
    'judgments_imported',
    'judgments_exported',
    'judgments_deleted',
  ],
  staff_call_refused: ['scope', 'role'],
  service_call_refused: ['token', 'caller'],
};

/** Facts of a security event: identifiers only, never names, mail addresses, passwords or tokens. */
type SecurityFacts = {
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
  /** The version of what was published. */
  readonly version?: number | undefined;
  /** Names of the criteria of a search. */
  readonly criteria?: readonly string[] | undefined;
  /** One of a fixed set: it is a label of the counter. */
  readonly reason?: string | undefined;
};

/** Records security events. */
export type SecurityLog = ReturnType<typeof createSecurityLog>;

/** Creates a security log. `LOG_LEVEL` does not hide its lines, except for `silent`. */
export function createSecurityLog(logger: Logger, metrics: Metrics) {
  const isQuiet = logger.level === 'warn' || logger.level === 'error';
  const lines = isQuiet ? logger.child({}, { level: 'info' }) : logger;
  // Prometheus sees no increase in a counter that starts with its first event.
  for (const event of Object.keys(securityEvents) as SecurityEventName[]) {
    for (const reason of reasonsOf[event] ?? ['']) metrics.securityEvents.inc({ event, reason }, 0);
  }
  return {
    /** Logs the event with the current request id and counts it. */
    record(name: SecurityEventName, { member, memberNumber, reason, ...facts }: SecurityFacts): void {
      metrics.securityEvents.inc({ event: name, reason: reason ?? '' });
      lines[securityEvents[name]](
        { security_event: name, reason, member, member_number: memberNumber, ...facts },
        'security event',
      );
    },
  };
}
