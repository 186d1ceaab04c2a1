import { until } from '@covalence/testing/until';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { endWarnings, warnOfFraud } from '../../../src/moderation/notifications/warn-of-fraud.ts';
import { eraseMember } from '../../../src/privacy/erase-member.ts';
import type { TestMember } from '../../harness.ts';
import { messaging, platinum, say } from '../../support/messaging.ts';
import { manual, path, startModeration, type Moderation, why } from '../../support/moderation.ts';

let all: Moderation;
let service: Moderation['service'];
let ann: Moderation['ann'];
beforeAll(async () => {
  all = await startModeration('fraud-warnings');
  ({ service, ann } = all);
});
afterAll(() => service.close());

const year = 366 * 86_400_000;

const mailsTo = ({ memberId }: TestMember) =>
  service.auth.warnings.filter(({ member_id }) => member_id === memberId);
const updatesTo = ({ id }: TestMember) =>
  all.live.filter(({ type, member }) => type === 'moderation.warned' && member === id);

describe('members who wrote with somebody banned for fraud', () => {
  const hourMs = 3_600_000;
  const { patch, woman } = messaging(() => service);
  const ban = { reason_id: 'scam', ban: true };
  const inSiteTwo = async () => {
    const member = await woman(manual);
    await ann.post(path(member, 'approve')).expect(200);
    return member;
  };
  /** A grifter, and somebody of a site that warns with whom he exchanged messages. */
  const exchange = async (): Promise<[TestMember, TestMember]> => {
    const grifter = await service.register();
    // The clock is years ahead by now.
    const expires_at = new Date(service.context.clock().getTime() + year);
    await patch(grifter, { membership: { ...platinum().membership, expires_at } });
    const eve = await inSiteTwo();
    await say(grifter, eve, 'Hello').expect(200);
    await say(eve, grifter, 'Hello!').expect(200);
    return [grifter, eve];
  };

  const warn = async () => {
    service.advance(hourMs);
    expect([await warnOfFraud(service.context), await endWarnings(service.context)]).toEqual([0, 0]);
  };

  it('are not mailed again where RabbitMQ takes no live update', async () => {
    const [grifter, eve] = await exchange();
    await ann.post(path(grifter, 'suspend'), ban).expect(200);
    service.advance(hourMs);
    const { publisher } = service.context;
    jest.spyOn(publisher, 'publish').mockRejectedValueOnce(new Error('away'));
    for (let round = 0; round < 2; round += 1) expect(await warnOfFraud(service.context)).toBe(0);
    expect(mailsTo(eve)).toHaveLength(1);
  });

  it('are told once, also after an outage, and nobody else is', async () => {
    const [grifter, eve] = await exchange();
    const [silent, fond, elsewhere] = [await inSiteTwo(), await inSiteTwo(), await woman()];
    await say(grifter, silent, 'Hello').expect(200);
    await fond.post('/like', { profileid: grifter.id }).expect(200);
    await say(grifter, elsewhere, 'Hello').expect(200);
    await say(elsewhere, grifter, 'Hello!').expect(200);
    await ann.post(path(grifter, 'suspend'), ban).expect(200);
    expect(await warnOfFraud(service.context)).toBe(0);
    expect(mailsTo(eve)).toEqual([]);
    service.advance(hourMs);
    service.auth.failNext('notify-fraud');
    expect(await warnOfFraud(service.context)).toBe(1);
    for (let round = 0; round < 2; round += 1) expect(await warnOfFraud(service.context)).toBe(0);
    expect(mailsTo(eve)).toEqual([
      {
        member_id: eve.memberId,
        locale: 'en_US',
        username: grifter.username,
        banned_at: expect.any(String),
        help_url: 'https://harbor.example/fraud',
        contact: 'help@harbor.example',
      },
    ]);
    await until('a live update', () => updatesTo(eve).length === 1);
    expect(updatesTo(eve)).toMatchObject([{ data: { other: grifter.id } }]);
    const { body: archive } = await eve.get('/members/self/export').expect(200);
    expect(archive.moderation.fraud_warnings).toEqual([{ profileid: grifter.id, at: expect.any(String) }]);

    await ann.post(path(grifter, 'unsuspend')).expect(200);
    await ann.post(path(grifter, 'delete'), ban).expect(200);
    service.advance(hourMs);
    expect(await warnOfFraud(service.context)).toBe(0);
    expect(mailsTo(eve)).toHaveLength(1);
    expect([silent, fond, elsewhere].flatMap(mailsTo)).toEqual([]);
    service.advance(31 * 24 * hourMs);
    await until('the erasure', async () => {
      await eraseMember(service.context, { id: grifter.id, member_id: grifter.memberId });
      return (await service.context.members.store.byId(grifter.id)) === undefined;
    });
    expect(await service.context.moderation.warnings.to(eve.id)).toEqual([]);
  });

  it('are not told when the ban ended or was appealed with success, or was for something else', async () => {
    const [one, eve] = await exchange();
    await ann.post(path(one, 'suspend'), ban).expect(200);
    await ann.post(path(one, 'unsuspend')).expect(200);
    const [other, mary] = await exchange();
    await ann.post(path(other, 'suspend'), ban).expect(200);
    const [decision] = await service.context.moderation.decisions.statementsTo(other.id, undefined, 1);
    const appeal = { member_id: other.memberId, decision_id: decision?.id, text: 'It was not me.' };
    await service.internal('/internal/decisions/appeal', appeal).expect(200);
    const { body } = await all.bob.get('/staff/appeals').expect(200);
    const { appeal_id } = body.entries.find(({ id }: { id: number }) => id === other.id);
    await all.bob.post(`/staff/appeals/${appeal_id}/grant`).expect(200);
    const [third, ruth] = await exchange();
    await ann.post(path(third, 'suspend'), { reason_id: 'advertising', ban: true }).expect(200);
    await warn();
    expect([eve, mary, ruth].flatMap(mailsTo)).toEqual([]);
    // A later ban for fraud is a decision of its own.
    await ann.post(path(third, 'suspend'), { ...ban, all_sites: true }).expect(200);
    service.advance(hourMs);
    expect(await warnOfFraud(service.context)).toBe(0);
    expect(mailsTo(ruth)).toHaveLength(1);
  });

  it('are told of a fraud that turns up after the suspension, and though a banned photo was of somebody else', async () => {
    const [grifter, eve] = await exchange();
    const decided = async (body: object) =>
      (await ann.post(path(grifter, 'suspend'), body).expect(200)).body.changed;
    expect(await decided({ reason_id: 'advertising', ban: true })).toBe(true);
    expect(await decided({ reason_id: 'scam' })).toBe(true);
    expect(await decided({ reason_id: 'scam', ban: true, all_sites: true })).toBe(false);
    const { body } = await ann.get(`/staff/bans?member=${grifter.id}`).expect(200);
    await ann.delete(`/staff/bans/${body.entries[0].ban_id}`).expect(200);
    const { decisions } = service.context.moderation;
    const stated = await decisions.statementsTo(grifter.id, undefined, 9);
    expect(stated.map(({ statement }) => statement?.ground)).toEqual(['scam', 'scam', 'advertising']);
    const old = stated.map(({ id }) => id);
    expect(await decisions.undoneOf(grifter.id, old)).toEqual(new Set(old.slice(-1)));
    await warn();
    expect(mailsTo(eve)).toHaveLength(1);
  });

  it('are told, once, that the ban was a mistake, and warned again of another one', async () => {
    const [grifter, eve] = await exchange();
    await ann.post(path(grifter, 'suspend'), ban).expect(200);
    await warn();
    await ann.post(path(grifter, 'unsuspend'), { mistaken: true }).expect(200);
    for (let round = 0; round < 2; round += 1) await warn();
    const ended = () => service.auth.endedWarnings.filter(({ member_id }) => member_id === eve.memberId);
    expect(ended()).toMatchObject([{ username: grifter.username, locale: 'en_US' }]);
    await ann.post(path(grifter, 'suspend'), ban).expect(200);
    await warn();
    expect(mailsTo(eve)).toHaveLength(2);
    // The time is served.
    await ann.post(path(grifter, 'unsuspend')).expect(200);
    await warn();
    expect(ended()).toHaveLength(1);
  });

  it('are not told where a deletion was undone, whatever the history missed', async () => {
    const [grifter, eve] = await exchange();
    await ann.post(path(grifter, 'suspend'), why).expect(200);
    await ann.post(path(grifter, 'delete'), ban).expect(200);
    const { decisions } = service.context.moderation;
    jest.spyOn(decisions, 'latest').mockResolvedValueOnce(undefined);
    await ann.post(path(grifter, 'undelete')).expect(200);
    await warn();
    expect(mailsTo(eve)).toEqual([]);
  });
});
