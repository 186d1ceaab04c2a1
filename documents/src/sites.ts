import { siteSchema } from '@covalence/contract/sites';
import type { z } from 'zod';
import { defaultOf } from './environment.ts';
import { code, tableOf, withGenerated } from './table.ts';

/** docs/settings.md with the settings of a site. */
export function withSites(page: string): string {
  const rows = Object.entries<z.ZodType>(siteSchema.shape).map(([name, setting]) => [
    code(name),
    defaultOf(setting),
    setting.description ?? '',
  ]);
  return withGenerated(page, 'sites', tableOf(['setting of a site', 'default', 'meaning'], rows));
}
