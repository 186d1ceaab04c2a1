import type { Site } from '@covalence/contract/sites';
import type { Caller } from '@covalence/http/endpoint';
import type { BillingContext } from '../context.ts';

/**
 * language_COUNTRY that a member reads packages in: as profile knows it, and that of the site where profile is away. What is
 * sold must not depend on how it is called.
 */
export async function readerLocale(
  { id }: Caller,
  site: Pick<Site, 'locale'>,
  { profile, logger }: Pick<BillingContext, 'profile' | 'logger'>,
): Promise<string> {
  try {
    return (await profile.memberLocale({ id })).locale;
  } catch (error) {
    logger.warn({ err: error }, "a member's locale is not known, and the site's is taken");
    return site.locale;
  }
}
