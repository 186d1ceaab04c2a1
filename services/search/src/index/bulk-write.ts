import { chunks } from '@covalence/runtime/chunks';
import { pluralize } from '@covalence/runtime/pluralize';
import type { Client, estypes } from '@elastic/elasticsearch';
import { setTimeout as wait } from 'node:timers/promises';
import { IndexUnavailable, isNoRoom, noRoom } from './elasticsearch-adapter.ts';
import type { MemberDocument } from './member-document.ts';

/** A document that an alias did not take, and why. */
export interface Refusal {
  readonly id: number;
  readonly alias: string;
  readonly status: number;
  readonly reason: string;
}

/** Documents per request; each goes to all of its aliases in one. */
const perRequest = 1_000;

/** The time limit of a write, ms. */
export const writeLimitMs = 30_000;

/** Documents that the engine has no room for are sent this often, with a pause between attempts. */
const retries = { attempts: 3, pauseMs: 500 };

/** Documents, where they go, and how: `external_gte` also overwrites documents of the same version. */
export interface Write {
  readonly documents: readonly MemberDocument[];
  readonly to: readonly string[];
  readonly versionType?: 'external' | 'external_gte';
}

/** The lines of a bulk request. */
const linesOf = ({ documents, to, versionType = 'external' }: Write): string[] =>
  documents.flatMap(({ id, version, source }) => {
    const rendered = JSON.stringify(source);
    return to.map(
      (alias) =>
        `{"index":{"_index":"${alias}","_id":"${id}","version":${version},"version_type":"${versionType}"}}\n${rendered}`,
    );
  });

async function send(client: Client, write: Write): Promise<Refusal[]> {
  const { documents, to } = write;
  const request = {
    // Without it a write to a missing alias would create an index of that name.
    require_alias: true,
    // A shard that is not there refuses its lines before the request as a whole runs out of time.
    timeout: '10s',
    operations: linesOf(write),
    filter_path: ['errors', 'items.*._id', 'items.*.status', 'items.*.error.reason'],
  };
  const sent = documents.flatMap(({ id }) => to.map((alias) => ({ id, alias })));
  const answer = await client.bulk(request, { requestTimeout: writeLimitMs }).catch((error: unknown) => {
    if (isNoRoom(error)) return undefined;
    throw error;
  });
  if (!answer) return sent.map((one) => ({ ...one, status: noRoom, reason: 'no room for the request' }));
  if (!answer.errors) return [];
  const items: readonly Partial<Record<string, estypes.BulkResponseItem>>[] = answer.items;
  // The items of the answer have the order of the lines.
  return sent.flatMap((one, place) => {
    const item = items[place]?.index;
    return item?.error ? [{ ...one, status: item.status, reason: item.error.reason ?? '' }] : [];
  });
}

/**
 * Writes documents and returns the refusals. Sends documents that the engine has no room for again, to all aliases: a request finds
 * the aliases as they are at one moment, so that documents miss no index when aliases are exchanged meanwhile.
 */
export async function bulkWrite(client: Client, write: Write, pauseMs = retries.pauseMs): Promise<Refusal[]> {
  const refused: Refusal[] = [];
  for (const portion of chunks(write.documents, perRequest)) {
    let documents = portion;
    for (let attempt = 1; documents.length; attempt += 1) {
      const refusals = await send(client, { ...write, documents });
      const isRetried = ({ status }: Refusal) => status === noRoom && attempt < retries.attempts;
      const retried = new Set(refusals.filter(isRetried).map(({ id }) => id));
      refused.push(...refusals.filter(({ id }) => !retried.has(id)));
      documents = documents.filter(({ id }) => retried.has(id));
      if (documents.length) await wait(pauseMs);
    }
  }
  return refused;
}

const conflict = 409;

/** Whether a refusal is independent of the document: the index is missing or blocked, or there is no room. */
const isTransient = ({ status }: Refusal) => [403, 404, noRoom].includes(status) || status >= 500;

function refusalError(refusals: readonly Refusal[]): Error {
  const [first] = refusals;
  const text = `${pluralize(refusals.length, 'document')}, first ${first?.id}: ${first?.status} ${first?.reason}`;
  return refusals.every(isTransient)
    ? new IndexUnavailable(`${first?.alias} does not take ${text}`)
    : new Error(`index refuses ${text}`);
}

/** Writes documents; newer ones stay. Throws if an alias refuses any, except in `optional` ones: resolves with those that did. */
export async function writeDocuments(
  client: Client,
  write: Write,
  optional: readonly string[] = [],
): Promise<string[]> {
  const refusals = (await bulkWrite(client, write)).filter(({ status }) => status !== conflict);
  const others = refusals.filter(({ alias }) => !optional.includes(alias));
  if (others.length) throw refusalError(others);
  return [...new Set(refusals.map(({ alias }) => alias))];
}
