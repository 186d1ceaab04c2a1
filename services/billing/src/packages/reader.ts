import type { Caller } from '@covalence/http/endpoint';
import type { SubscriptionsContext } from '../subscriptions/subscriptions.ts';
import { hasCountryPrices } from '../prices/package-data.ts';

/** The member's data that texts and prices depend on, read from profile at most once. */
export interface Reader {
  /** language_COUNTRY; the site's if profile is unavailable. */
  locale(): Promise<string>;
  /** The country whose prices the member pays (ISO 3166-1), undefined where none depend on it; throws if profile is unavailable. */
  country(): Promise<string | undefined>;
}

/** Reads what texts and prices for a member depend on. */
export function readerOf(
  { id, siteid }: Caller,
  { profile, sites, packageData, logger }: SubscriptionsContext,
): Reader {
  let asked: ReturnType<typeof profile.memberLocale> | undefined;
  const ask = () => (asked ??= profile.memberLocale({ id }));
  return {
    async locale() {
      try {
        return (await ask()).locale;
      } catch (error) {
        logger.warn({ err: error }, "reading a member's locale from profile failed: using the site's");
        return sites.get(siteid)?.locale ?? 'en_US';
      }
    },
    country: async () => (hasCountryPrices(packageData) ? (await ask()).country : undefined),
  };
}
