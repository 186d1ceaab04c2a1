import { listenLocally } from '@covalence/testing/listen-locally';
import { innerUrl } from '@covalence/stack/services/service-environment';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import { v7 } from 'uuid';
import type { CommandStack } from '../command-stack.ts';
import { runCommand } from '../run-command.ts';
import { writeLines } from '../members/import-files.ts';

/** Inputs of the cases: a stack, and a function that makes a line of an import file. */
interface StaffParts {
  readonly stack: CommandStack;
  readonly person: (parameters?: object) => { readonly username: string; readonly email: string };
}

/** The work of Customer Service from a terminal. */
export function staffCases(parts: () => StaffParts): void {
  const local = (...args: string[]) => runCommand([...args, '--data', parts().stack.folder]);
  const staff = (...args: string[]) => local('staff', ...args);
  /** An appeal against the first suspension of a member, as the hosted page files it. */
  const appealSuspension = async (id: string): Promise<string> => {
    const { collectionOf } = parts().stack;
    const member = Number(id);
    const suspension = { member, action: 'suspend' };
    const found = await collectionOf('profile', 'decisions', (all) => all.findOne(suspension));
    const appeal = {
      _id: v7() as never,
      decision: found?._id,
      member,
      siteid: 2,
      text: 'I was \u001b[2J on holiday.',
      at: new Date(),
      waits: true,
    };
    await collectionOf('profile', 'appeals', (all) => all.insertOne(appeal));
    return String(appeal._id);
  };

  /** Stores a sign-in of a member, as an exchanged code leaves it. */
  const signInOnce = async (id: string): Promise<void> => {
    const { collectionOf } = parts().stack;
    const account = await collectionOf('auth', 'accounts', (all) => all.findOne({ id: Number(id) }));
    const at = new Date();
    const family = {
      _id: v7().padEnd(43, '_') as never,
      account_id: account?._id,
      grant: JSON.stringify({ clientId: 'phone' }),
      device_name: 'Phone \u001b[2J of Ann',
      subject: { id: Number(id), siteid: 2, staff: false },
      begun_at: at,
      checked_at: at,
      expires_at: new Date(at.getTime() + 3_600_000),
    };
    await collectionOf('auth', 'families', (all) => all.insertOne(family));
  };

  describe('covalence staff', () => {
    const headline = 'Write me: ann@mail.example';
    let people: ReturnType<StaffParts['person']>[];
    const numbers = new Map<string, string>();
    const numberOf = (index: number) => numbers.get(people[index]?.username ?? '') ?? '';
    beforeAll(async () => {
      const { person, stack } = parts();
      people = [
        person({ siteid: 2, userstatus: 'new', about_me: 'Steers \u001b[2J the terminal' }),
        person({ siteid: 2, userstatus: 'new' }),
        person({ siteid: 1, headline }),
      ];
      await staff('add', 'grace', 'moderator', 'support');
      await local('members', 'import', writeLines(stack.folder, 'staff.ndjson', people));
      const queues = [await staff('queue', 'profile'), await staff('queue', 'text')];
      for (const [, id = '', username = ''] of queues.flatMap(({ out }) => [
        ...out.matchAll(/^(\d+) {2}(\w+)/gm),
      ])) {
        numbers.set(username, id);
      }
    });

    it('lists the queue, filtered and in pages, oldest first', async () => {
      const all = await staff('queue', 'profile', '--site', '2');
      expect(all.out).toContain(`${numberOf(0)}  ${people[0]?.username}  new  site 2  Female, `);
      expect(all.out).toContain('about_me: Steers  [2J the terminal');
      const first = await staff('queue', 'profile', '--page-size', '1');
      const cursor = /More: --cursor (\S+)$/.exec(first.out)?.[1] ?? '';
      const second = await staff('queue', 'profile', '--page-size', '1', '--cursor', cursor);
      expect(`${first.out.replace(/\nMore.*/, '')}\n${second.out}`).toBe(all.out);
      expect((await staff('queue', 'profile', '--site', '1')).out).toBe('The queue is empty.');
      expect((await staff('queue', 'profile', '--older-than', '3600')).out).toBe('The queue is empty.');
      expect((await staff('queue', 'text', '--unflagged')).out).toBe('The queue is empty.');
      expect((await staff('queue', 'profile', '--sort', 'risk')).out).toBe(all.out);
      expect((await staff('queue', 'profile', '--sort', 'name')).problem).toMatch(
        /^The queue is profile, text/,
      );
      expect((await staff('queue', 'photo')).out).toBe('The queue is empty.');
      expect((await staff('queue', 'report')).out).toBe('The queue is empty.');
    });

    it('finds members by username and email address, also one from standard input', async () => {
      const username = people[1]?.username ?? '';
      const email = people[1]?.email ?? '';
      // Longer usernames may follow.
      const line = new RegExp(`^${numberOf(1)}  ${username}  new  site 2  registered \\S+$`, 'm');
      expect((await staff('find', 'username', username, '--site', '2')).out).toMatch(line);
      const typed = await runCommand(
        ['staff', 'find', 'email', '-', '--data', parts().stack.folder],
        {},
        `${email}\n`,
      );
      expect(typed.out).toMatch(line);
      expect((await staff('find', 'email', email, '--site', '1')).out).toBe('Nobody was found.');
      expect((await staff('find', 'phone', '1')).problem).toMatch(/^The kind is id, username/);
    });

    it('decides on the shown revision, once, and records the account', async () => {
      const id = numberOf(0);
      const seen = await staff('show', id);
      const revision = /^ +revision (\S+)$/m.exec(seen.out)?.[1] ?? '';
      expect((await staff('approve', id, '--revision', 'another')).problem).toMatch(/^It has changed since/);
      expect((await staff('approve', id, '--revision', revision)).out).toBe('Done.');
      expect((await staff('approve', id)).out).toBe('Nothing has changed.');
      expect((await staff('reject', id)).problem).toMatch(/^A restriction needs --reason/);
      expect((await staff('reject', id, '--reason', 'Not a person', '--as', 'grace')).out).toBe('Done.');
      expect((await staff('suspend', id)).problem).toMatch(/^A restriction needs --reason/);
      expect((await staff('suspend', id, '--reason-id', 'terms')).out).toBe('Done.');
      expect((await staff('show', id)).out).toMatch(/^\d+ {2}\w+ {2}rejected, suspended {2}/);
      for (const action of ['unsuspend', 'delete', 'undelete'])
        expect((await staff(action, id, '--reason', 'Asked for it')).out).toBe('Done.');
      expect((await staff('approvals')).out).toBe('Nothing waits for a second person.');
      expect((await staff('approvals', '--ended')).out).toBe('No request has ended.');
      const history = await staff('history', id);
      expect(history.out.split('\n').map((line) => line.replace(/^\S+ {2}/, ''))).toEqual([
        'grace  undelete  Asked for it',
        'grace  delete  Asked for it',
        'grace  unsuspend  Asked for it',
        'grace  view-member',
        'grace  suspend  It does not meet the terms of use.',
        'grace  reject  approved → rejected  Not a person',
        'grace  approve  new → approved',
        'grace  view-member',
      ]);
    });

    it('counts what waits, undoes a decision, and keeps notes', async () => {
      const id = numberOf(1);
      const profiles = async (...site: string[]) => {
        const { out } = await staff('summary', ...site);
        const [, waiting = 0, claimed] = /^profile {2}site 2 {2}(\d+) wait, (\d+) claimed/m.exec(out) ?? [];
        return { waiting: Number(waiting), claimed };
      };
      const { waiting } = await profiles();
      const made = JSON.parse((await staff('approve', id, '--json')).out) as { decision_id: string };
      expect((await profiles()).waiting).toBe(waiting - 1);
      expect((await staff('undo', made.decision_id)).out).toBe('Done.');
      expect(await profiles('--site', '2')).toEqual({ waiting, claimed: '1' });
      expect((await staff('undo', made.decision_id)).problem).toMatch(/^There is no such decision/);
      expect((await staff('notes', id)).out).toBe('No notes yet.');
      expect((await staff('note', id, 'Called \u001b[2J back', '--about-others')).out).toBe('Done.');
      expect((await staff('notes', id)).out).toMatch(/^\S+ {2}grace {2}about others {2}Called {2}\[2J back$/);
    });

    it('lists saved reasons, and lists and shows the evidence of reports', async () => {
      const id = numberOf(1);
      expect((await staff('reasons')).out).toMatch(/^scam {2}account {2}terms {2}.*fraud {2}/m);
      expect((await staff('evidence', id)).out).toBe('No report keeps anything.');
      const at = new Date();
      const kept = {
        _id: v7() as never,
        reported: Number(id),
        reporter: 1,
        category: 'scam',
        reason: 'Asks for \u001b[2J money',
        at,
        texts: { headline: 'Rich' },
        pending: { city: 'Paris' },
        photos: [],
        messages: [{ by: 'reported', text: 'Send \u001b[2J money', at }],
        digest: '',
        checked_at: at,
      };
      await parts().stack.collectionOf('profile', 'evidence', (all) => all.insertOne(kept));
      const line = `${String(kept._id)}  ${at.toISOString()}  by 1  scam  Asks for  [2J money`;
      expect((await staff('evidence', id)).out).toBe(`${line}  0 photos, 1 messages`);
      expect((await staff('show-evidence', String(kept._id))).out.split('\n')).toEqual([
        line,
        '    headline: Rich',
        '    city: Paris  (waited)',
        `    ${at.toISOString()}  reported: Send  [2J money`,
      ]);
      expect((await staff('history', id)).out).toMatch(/^\S+ {2}grace {2}view-evidence$/m);
      expect((await staff('show-evidence', v7())).problem).toBe('There is no such evidence.');
    });

    it('lists and ends sign-ins, and begins and stops the recovery of an account', async () => {
      const id = numberOf(1);
      await signInOnce(id);
      const { out } = await staff('sessions', id);
      expect(out).toMatch(/^\S{43} {2}Phone {2}\[2J of Ann {2}since \S+Z {2}last used \S+Z$/);
      expect((await staff('end-sessions', id, out.slice(0, 43))).out).toBe('Done.');
      expect((await staff('sessions', id)).out).toBe('Signed in nowhere.');
      expect((await staff('end-sessions', id, 'none')).problem).toMatch(/or no such sign-in\.$/);
      expect((await staff('end-sessions', id)).out).toBe('Done.');
      await staff('roles', 'grace', 'moderator');
      expect((await staff('recover', id)).problem).toMatch(/^You need the role support/);
      await staff('roles', 'grace', 'moderator', 'support');
      expect((await staff('stop-recovery', id)).problem).toMatch(/or no recovery\.$/);
      const begun = /^recovery begun by customer service: its link works from \S+Z until \S+Z$/;
      expect((await staff('recover', id)).out).toMatch(begun);
      const [nowhere, recovery] = (await staff('sessions', id)).out.split('\n');
      expect([nowhere, recovery]).toEqual(['Signed in nowhere.', expect.stringMatching(begun)]);
      expect((await staff('stop-recovery', id)).out).toBe('Done.');
    });

    it('claims and releases entries, and lists and removes bans', async () => {
      const id = numberOf(1);
      expect((await staff('claim', 'profile', id)).out).toMatch(new RegExp(`^${id} {2}`));
      expect((await staff('release', 'profile', id)).out).toBe('Done.');
      expect((await staff('suspend', id, '--ban', '--reason-id', 'terms')).out).toMatch(
        /^Done\.\nEntries of the ban list: 1, /,
      );
      const { out } = await staff('bans', '--member', id);
      expect(out).toMatch(new RegExp(`^[\\w-]{36} {2}email {2}site 2 {2}member ${id} {2}`));
      expect((await staff('unban', out.slice(0, 36))).out).toBe('Done.');
    });

    it('decides on texts with contact data', async () => {
      const id = numberOf(2);
      const waiting = await staff('queue', 'text', '--flagged', '--site', '1');
      expect(waiting.out).toMatch(
        new RegExp(`headline {2}\\[email\\] {2}revision \\S+\\n +now: \\n? *new: ${headline}`),
      );
      expect((await staff('approve-text', id, 'headline')).out).toBe('Done.');
      expect((await staff('show', id)).out).toContain(`headline: ${headline}`);
      expect((await staff('reject-text', id, 'headline', '--reason', 'No')).out).toBe('Nothing has changed.');
    });

    it.each([
      [['show', '999999'], /^There is no such member/],
      [['transparency', '2020-01', '2020-01'], /^A month is not over, or was not counted\.$/],
      [['close-report', 'none'], /^There is no such member, text, photo or report\.$/],
      [['approve-request', 'none'], /^Another account than the one that asked/],
      [['queue', 'everything'], /^The queue is profile, text, photo or report/],
      [['approve', '1', '--as', 'nobody'], /^There is no staff account nobody/],
    ])('%j is rejected with one line', async (args, line) => {
      const refused = await staff(...args);
      expect(refused).toMatchObject({ code: 1, out: '', problem: expect.stringMatching(line) });
      expect(refused.problem.split('\n')).toHaveLength(1);
    });

    it('names the address of a service that answers without JSON', async () => {
      const { ports, instance } = parts().stack;
      const page = createServer((_request, response) => {
        response.setHeader('Content-Type', 'text/html').end('<p>Welcome</p>');
      });
      const url = `http://127.0.0.1:${await listenLocally(page)}`;
      const refused = await runCommand(['staff', 'queue', 'profile'], {
        AUTH_URL: innerUrl(ports, 'auth'),
        STAFF_SECRET: instance.serviceSecrets['staff-cli'],
        PROFILE_URL: url,
      }).finally(() => page.close());
      expect(refused).toEqual({
        code: 1,
        out: '',
        problem: `${url} does not answer as the profile service does. Is the address right?`,
      });
    });

    it('decides on appeals as another account than the decision, and requires --as when there are several', async () => {
      const id = numberOf(1);
      const appeal = await appealSuspension(id);
      expect((await staff('summary')).out).toContain('appeal  site 2  1 wait, 0 claimed, since ');
      const listed = (await staff('appeals')).out.split('\n').map((line) => line.trim());
      expect(listed).toEqual([
        expect.stringMatching(`^${appeal}  member ${id}  site 2  since \\S+  \\(your decision\\)$`),
        expect.stringMatching(/^suspend {2}\S+ by grace$/),
        'It does not meet the terms of use.',
        'appeal: I was  [2J on holiday.',
      ]);
      const refused = await staff('refuse-appeal', appeal, '--reason-id', 'scam');
      expect(refused.problem).toMatch(/^The account that made the decision cannot decide on the appeal; /);
      await staff('add', 'alan', 'moderator');
      expect((await staff('approve', numberOf(1))).problem).toMatch(
        /^There are several staff accounts: choose one with --as/,
      );
      await staff('disable', 'grace');
      expect((await staff('approve', numberOf(1), '--as', 'grace')).problem).toMatch(/or it is disabled/);
      expect((await staff('refuse-appeal', appeal)).problem).toMatch(/a refusal needs an answer/);
      expect((await staff('grant-appeal', appeal, '--answer', 'You were right')).out).toBe('Done.');
      expect((await staff('refuse-appeal', appeal, '--answer', 'No')).problem).toMatch(/^Somebody else has/);
      expect((await staff('appeals')).out).toBe('No appeals wait.');
      expect((await staff('unsuspend', id)).out).toBe('Nothing has changed.');
    });

    it('names the member of a payment that hangs, and shows the payment', async () => {
      const member = Number(numberOf(2));
      const at = new Date(Date.now() - 7_200_000);
      const key = `${member}:purchase:1`;
      const payment = {
        _id: key as never,
        member,
        kind: 'purchase',
        package_id: 1,
        rate_id: 101,
        days: 30,
        amount: 3_000,
        currency: 'USD',
        provider: 'sandbox',
        state: 'open',
        at,
        look_at: new Date(Date.now() + 3_600_000),
      };
      await parts().stack.collectionOf('billing', 'payments', (all) => all.insertOne(payment));
      const state = await local('operations');
      expect(state.code).toBe(1);
      expect(state.out).toContain(
        `billing: has payments that neither succeeded nor failed (1) since ${at.toISOString()} of members ${member} ->`,
      );
      await staff('roles', 'alan', 'support');
      expect((await staff('membership', String(member))).out).toBe(
        `none  does not renew\n    ${at.toISOString()}  purchase  3000 USD  open payment ${key}`,
      );
    });

    it('shows and corrects a membership, with a preview first', async () => {
      const id = numberOf(1);
      await staff('roles', 'alan', 'support');
      expect((await staff('membership', id)).out).toBe('none  does not renew');
      const correction = ['--rate', '101', '--end', new Date(Date.now() + 86_400_000).toISOString()];
      const correct = (...more: string[]) => staff('correct-membership', id, ...correction, ...more);
      const refused = await correct('--preview');
      expect(refused.out).toBe('It would be refused: Reason Required.');
      const asked = ['--reason', 'Goodwill \u001b[2J', '--renewal', 'off'];
      expect((await correct(...asked, '--preview')).out).toMatch(
        /^It would be: active {2}until \S+ {2}package 1, rate 101 {2}does not renew\nNothing was done: /,
      );
      expect((await staff('membership', id)).out).toBe('none  does not renew');
      expect((await correct(...asked)).out).toMatch(
        /^active {2}until \S+ .*\n {4}\S+ {2}correction {2}0 USD {2}by alan {2}Goodwill {2}\[2J$/,
      );
      expect((await staff('correct-membership', id, '--renewal', 'maybe')).code).toBe(1);
      expect((await correct('--reason', 'x', '--refund', 'none')).problem).toMatch(/Payment Not Found/);
    });
  });
}
