import { beforeAll, describe, expect, it } from '@jest/globals';
import { paymentSecret, type System } from '../support/system.ts';
import { createHmac } from 'node:crypto';
import request from 'supertest';
import { as, registerMember, type TestMember } from '../support/members.ts';

const signed = (body: string): string => {
  const time = Math.floor(Date.now() / 1000);
  return `t=${time},v1=${createHmac('sha256', paymentSecret).update(`${time}.${body}`).digest('hex')}`;
};

/** A purchase and the criteria that it unlocks. */
export function purchaseCases(system: () => System): void {
  describe('a purchase, through the gateway', () => {
    let stack: System;
    let nora: TestMember;

    beforeAll(async () => {
      stack = system();
      nora = await registerMember(stack.url, stack.demo);
    });

    it('allows the criteria for platinum members', async () => {
      const { get, post } = as(stack.url, nora);
      const near = { age: { from: 30, to: 45 }, location: { within: 20 } };
      const refused = await post('/searches', near).expect(403);
      expect(refused.body.failcode).toEqual([31007]);

      const { body } = await get('/packages').expect(200);
      const { package_id, rate_id } = body.packages[0];
      const bought = await post('/packages/purchase', { package_id, rate_id, receipt: 'good' }).expect(200);
      expect(bought.body).toMatchObject({ status: 'paid', membership_status: 'active' });

      // The record shows it immediately.
      const record = await get('/users/self').expect(200);
      expect(record.body).toMatchObject({
        platinum: 'y',
        membership_status: 'active',
        autorenew: true,
        daysremaining: body.packages[0].days,
        expirationdate: bought.body.expirationdate,
      });
      await post('/searches', near).expect(200);

      await post('/packages/cancel', {}).expect(200);
      expect((await get('/users/self')).body.autorenew).toBe(false);
    });

    it('accepts signed webhooks without a token, and restricts staff paths to staff', async () => {
      const body = JSON.stringify({ key: 'not ours' });
      const hook = (signature: string) =>
        request(stack.url)
          .post('/packages/webhook/sandbox')
          .set('Content-Type', 'application/json')
          .set('X-Webhook-Signature', signature)
          .send(body);
      const answers = [
        await hook(signed(body)),
        await hook(signed('another body')),
        await as(stack.url, nora).get(`/staff/memberships/${nora.id}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 403, 403]);
    });
  });
}
