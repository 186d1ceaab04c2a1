import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

interface SecurityEvent {
  readonly level: 'info' | 'warn';
  readonly meaning: string;
  /** Labels of the counter, as alerts and dashboards use them. */
  readonly reasons?: readonly string[];
}

/** Every security event, after chapter 16 of OWASP ASVS 5. docs/security.md has this table. */
export const securityEvents = {
  sign_in: { level: 'info', meaning: 'a member signed in on the hosted pages' },
  session_continued: { level: 'info', meaning: 'a member went on with the browser’s session in another app' },
  sign_in_failed: {
    level: 'warn',
    meaning: 'credentials or a form were refused',
    reasons: [
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
  },
  sign_in_limited: { level: 'warn', meaning: 'a sign-in was refused because of earlier failures' },
  passkey_copied: { level: 'warn', meaning: 'a passkey was refused because its counter went backwards' },
  passkey_added: { level: 'info', meaning: 'a member has another passkey' },
  passkey_removed: { level: 'info', meaning: 'a passkey was removed', reasons: ['page', 'mail', 'recovery'] },
  device_link_requested: {
    level: 'info',
    meaning: 'after too many failures, a link was requested that makes the browser known',
  },
  device_confirmed: { level: 'info', meaning: 'a mailed link made a browser known' },
  second_factor_added: {
    level: 'info',
    meaning: 'an account has another authenticator app, or a staff account a passkey',
  },
  second_factor_removed: {
    level: 'warn',
    meaning: 'a member’s two-step sign-in was turned off',
    reasons: ['page', 'mail', 'recovery'],
  },
  second_factor_locked: {
    level: 'warn',
    meaning: 'after 100 wrong codes an authenticator app is refused for long',
  },
  recovery_codes_renewed: { level: 'info', meaning: 'a member has new recovery codes' },
  recovery_code_used: { level: 'warn', meaning: 'a recovery code replaced the second factor' },
  staff_sign_in: { level: 'info', meaning: 'a staff account signed in or got a token' },
  code_reused: { level: 'warn', meaning: 'an authorization code came a second time' },
  refresh_token_reused: { level: 'warn', meaning: 'a refresh token came after it was exchanged' },
  client_refused: { level: 'warn', meaning: 'a client sent a wrong secret' },
  password_changed: { level: 'info', meaning: 'a member has another password', reasons: ['mail', 'page'] },
  password_reset_requested: { level: 'info', meaning: 'a link for a new password was mailed' },
  recovery_cancelled: { level: 'warn', meaning: 'the member stopped a recovery by mail' },
  identity_link_requested: {
    level: 'info',
    meaning: 'a link was mailed that links an account at a provider',
  },
  identity_linked: { level: 'info', meaning: 'an account at a provider now signs the member in' },
  identity_removed: {
    level: 'info',
    meaning: 'the link with an account at a provider was removed',
    reasons: ['member', 'recovery', 'provider'],
  },
  email_change_requested: { level: 'info', meaning: 'a new email address was requested' },
  email_changed: { level: 'info', meaning: 'a new email address is in force' },
  email_change_reverted: { level: 'warn', meaning: 'the old address reverted a change' },
  signed_out_everywhere: { level: 'info', meaning: 'every sign-in of a member was ended' },
  session_ended: { level: 'info', meaning: 'a member ended one sign-in' },
  registered: { level: 'info', meaning: 'a member registered' },
  registration_refused: {
    level: 'warn',
    meaning: 'a registration was limited, or its name or address was taken',
    reasons: ['taken', 'limited'],
  },
  client_changed: { level: 'info', meaning: 'a client, its secrets or settings were changed' },
  staff_changed: {
    level: 'info',
    meaning: 'a staff account was created, changed or disabled',
    reasons: ['created', 'password', 'own_password', 'disabled', 'enabled', 'roles', 'factor'],
  },
  key_rotated: { level: 'info', meaning: 'a new signing key was made' },
  staff_decision: {
    level: 'info',
    meaning: 'staff decided something, or searched as a member',
    reasons: [
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
  },
  staff_call_refused: {
    level: 'warn',
    meaning: 'a staff endpoint was called without scope or role',
    reasons: ['scope', 'role'],
  },
  service_call_refused: {
    level: 'warn',
    meaning: 'an internal endpoint was called without permission',
    reasons: ['token', 'caller'],
  },
} as const satisfies Readonly<Record<string, SecurityEvent>>;

/** The name of a security event. */
export type SecurityEventName = keyof typeof securityEvents;

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
  for (const [event, { reasons = [''] }] of Object.entries<SecurityEvent>(securityEvents)) {
    for (const reason of reasons) metrics.securityEvents.inc({ event, reason }, 0);
  }
  return {
    /** Logs the event with the current request id and counts it. */
    record(name: SecurityEventName, { member, memberNumber, reason, ...facts }: SecurityFacts): void {
      metrics.securityEvents.inc({ event: name, reason: reason ?? '' });
      lines[securityEvents[name].level](
        { security_event: name, reason, member, member_number: memberNumber, ...facts },
        'security event',
      );
    },
  };
}
