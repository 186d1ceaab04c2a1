import { configSchema as auth } from '@covalence/auth/config';
import { configSchema as billing } from '@covalence/billing/config';
import { configSchema as gateway } from '@covalence/gateway/config';
import { configSchema as profile } from '@covalence/profile/config';
import { configSchema as search } from '@covalence/search/config';
import { configSchema as updates } from '@covalence/updates/config';
import { z } from 'zod';
import { code, tableOf, withGenerated } from './table.ts';

const schemas = { gateway, auth, profile, search, billing, updates };

const services = Object.keys(schemas);

const variables = Object.entries(schemas).flatMap(([service, schema]) =>
  Object.entries<z.ZodType>((schema instanceof z.ZodPipe ? schema.in : schema).shape).map(
    ([name, variable]) => ({ name, variable, service }),
  ),
);

/** The uses of each variable, by its name. */
const uses = [...Map.groupBy(variables, ({ name }) => name)];

/** The value of a setting that is not set; `meta.default` says one that depends on the machine or on another variable. */
export function defaultOf(variable: z.ZodType): string {
  const stated = variable.meta()?.['default'];
  if (typeof stated === 'string') return stated;
  const { success, data } = variable.safeParse(undefined);
  if (!success) return 'required';
  const text = (typeof data === 'object' ? Object.values(data ?? {}) : [data]).join(', ');
  return text === '' ? 'none' : code(text);
}

/** A heading, and the variables that some services read, and no others; `shows` adds a column of these services. */
function sectionFor(
  title: string,
  isMeant: (readers: readonly string[]) => boolean,
  shows: 'readers' | 'meaning' = 'meaning',
): string[] {
  const rows = uses.flatMap(([name, [use, ...others]]) => {
    const readers = [use, ...others].flatMap((one) => one?.service ?? []);
    if (!use || !isMeant(readers)) return [];
    const row = [code(name), defaultOf(use.variable), use.variable.description ?? ''];
    return [shows === 'readers' ? [...row, readers.join(', ')] : row];
  });
  const header = ['setting', 'default', 'meaning', ...(shows === 'readers' ? ['services'] : [])];
  return [`### ${title}`, '', ...tableOf(header, rows), ''];
}

/** docs/settings.md with the variables of every service. */
export function withEnvironment(page: string): string {
  const sections = [
    sectionFor('Every service', ({ length }) => length === services.length),
    sectionFor('Several services', ({ length }) => length > 1 && length < services.length, 'readers'),
    ...services.map((service) =>
      sectionFor(service, ([first, ...others]) => first === service && !others.length),
    ),
  ];
  return withGenerated(page, 'settings', sections.flat().slice(0, -1));
}
