import type { Sites } from '@covalence/contract/sites';
import type { Peer } from '@covalence/http/peer';
import { presentationOf, type Presentation } from '../localization/presentation.ts';
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

/** The presentation of a page or mail for a member, in a given locale, else in the member's current one. */
export async function memberPresentation(
  account: Account,
  { profile, sites }: { readonly profile: Peer<'profile'>; readonly sites: Sites },
  locale?: string,
): Promise<Presentation> {
  const { siteid } = account;
  return presentationOf({ siteid, locale: locale ?? (await currentLocale(account, profile)) }, sites);
}
