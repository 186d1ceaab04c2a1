import { chunks } from '@covalence/runtime/chunks';
import { pluralize } from '@covalence/runtime/pluralize';
import type { Client, estypes } from '@elastic/elasticsearch';
import { setTimeout as wait } from 'node:timers/promises';
import { IndexUnavailable, isNoRoom, noRoom } from './elasticsearch-adapter.ts';
import type { MemberDocument } from './member-document.ts';

/** A document that was not written, and why. */
export interface Refusal {
  readonly id: number;
  readonly status: number;
  readonly reason: string;
}

/** A serialized document: rendered once for all the indices it is written to. */
interface Line {
  readonly id: number;
  readonly text: string;
}

const perRequest = 1_000;

/** The time limit of a write, ms. */
export const writeLimitMs = 30_000;

/** Documents that the engine has no room for are sent this often, with a pause between attempts. */
const retries = { attempts: 3, pauseMs: 500 };

/** Renders documents as lines of a bulk request; `external_gte` also overwrites documents of the same version. */
export const linesOf = (
  documents: readonly MemberDocument[],
  versionType: 'external' | 'external_gte' = 'external',
): Line[] =>
  documents.map(({ id, version, source }) => ({
    id,
    text: `{"index":{"_id":"${id}","version":${version},"version_type":"${versionType}"}}\n${JSON.stringify(source)}`,
  }));

async function send(client: Client, index: string, lines: readonly Line[]): Promise<Refusal[]> {
  const request = {
    index,
    // Without it a write to a missing alias would create an index of that name.
    require_alias: true,
    operations: lines.map(({ text }) => text),
    filter_path: ['errors', 'items.*._id', 'items.*.status', 'items.*.error.reason'],
  };
  const answer = await client.bulk(request, { requestTimeout: writeLimitMs }).catch((error: unknown) => {
    if (isNoRoom(error)) return undefined;
    throw error;
  });
  if (!answer) return lines.map(({ id }) => ({ id, status: noRoom, reason: 'no room for the request' }));
  const { errors, items } = answer;
  if (!errors) return [];
  return items.flatMap(({ index: item }: Partial<Record<string, estypes.BulkResponseItem>>) =>
    item?.error ? [{ id: Number(item._id), status: item.status, reason: item.error.reason ?? '' }] : [],
  );
}

/** Writes lines to an alias and returns the refusals. Retries documents that the engine has no room for. */
export async function bulkWrite(
  client: Client,
  alias: string,
  lines: readonly Line[],
  pauseMs = retries.pauseMs,
): Promise<Refusal[]> {
  const refused: Refusal[] = [];
  for (const portion of chunks(lines, perRequest)) {
    let some = portion;
    for (let attempt = 1; some.length; attempt += 1) {
      const refusals = await send(client, alias, some);
      const isRetried = ({ status }: Refusal) => status === noRoom && attempt < retries.attempts;
      const retried = new Set(refusals.filter(isRetried).map(({ id }) => id));
      refused.push(...refusals.filter(({ id }) => !retried.has(id)));
      some = some.filter(({ id }) => retried.has(id));
      if (some.length) await wait(pauseMs);
    }
  }
  return refused;
}

const conflict = 409;

/** Whether a refusal is independent of the document: the index is missing or blocked, or there is no room. */
const isTransient = ({ status }: Refusal) => [403, 404, noRoom].includes(status) || status >= 500;

function refusalError(alias: string, refusals: readonly Refusal[]): Error {
  const [first] = refusals;
  const text = `${pluralize(refusals.length, 'document')}, first ${first?.id}: ${first?.status} ${first?.reason}`;
  return refusals.every(isTransient)
    ? new IndexUnavailable(`${alias} does not take ${text}`)
    : new Error(`index refuses ${text}`);
}

/** Writes lines to an alias; newer documents stay. Throws if anything else is refused. */
export async function writeLines(client: Client, alias: string, lines: readonly Line[]): Promise<void> {
  const refusals = await bulkWrite(client, alias, lines);
  const others = refusals.filter(({ status }) => status !== conflict);
  if (others.length) throw refusalError(alias, others);
}
