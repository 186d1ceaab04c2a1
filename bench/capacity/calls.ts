import type { mongo } from 'mongoose';
import { Pool } from 'undici';
import { coupleAt, couplesOf, everydayCalls, type Make } from '../everyday-calls.ts';
import { like } from '../interactions.ts';
import { signingIn } from '../login-load.ts';
import { cameraPicture } from '../photos.ts';
import { searches, searchOf } from '../searches.ts';
import { bearer, post, registrationOf, send, type System } from '../system.ts';
import type { CallKind } from './components.ts';

/** A feed is drawn by the first of so many calls of a day. */
const pagesOfAFeed = 4;
/** Numbers of members who register under load. */
const firstRegistered = 3_000_000;

/** A photo of another member as one sees it. */
interface Shown {
  readonly urlstem: string;
  readonly extension: string;
  readonly max800: string;
}

/** The fields used of a stored member. */
export interface PhotoOwner {
  readonly _id: number;
  readonly photos: readonly { readonly id: number }[];
}

interface Databases {
  readonly owners: mongo.Collection<PhotoOwner>;
  readonly feeds: mongo.Collection<{ _id: number }>;
}

/** Each second member of a couple has an approved photo; resolves with its addresses for the first. */
async function photoAddresses(system: System, upload: Make, { owners }: Databases): Promise<string[]> {
  const gateway = system.urlOf('gateway');
  const pairs = couplesOf(system);
  const addresses: string[] = [];
  for (const [turn, [one, other]] of pairs.entries()) {
    await upload(turn);
    const stored = await owners.findOne({ _id: other.id });
    const photos = stored?.photos.map((photo) => ({ ...photo, status: 'approved' })) ?? [];
    await owners.updateOne({ _id: other.id }, { $set: { photos } });
    const text = await send(`${gateway}/photo?profileid=${other.id}`, { headers: bearer(one) });
    for (const { urlstem, extension, max800 } of JSON.parse(text) as Shown[])
      addresses.push(`${gateway}${new URL(`${urlstem}${max800}${extension}`).pathname}`);
  }
  if (!addresses.length) throw new Error('no photo is visible');
  return addresses;
}

/** Every kind of call, through the gateway (sign-ins at auth). Couples like each other, and have match criteria. */
export async function capacityCalls(
  system: System,
  databases: Databases,
): Promise<{ readonly calls: Readonly<Record<CallKind, Make>>; readonly close: () => Promise<void> }> {
  const gateway = system.urlOf('gateway');
  const pairs = couplesOf(system);
  for (const [one, other] of pairs) {
    await like(system, one, other);
    await like(system, other, one);
    const { sortby: _order, ...criteria }: Record<string, unknown> = searches[1];
    await post(system, '/members/self/criteria', one, criteria);
  }
  const picture = new Blob([Uint8Array.from(await cameraPicture())]);
  const upload: Make = (turn) => {
    const [, other] = coupleAt(pairs, turn);
    const body = new FormData();
    body.set('image', picture, 'photo.jpg');
    return send(`${gateway}/photo`, { method: 'POST', headers: bearer(other), body });
  };
  const addresses = await photoAddresses(system, upload, databases);
  const refreshTokens = new Map(system.members.map(({ id, refreshToken }) => [id, refreshToken]));
  const server = new Pool(system.urlOf('auth'), { connections: 4 });
  const calls: Record<CallKind, Make> = {
    ...everydayCalls(system),
    'POST /searches': (turn) => {
      const [one] = coupleAt(pairs, turn);
      return post(system, '/searches', one, searchOf(turn));
    },
    'GET /discover': async (turn) => {
      const [one] = coupleAt(pairs, turn);
      if (turn % pagesOfAFeed === 0) await databases.feeds.deleteOne({ _id: one.id });
      return send(`${gateway}/discover?pagesize=20`, { headers: bearer(one) });
    },
    'GET /photos/{file}': async (turn) => {
      const response = await fetch(addresses[turn % addresses.length] ?? '');
      const body = await response.arrayBuffer();
      if (!response.ok || !body.byteLength) throw new Error(`a photo: ${response.status}`);
    },
    'POST /photo': upload,
    'POST /token': async (turn) => {
      const { id } = system.members[turn % system.members.length] ?? { id: 0 };
      const form = {
        ...system.client,
        grant_type: 'refresh_token',
        refresh_token: refreshTokens.get(id) ?? '',
      };
      const text = await send(`${gateway}/token`, { method: 'POST', body: new URLSearchParams(form) });
      refreshTokens.set(id, (JSON.parse(text) as { refresh_token: string }).refresh_token);
    },
    'sign-in': signingIn(system, server),
    'POST /members': (turn) => {
      const body = new URLSearchParams(registrationOf(system.client, firstRegistered + turn));
      return send(`${gateway}/members`, { method: 'POST', body });
    },
  };
  return { calls, close: () => server.close() };
}
