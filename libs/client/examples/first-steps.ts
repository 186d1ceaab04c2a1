import { createClient } from '@covalence/client/client';
import { followLiveUpdates } from '@covalence/client/live-updates';
import { createSession } from '@covalence/client/session';
import { memoryStorage } from '@covalence/client/tokens';
import { readFile } from 'node:fs/promises';

/** Two members register and like each other. Run it beside `npm start`, whose demo client it reads. */

interface Demo {
  readonly base_url: string;
  readonly auth_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
  readonly siteid: number;
}

const demoFile = new URL('../../../.data/demo.json', import.meta.url);
const demo = JSON.parse(await readFile(process.argv[2] ?? demoFile, 'utf8')) as Demo;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function register(gender: 'Male' | 'Female') {
  const session = createSession({
    authUrl: demo.auth_url,
    clientId: demo.client_id,
    clientSecret: demo.client_secret,
    storage: memoryStorage(),
  });
  const client = createClient({ baseUrl: demo.base_url, session });
  const username = `first${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const { data, error } = await client.POST('/members', {
    body: {
      client_id: demo.client_id,
      client_secret: demo.client_secret,
      siteid: demo.siteid,
      gender,
      gender_preference: gender === 'Male' ? 'Female' : 'Male',
      date_of_birth: '04/23/1990',
      username,
      password: crypto.randomUUID(),
      email: `${username}@mail.example`,
      country: 'US',
      state: 'Nebraska',
      city: 'Lincoln',
      zip: '68502',
      latitude: 40.789,
      longitude: -96.693,
    },
  });
  if (!data) throw new Error(`not registered: ${JSON.stringify(error)}`);
  await session.exchange({ code: data.code, redirectUri: demo.redirect_uri });
  say(`registered ${data.username}, number ${data.id}`);
  return { client, session, id: data.id };
}

const nora = await register('Female');
const tom = await register('Male');

const found = await nora.client.POST('/searches', { body: { age: { from: 18, to: 60 } } });
say(`a search finds ${found.data?.totalmatches ?? 0} members`);

const told = Promise.withResolvers<void>();
const live = followLiveUpdates({
  baseUrl: demo.base_url,
  session: tom.session,
  onConnected: (isConnected) => {
    if (isConnected) void nora.client.POST('/like', { body: { profileid: tom.id } });
  },
  onUpdate: ({ type, data }) => {
    say(`live update: ${type} ${JSON.stringify(data)}`);
    told.resolve();
  },
});
await told.promise;
live.close();

const answered = await tom.client.POST('/like', { body: { profileid: nora.id } });
say(`connections: ${answered.data?.connections_total ?? 0}`);
