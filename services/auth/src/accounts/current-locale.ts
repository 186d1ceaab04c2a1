import type { Peer } from '@covalence/http/peer';
import type { Account } from './account.ts';

/** The member's current locale (language_COUNTRY) from profile; the one given at registration when profile is down. */
export async function currentLocale(
  { id, locale }: Account,
  profile: Peer<'profile'>,
): Promise<string | undefined> {
  return profile.memberLocale({ id }).then(
    (current) => current.locale,
    () => locale,
  );
}
