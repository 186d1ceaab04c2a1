import sharp from 'sharp';
import { benchRecognition } from './banned-photos.ts';
import { effort } from './effort.ts';
import { say } from './engines.ts';
import { inTurns, pace } from './load.ts';
import { measurement, median, type Measurement } from './measurement.ts';
import { bearer, send, startSystem, type System } from './system.ts';

const photoLimit = 20;
const memberCount = 30;
const inFlight = 4;

/** A JPEG like that of a phone camera: 12 megapixels with detail everywhere. */
export async function cameraPicture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const small = { width: 1000, height: 750, channels: 3, background: '#808080', noise } as const;
  const grain = await sharp({ create: small }).png().toBuffer();
  return sharp(grain).resize(4000, 3000).jpeg({ quality: 85 }).toBuffer();
}

/** The files that the service makes of an upload, by sharp alone. */
async function resize(bytes: Buffer): Promise<void> {
  const image = sharp(bytes).autoOrient();
  const scaled = [1600, 800].map((size) => image.clone().resize(size, size, { fit: 'inside' }));
  const squares = [1000, 500, 250].map((size) => image.clone().resize(size, size, { fit: 'cover' }));
  await Promise.all([...scaled, ...squares].map((each) => each.jpeg({ quality: 82 }).toBuffer()));
}

/** Uploads by one member after the other, until each has the maximum number of photos. */
function uploads(system: System, bytes: Buffer): () => Promise<unknown> {
  let sent = 0;
  return () => {
    const member = system.members[sent % memberCount];
    if (!member || sent >= memberCount * photoLimit) throw new Error('every member has 20 photos');
    sent += 1;
    const body = new FormData();
    body.set('image', new Blob([Uint8Array.from(bytes)]), 'photo.jpg');
    return send(`${system.urlOf('profile')}/photo`, { method: 'POST', headers: bearer(member), body });
  };
}

/** Measures uploads at one process of the profile service, and the recognition of banned photos. */
export async function benchPhotos(): Promise<readonly Measurement[]> {
  say('photos: recognizing copies …');
  const recognition = await benchRecognition();
  say('photos: starting the service …');
  const system = await startSystem(memberCount);
  try {
    const bytes = await cameraPicture();
    const upload = uploads(system, bytes);
    await Promise.all([upload(), resize(bytes)]);
    say('photos: uploads …');
    const rateOf = async (work: () => Promise<unknown>) =>
      (await pace(effort.seconds, inFlight, work)).perSecond;
    const { own, reference } = await inTurns(
      () => rateOf(() => resize(bytes)),
      () => rateOf(upload),
    );
    const what = `uploads of ${(bytes.length / 1e6).toFixed(1)} MB, × bare sharp`;
    return [measurement(what, '1/s', median(own), median(reference), 'ratio at least 0.8'), ...recognition];
  } finally {
    await system.stop();
  }
}
