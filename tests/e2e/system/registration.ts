import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import request from 'supertest';
import { openBrowser } from '../support/browser.ts';
import { as, registration } from '../support/members.ts';
import type { System } from '../support/system.ts';

/** The answers that site 1 requires for a complete profile. */
const answers = {
  headline: 'Lakes and long walks',
  about_me: 'I like lakes.',
  build: '20',
  height: '172',
  smoking: '10',
  drinking: '20',
};

/** A browser that opens `prompt=create` of an app without a secret, as far as the form. */
async function openForm(stack: System) {
  const { client_id, redirect_uri } = stack.demo.public_client;
  const code_verifier = randomBytes(32).toString('base64url');
  // RFC 8252: a loopback address with the port that the app has now.
  const back = redirect_uri.replace('127.0.0.1', '127.0.0.1:51004');
  const query = new URLSearchParams({
    client_id,
    redirect_uri: back,
    response_type: 'code',
    prompt: 'create',
    siteid: '1',
    state: randomBytes(8).toString('hex'),
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const browser = openBrowser(stack.url);
  const page = await browser.open(`/authorize?${query.toString()}`);
  return {
    /** Sends the form; the answer that is a page, or leads to the app. */
    submit: (entries: object) => browser.submit(page, entries),
    exchange: (code: string) =>
      request(stack.url)
        .post('/token')
        .type('form')
        .send({ client_id, redirect_uri: back, code, code_verifier, grant_type: 'authorization_code' }),
  };
}

/** Entries of site 1's registration form. */
export function person(stack: System, overrides: object = {}) {
  const { username, password, email } = registration(stack.demo);
  const place = { country: 'US', city: 'Lincoln', state: 'Nebraska', zip: '68502' };
  const about = { gender: 'Female', gender_preference: 'Male', date_of_birth: '1990-04-23' };
  return { username, password, email, ...place, ...about, ...answers, ...overrides };
}

/** Registration without a client secret. */
export function registrationCases(system: () => System): void {
  describe('a registration in the browser, through the gateway', () => {
    let stack: System;
    beforeAll(() => {
      stack = system();
    });

    it('makes a complete member for an app without a secret', async () => {
      const form = await openForm(stack);
      const entries = person(stack);
      const end = await form.submit(entries);
      const code = new URL(end.headers['location'] ?? '').searchParams.get('code') ?? '';
      const { body: tokens } = await form.exchange(code).expect(200);
      const { body } = await as(stack.url, { tokens }).get('/users/self').expect(200);
      expect(body).toMatchObject({
        username: entries.username,
        email: entries.email,
        headline: answers.headline,
        city: 'Lincoln',
        missing_required_fields: [],
      });
      expect(body.answers).toBeDefined();
    });

    it('refuses what POST /members refuses, in words', async () => {
      const [form, taken] = [await openForm(stack), registration(stack.demo)];
      await request(stack.url).post('/members').send(taken).expect(200);
      const page = await form.submit(person(stack, { email: taken['email'] }));
      expect(page.text).toContain('There is an account with this email address already.');
      const young = await form.submit(person(stack, { date_of_birth: '2020-01-01', password: 'password1' }));
      expect(young.text).toContain('at least 18 years old');
      expect(young.text).toContain('too common');
    });
  });
}
