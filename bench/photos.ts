import sharp from 'sharp';
import { effort } from './effort.ts';
import { measurement, median, type Measurement } from './measurement.ts';
import { perSecond } from './pace.ts';
import { photoFetches } from './photo-fetches.ts';
import { say } from './say.ts';
import { startSystem, type System } from './system.ts';

/** Photos that a member may have, and what they are uploaded with. */
const photoLimit = 20;
const members = 30;
const inFlight = 4;
const { seconds, rounds } = effort;

/** A picture as a telephone takes it: 12 million pixels, some 2 MB, with detail everywhere. */
async function telephonePicture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const small = { width: 1000, height: 750, channels: 3, background: '#808080', noise } as const;
  const grain = await sharp({ create: small }).png().toBuffer();
  return sharp(grain).resize(4000, 3000).jpeg({ quality: 85 }).toBuffer();
}

const jpeg = { quality: 82 } as const;

/** What the service makes of such an upload, by sharp's own way for several sizes of one image, and nothing else. */
async function bareResizes(bytes: Buffer): Promise<void> {
  const image = sharp(bytes).autoOrient();
  const scaled = [1600, 800].map((size) => image.clone().resize(size, size, { fit: 'inside' }));
  const squares = [1000, 500, 250].map((size) => image.clone().resize(size, size, { fit: 'cover' }));
  await Promise.all([...scaled, ...squares].map((each) => each.jpeg(jpeg).toBuffer()));
}

/** Uploads, member after member, each up to the limit. */
function uploads(system: System, bytes: Buffer): () => Promise<void> {
  let sent = 0;
  return async () => {
    const member = system.members[sent % members];
    if (!member || sent >= members * photoLimit)
      throw new Error('every member has as many photos as they may');
    sent += 1;
    const form = new FormData();
    form.set('image', new Blob([Uint8Array.from(bytes)]), 'photo.jpg');
    const headers = { Authorization: `Bearer ${member.accessToken}` };
    const response = await fetch(`${system.urlOf('profile')}/photo`, { method: 'POST', headers, body: form });
    if (!response.ok) throw new Error(`upload: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
}

/** Measures uploads at one profile process against sharp alone, in rounds of the same run. */
export async function benchPhotos(): Promise<readonly Measurement[]> {
  say('photos: starting the service …');
  const system = await startSystem(members);
  try {
    const bytes = await telephonePicture();
    const upload = uploads(system, bytes);
    await Promise.all([upload(), bareResizes(bytes)]);
    say('photos: uploads …');
    const [bare, own]: number[][] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      bare?.push(await perSecond(seconds, inFlight, () => bareResizes(bytes)));
      own?.push(await perSecond(seconds, inFlight, upload));
    }
    const what = `uploads of ${(bytes.length / 1e6).toFixed(1)} MB, × bare sharp`;
    say('photos: fetches …');
    return [
      measurement(what, '1/s', median(own ?? []), median(bare ?? []), 'ratio at least 0.8'),
      await photoFetches(system),
    ];
  } finally {
    await system.stop();
  }
}
