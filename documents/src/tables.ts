import { sharding as auth } from '@covalence/auth/sharding';
import { sharding as billing } from '@covalence/billing/sharding';
import { updateSchema } from '@covalence/contract/live-updates';
import { sharding as profile } from '@covalence/profile/sharding';
import { createHealth, measureHealth } from '@covalence/runtime/health';
import { createMetrics } from '@covalence/runtime/metrics';
import { securityEvents } from '@covalence/runtime/security-events';
import { sharding as search } from '@covalence/search/sharding';
import { z } from 'zod';
import layers from '../../.dependency-layers.json' with { type: 'json' };
import recordedJobs from '../../docs/console/jobs.json' with { type: 'json' };
import { blocks, code, table } from './markdown.ts';
import { endpoints, openApiPath } from './openapi/route-tables.ts';

/** The domains of each service in the order of their imports: the folders in its `src`, without their subfolders. */
export function domains(): string {
  const rows = Object.entries(layers).map(([service, folders]) => {
    const names = folders.filter((folder) => folder !== '.').map((folder) => folder.split('/')[0]);
    return [service, [...new Set(names)].map(code).join(', ')];
  });
  return table(['service', 'domains'], rows);
}

/** The names of `data` in a frame, in any of its forms. */
function namesOf(data: z.ZodType): string[] {
  const forms = data instanceof z.ZodUnion ? data.options : [data];
  const names = forms.flatMap((form) => (form instanceof z.ZodObject ? Object.keys(form.shape) : []));
  return [...new Set(names)];
}

/** The frames of the live updates. */
export function frames(): string {
  const rows = updateSchema.options.map(({ shape, description = '' }) => [
    code(shape.type.value),
    namesOf(shape.data).map(code).join(', '),
    description,
  ]);
  return table(['type', 'data', 'meaning'], rows);
}

/** The calls of staff with the roles that may make them. */
export function staffCalls(): string {
  const rows = [...endpoints].flatMap(([route, { staff, summary = '' }]) =>
    staff ? [[code(openApiPath(route)), staff.roles.map(code).join(', '), summary]] : [],
  );
  return table(['call', 'roles', 'effect'], rows);
}

/** The shard key of every collection. */
export function shardKeys(): string {
  const rows = Object.entries({ auth, billing, profile, search }).flatMap(([service, sharding]) =>
    Object.entries(sharding).map(([collection, { key, because, scatters = '' }]) => [
      code(`${service}.${collection}`),
      key ? code(Object.keys(key).join(', ')) : 'none',
      because,
      scatters,
    ]),
  );
  return table(['collection', 'shard key', 'because', 'every shard answers'], rows);
}

/** Reasons that a row names; of more it names the first three. */
const mostNamed = 9;

/** The security events of all services. */
export function events(): string {
  const rows = Object.entries(securityEvents).map(([name, event]) => {
    const reasons: readonly string[] = 'reasons' in event ? event.reasons : [];
    const named = reasons.length > mostNamed ? [...reasons.slice(0, 3).map(code), '…'] : reasons.map(code);
    return [code(name), event.level, event.meaning, named.join(', ')];
  });
  return table(['event', 'level', 'meaning', '`reason`'], rows);
}

/** The series that services expose, except those of the process. */
export async function series(): Promise<string> {
  const { registry } = createMetrics('documents');
  measureHealth(createHealth(), registry);
  const rows = (await registry.getMetricsAsJSON()).map(({ name, help }) => {
    const { labelNames = [] } = registry.getSingleMetric(name) as { labelNames?: readonly string[] };
    return [code(name), labelNames.map(code).join(', '), help];
  });
  return table(['series', 'labels', 'meaning'], rows);
}

const fileOf = (picture: string) => `console/${picture}.webp`;
const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-');

/** The inputs, seconds and pictures of each job of the console, as its tests record them. */
export function consoleJobs(): string {
  const jobs = Object.entries(recordedJobs);
  const rows = jobs.map(([title, { inputs, seconds, pictures }]) => [
    `[${title}](#${anchorOf(title)})`,
    String(inputs),
    String(seconds),
    Object.keys(pictures)
      .map((picture) => `[${picture}](${fileOf(picture)})`)
      .join(', '),
  ]);
  const pictures = jobs.flatMap(([, job]) => Object.entries(job.pictures));
  return blocks(
    table(['job', 'inputs', 'seconds', 'pictures'], rows),
    pictures.map(([picture, alternative]) => `![${alternative}](${fileOf(picture)})`).join('\n'),
  );
}
