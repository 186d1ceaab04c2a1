import { securityEvents } from '@covalence/runtime/security-events';
import { code, tableOf, withGenerated } from './table.ts';

/** Reasons that a row names; of more it names the first three. */
const mostNamed = 9;

/** docs/security.md with the security events of all services. */
export function withSecurityEvents(page: string): string {
  const rows = Object.entries(securityEvents).map(([name, event]) => {
    const reasons: readonly string[] = 'reasons' in event ? event.reasons : [];
    const named = reasons.length > mostNamed ? [...reasons.slice(0, 3).map(code), '…'] : reasons.map(code);
    return [code(name), event.level, event.meaning, named.join(', ')];
  });
  return withGenerated(page, 'events', tableOf(['event', 'level', 'meaning', '`reason`'], rows));
}
