import type { Caller } from '@covalence/http/endpoint';
import type { BillingContext } from '../context.ts';
import { hasCountryPrices } from '../prices/package-data.ts';

type ReaderContext = Pick<BillingContext, 'profile' | 'sites' | 'packageData' | 'logger'>;

/** What texts and prices for a member depend on. */
export interface Reader {
  /** language_COUNTRY */
  readonly locale: string;
  /** ISO 3166-1; only read where prices depend on it. */
  readonly country?: string | undefined;
}

/** The member's locale (language_COUNTRY) from profile; the site's locale if profile is unavailable. */
export async function localeOf(
  { id, siteid }: Caller,
  { profile, sites, logger }: Omit<ReaderContext, 'packageData'>,
): Promise<string> {
  try {
    return (await profile.memberLocale({ id })).locale;
  } catch (error) {
    logger.warn({ err: error }, "reading a member's locale from profile failed: using the site's");
    return sites.get(siteid)?.locale ?? 'en_US';
  }
}

/** The member's locale and, where prices depend on it, the country: then 503 if profile is unavailable. */
export async function readerOf(caller: Caller, context: ReaderContext): Promise<Reader> {
  return hasCountryPrices(context.packageData)
    ? context.profile.memberLocale({ id: caller.id })
    : { locale: await localeOf(caller, context) };
}
