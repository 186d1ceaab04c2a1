import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type TestMember, type ServiceUnderTest } from '../../harness.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService('price-country');
});
afterAll(() => service.close());

const dayMs = 86_400_000;
const places = {
  US: { country: 'US', state: 'Illinois', city: 'Chicago' },
  IN: { country: 'IN', state: 'Delhi', city: 'Delhi' },
  DE: { country: 'DE', state: 'Berlin', city: 'Berlin' },
} as const;
const move = (member: TestMember, to: keyof typeof places) =>
  member.post('/members/self', places[to]).expect(200);
/** The country as billing reads it. */
const countryOf = async ({ id }: TestMember) =>
  (await service.internal('/internal/members/locale', { id })).body.country;

describe('the country whose prices a member pays', () => {
  it('stays that before a move for 30 days, however often the member moves', async () => {
    const member = await service.register();
    expect(await countryOf(member)).toBe('US');
    await move(member, 'IN');
    expect(await countryOf(member)).toBe('US');
    service.advance(29 * dayMs);
    expect(await countryOf(member)).toBe('US');
    await move(member, 'DE');
    service.advance(29 * dayMs);
    expect(await countryOf(member)).toBe('US');
    const { body } = await member.get('/members/self/export').expect(200);
    expect(body.profile.country_before).toEqual({ country: 'US', moved_at: expect.any(String) });
    service.advance(dayMs);
    expect(await countryOf(member)).toBe('DE');
    await move(member, 'IN');
    expect(await countryOf(member)).toBe('DE');
  });

  it('stays the same for a member who moves back, or edits something else', async () => {
    const member = await service.register();
    await move(member, 'IN');
    await move(member, 'US');
    await member.post('/members/self', { headline: 'I have not moved at all' }).expect(200);
    expect(await countryOf(member)).toBe('US');
    expect((await service.context.members.store.byId(member.id))?.moved).toBeUndefined();
    const { body } = await member.get('/members/self/export').expect(200);
    expect(body.profile.country_before).toBeNull();
  });
});
