import { pluralize } from '@covalence/runtime/pluralize';
import { chunks } from '@covalence/runtime/chunks';
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

/** A document as it goes over the wire: made once, however many indices it is written to. */
interface Line {
  readonly id: number;
  readonly text: string;
}

const perRequest = 1_000;

/** How long Elasticsearch has for a write, ms; over connections that leave it the time. */
export const writeLimitMs = 30_000;

/** How often documents are sent again that the engine had no room for, and the pause before. */
const patience = { tries: 3, pauseMs: 500 };

/** Documents as lines of a bulk request; with `external_gte` they go over those of the same version too. */
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
  // Short of memory it refuses the request without a look at what is in it.
  if (!answer) return lines.map(({ id }) => ({ id, status: noRoom, reason: 'no room for the request' }));
  const { errors, items } = answer;
  if (!errors) return [];
  return items.flatMap(({ index: item }: Partial<Record<string, estypes.BulkResponseItem>>) =>
    item?.error ? [{ id: Number(item._id), status: item.status, reason: item.error.reason ?? '' }] : [],
  );
}

/** Writes lines to an alias and returns what was refused; what the engine has no room for now is sent again a few times. */
export async function bulkWrite(
  client: Client,
  alias: string,
  lines: readonly Line[],
  pauseMs = patience.pauseMs,
): Promise<Refusal[]> {
  const refused: Refusal[] = [];
  for (const portion of chunks(lines, perRequest)) {
    let some = portion;
    for (let attempt = 1; some.length; attempt += 1) {
      const refusals = await send(client, alias, some);
      const late = new Set(
        attempt < patience.tries ? refusals.flatMap(({ id, status }) => (status === noRoom ? [id] : [])) : [],
      );
      refused.push(...refusals.filter(({ id }) => !late.has(id)));
      some = some.filter(({ id }) => late.has(id));
      if (some.length) await wait(pauseMs);
    }
  }
  return refused;
}

const conflict = 409;

/** Refusals that say nothing of a document: the index is not there, takes no writes, or there is no room. */
const isTransient = ({ status }: Refusal) => [403, 404, noRoom].includes(status) || status >= 500;

/** What could not be written: the engine does not take it now, or refuses a document for good. */
function refusalError(alias: string, refusals: readonly Refusal[]): Error {
  const [first] = refusals;
  const text = `${pluralize(refusals.length, 'document')}, first ${first?.id}: ${first?.status} ${first?.reason}`;
  return refusals.every(isTransient)
    ? new IndexUnavailable(`${alias} does not take ${text}`)
    : new Error(`index refuses ${text}`);
}

/** Writes lines to an alias; what is there with a newer version stays. Throws where anything else was refused. */
export async function writeLines(client: Client, alias: string, lines: readonly Line[]): Promise<void> {
  const refusals = await bulkWrite(client, alias, lines);
  const others = refusals.filter(({ status }) => status !== conflict);
  if (others.length) throw refusalError(alias, others);
}
