import type { Site } from '@covalence/contract/sites';
import type { Caller } from '@covalence/http/endpoint';
import type { BillingContext } from '../context.ts';

/** The member's locale (language_COUNTRY) from profile; the site's locale if profile is unavailable. */
export async function readerLocale(
  { id }: Caller,
  site: Pick<Site, 'locale'>,
  { profile, logger }: Pick<BillingContext, 'profile' | 'logger'>,
): Promise<string> {
  try {
    return (await profile.memberLocale({ id })).locale;
  } catch (error) {
    logger.warn({ err: error }, "reading a member's locale from profile failed: using the site's");
    return site.locale;
  }
}
