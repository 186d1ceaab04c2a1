import type { Site } from '@covalence/contract/sites';
import type { Caller } from '@covalence/http/endpoint';
import type { BillingContext } from '../context.ts';

/** What texts and prices for a member depend on. */
export interface Reader {
  /** language_COUNTRY */
  readonly locale: string;
  /** ISO 3166-1; undefined if profile is unavailable. */
  readonly country?: string | undefined;
}

/** Reads a member's locale and country from profile. If profile is unavailable: the site's locale, or 503 if the country is needed. */
export async function readerOf(
  { id }: Caller,
  site: Pick<Site, 'locale'>,
  { profile, logger }: Pick<BillingContext, 'profile' | 'logger'>,
  needsCountry = false,
): Promise<Reader> {
  try {
    return await profile.memberLocale({ id });
  } catch (error) {
    if (needsCountry) throw error;
    logger.warn({ err: error }, "reading a member's locale from profile failed: using the site's");
    return { locale: site.locale };
  }
}
