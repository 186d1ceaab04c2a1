import { configSchema as auth } from '@covalence/auth/config';
import { configSchema as billing } from '@covalence/billing/config';
import { siteSchema } from '@covalence/contract/sites';
import { configSchema as gateway } from '@covalence/gateway/config';
import { configSchema as profile } from '@covalence/profile/config';
import { configSchema as search } from '@covalence/search/config';
import { configSchema as updates } from '@covalence/updates/config';
import { z } from 'zod';
import { blocks, code, table } from './markdown.ts';

const schemas = { gateway, auth, profile, search, billing, updates };

const services = Object.keys(schemas);

const variables = Object.entries(schemas).flatMap(([service, schema]) =>
  Object.entries<z.ZodType>((schema instanceof z.ZodPipe ? schema.in : schema).shape).map(
    ([name, variable]) => ({ name, variable, service }),
  ),
);

/** The value of a setting that is not set; `meta.default` says one that depends on the machine or on another variable. */
function defaultOf(setting: z.ZodType): string {
  const stated = setting.meta()?.['default'];
  if (typeof stated === 'string') return stated;
  const { success, data } = setting.safeParse(undefined);
  if (!success) return 'required';
  const text = (typeof data === 'object' ? Object.values(data ?? {}) : [data]).join(', ');
  return text === '' ? 'none' : code(text);
}

const rowOf = (name: string, setting: z.ZodType) => [
  code(name),
  defaultOf(setting),
  setting.description ?? '',
];

/** Each variable with its row, and the services that read it. */
const uses = [...Map.groupBy(variables, ({ name }) => name)].map(([name, all]) => ({
  row: all.slice(0, 1).flatMap(({ variable }) => rowOf(name, variable)),
  readers: all.map(({ service }) => service),
}));

const [every, several] = ['Every service', 'Several services'];

/** The section of a variable that these services read. */
function sectionOf([first, ...others]: readonly string[]) {
  if (!others.length) return first;
  return others.length + 1 === services.length ? every : several;
}

/** The variables of every service. */
export function environment(): string {
  const sections = Map.groupBy(uses, ({ readers }) => sectionOf(readers));
  const parts = [every, several, ...services].flatMap((title) => {
    const isShared = title === several;
    const header = ['setting', 'default', 'meaning', ...(isShared ? ['services'] : [])];
    const rows = sections
      .get(title)
      ?.map(({ row, readers }) => [...row, ...(isShared ? [readers.join(', ')] : [])]);
    return [`### ${title}`, table(header, rows ?? [])];
  });
  return blocks(...parts);
}

/** The settings of a site. */
export const sites = (): string =>
  table(
    ['setting of a site', 'default', 'meaning'],
    Object.entries<z.ZodType>(siteSchema.shape).map(([name, setting]) => rowOf(name, setting)),
  );
