import { forbidden, recentSignInRequired, unauthorized } from '@covalence/contract/failure';
import type { Caller } from './endpoint.ts';

/** Throws what refuses a caller whose token is good: 401 for a staff account that calls as a member, 403 without the scope `staff`. */
export function requireAccess({ id, scopes }: Caller, access: 'optional' | 'member' | 'staff'): void {
  if (access === 'staff') {
    if (!scopes.includes('staff')) throw forbidden();
  } else if (!id) throw unauthorized('invalid_token');
}

/** Throws 401 for a caller whose credentials were entered more than `maxAge` seconds ago, or at a time that the token does not say. */
export function requireRecentSignIn({ authenticated = 0 }: Caller, maxAge: number): void {
  if (Date.now() / 1000 - authenticated > maxAge) throw recentSignInRequired(maxAge);
}
