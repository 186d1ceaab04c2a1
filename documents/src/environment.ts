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

const header = ['setting', 'default', 'meaning'];

/** The variables of every service. */
export function environment(): string {
  const ofAll = uses.filter(({ readers }) => readers.length === services.length);
  const ofSeveral = uses.filter(({ readers }) => readers.length > 1 && readers.length < services.length);
  const rowsOf = (service: string) =>
    uses.flatMap(({ row, readers }) => (readers.join() === service ? [row] : []));
  return blocks(
    '### Every service',
    table(
      header,
      ofAll.map(({ row }) => row),
    ),
    '### Several services',
    table(
      [...header, 'services'],
      ofSeveral.map(({ row, readers }) => [...row, readers.join(', ')]),
    ),
    ...services.flatMap((service) => [`### ${service}`, table(header, rowsOf(service))]),
  );
}

/** The settings of a site. */
export const sites = (): string =>
  table(
    ['setting of a site', 'default', 'meaning'],
    Object.entries<z.ZodType>(siteSchema.shape).map(([name, setting]) => rowOf(name, setting)),
  );
