import { memberLocale } from '@covalence/contract/internal/profile-api';
import type { Peer } from '@covalence/http/peer';
import type { Account } from './account.ts';

/**
 * What a member reads texts in, language_COUNTRY, as the profile has it by now; what they told when they registered while profile
 * cannot be asked.
 */
export async function currentLocale({ id, locale }: Account, profile: Peer): Promise<string | undefined> {
  const asked = profile.call('/internal/members/locale', { id }, memberLocale.output);
  return asked.then(
    (now) => now.locale,
    () => locale,
  );
}
