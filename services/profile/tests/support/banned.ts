import sharp from 'sharp';
import { path, type Moderation } from './moderation.ts';
import type { TestMember } from '../harness.ts';
import { drawing } from '@covalence/testing/drawings';

/** A photo that differs with the seed, and is like no other. */
export function photoOf(seed: number) {
  const { data, width, height, channels } = drawing(seed, 400, 300, 90);
  return sharp(data, { raw: { width, height, channels } });
}

export const jpegOf = (seed: number): Promise<Buffer> => photoOf(seed).jpeg().toBuffer();

let count = 0;

/** A member who was banned, the address and the photo that were theirs. */
export interface BannedMember {
  readonly member: TestMember;
  readonly seed: number;
  /** Another spelling of the address, each time it is called. */
  readonly spelling: () => string;
}

/** Registers a member with a photo, and suspends them with a ban. */
export async function banned(
  { service, ann }: Pick<Moderation, 'service' | 'ann'>,
  fields: object,
  input: object = { ban: true },
): Promise<BannedMember> {
  count += 1;
  const name = `grifter${count}`;
  const seed = 5_000 + count;
  const member = await service.register({ ...fields, email: `${name}@gmail.com` });
  await member.upload(await jpegOf(seed)).expect(200);
  await ann.post(path(member, 'suspend'), { reason: 'Asked for money', ...input }).expect(200);
  let spellings = 0;
  return {
    member,
    seed,
    spelling() {
      spellings += 1;
      return `G.${name.slice(1)}+${spellings}@GoogleMail.com`;
    },
  };
}
