import { randomBytes } from 'node:crypto';
import type { System } from './console-under-test.ts';

/** A registered member, and calls in their name. */
export interface TestMember {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  /** Makes a call; throws unless it succeeds. */
  readonly call: (path: string, body: Readonly<Record<string, unknown>>) => Promise<unknown>;
  /** Reads a path. */
  readonly read: (path: string) => Promise<unknown>;
  /** Opens a socket for live updates; resolves with what closes it. */
  readonly connect: () => Promise<() => void>;
  /** Uploads a photo; the answer has its number. */
  readonly upload: (image: Buffer) => Promise<unknown>;
}

async function answered(answer: Response): Promise<unknown> {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const json = { 'Content-Type': 'application/json' };

/** Registers a member, by default on the site with manual review, so that everything of them waits. */
export async function registerMember(
  { stack: { url, demo } }: System,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<TestMember> {
  const { client_id, client_secret, redirect_uri } = demo;
  const username = `visitor${randomBytes(5).toString('hex')}`;
  const email = `${username}@mail.example`;
  const registration = {
    client_id,
    client_secret,
    siteid: 2,
    gender: 'Female',
    genderpreference: 'Male',
    dateofbirth: '04/23/1990',
    username,
    email,
    password: 'violet-lantern-9',
    city: 'Lincoln',
    state: 'Nebraska',
    zip: '68502',
    country: 'US',
    latitude: 40.789,
    longitude: -96.693,
    ...fields,
  };
  const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
    answered(
      await fetch(url + path, {
        method: 'POST',
        headers: { ...json, ...headers },
        body: JSON.stringify(body),
      }),
    );
  const { id, code } = (await post('/members', registration)) as { id: number; code: string };
  const exchange = { client_id, client_secret, redirect_uri, code, grant_type: 'authorization_code' };
  const { access_token } = (await post('/token', exchange)) as { access_token: string };
  const headers = { Authorization: `Bearer ${access_token}` };
  return {
    id,
    username,
    email,
    call: (path, body) => post(path, body, headers),
    read: async (path) => answered(await fetch(url + path, { headers })),
    async connect() {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/updates`);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      socket.addEventListener('open', () => socket.send(access_token));
      socket.addEventListener('message', () => resolve());
      socket.addEventListener('error', () => reject(new Error('no socket')));
      await promise;
      return () => socket.close();
    },
    async upload(image) {
      const body = new FormData();
      body.set('image', new Blob([Uint8Array.from(image)], { type: 'image/png' }), 'me.png');
      return answered(await fetch(`${url}/photo`, { method: 'POST', headers, body }));
    },
  };
}

/** A photo to upload, drawn by the browser. */
export async function drawPhoto(
  { browser }: System,
  background = 'linear-gradient(teal,wheat)',
): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 400, height: 500 } });
  await page.setContent(`<body style="margin:0;background:${background};font:200px serif">☺</body>`);
  const image = await page.screenshot();
  await page.close();
  return image;
}

/** Buys a membership, with which a member may write to anyone. */
export async function buy(member: TestMember, receipt = member.username): Promise<void> {
  const { packages } = (await member.read('/packages')) as {
    packages: { package_id: number; rate_id: number }[];
  };
  const { package_id, rate_id } = packages[0] ?? { package_id: 0, rate_id: 0 };
  await member.call('/packages/purchase', { package_id, rate_id, receipt });
}
