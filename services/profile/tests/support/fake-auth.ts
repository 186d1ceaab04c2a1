import { invalidArgument } from '@covalence/contract/failure';
import * as contract from '@covalence/contract/peers/auth-api';
import { findAccounts, recordStaffCall } from '@covalence/contract/peers/staff-api';
import { loginKey } from '@covalence/contract/login-key';
import { serviceEndpoint, type Routes } from '@covalence/http/endpoint';
import { createServiceApp } from '@covalence/http/mount';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { listen } from '@covalence/runtime/lifecycle';
import { openGate } from '@covalence/testing/service-tokens';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { createServer } from 'node:http';
import type { z } from 'zod';
import { fakeKeepers, keptNothing, type Kept } from './fake-keepers.ts';
import { fakeMails, mailedNothing, type Mailed } from './fake-mails.ts';

interface Account {
  readonly id: number;
  readonly siteid: number;
  username: string;
  email: string;
  pending_email?: string;
  protected_emails?: string[];
  confirmed: boolean;
  /** Whether the member has shown that the email address is theirs. */
  addressConfirmed?: boolean;
}

/** The auth service as profile needs it, over real HTTP with the real contract, kept in memory. */
export interface FakeAuth extends Kept, Mailed {
  readonly url: string;
  readonly accounts: Map<string, Account>;
  /** Names of the calls made, in order. */
  readonly calls: string[];
  /** The digests to be mailed, in order. */
  readonly digests: z.output<typeof contract.sendDigest.input>[];
  /** The calls of staff in the audit log, in order. */
  readonly audited: z.output<typeof recordStaffCall.input>[];
  /** Makes the next call of that name answer 500. */
  failNext(name: string): void;
  /** Lets somebody else take the username between the next look-up and its claim. */
  loseNextClaim(): void;
  close(): Promise<void>;
}

export const testClient = { client_id: 'client-of-the-tests', client_secret: 'c2VjcmV0' };

export async function startFakeAuth(): Promise<FakeAuth> {
  const accounts = new Map<string, Account>();
  const calls: string[] = [];
  const digests: z.output<typeof contract.sendDigest.input>[] = [];
  const mailed = mailedNothing();
  const kept = keptNothing();
  const audited: FakeAuth['audited'] = [];
  const failing = new Set<string>();
  /** Names of imported accounts, so that a large import costs next to nothing here. */
  const imported = new Set<string>();

  const taken = (siteid: number, kind: 'username' | 'email', text: string, by?: string) => {
    const wanted = loginKey(text);
    for (const [memberId, account] of accounts) {
      if (memberId !== by && account.siteid === siteid && loginKey(account[kind]) === wanted) return true;
    }
    return false;
  };
  const codesOf = (
    input: {
      siteid: number;
      username?: string | undefined;
      email?: string | undefined;
      password?: string | undefined;
      password_minimum: number;
      look_up_names?: boolean | undefined;
    },
    by?: string,
  ) => {
    if (input.password !== undefined && input.password.length < input.password_minimum) return [10201];
    if (input.look_up_names === false) return [];
    return [
      ...(input.username && taken(input.siteid, 'username', input.username, by) ? [10101] : []),
      ...(input.email && taken(input.siteid, 'email', input.email, by) ? [10302] : []),
    ];
  };
  const accountOf = (memberId: string) => {
    const account = accounts.get(memberId);
    if (!account) throw new Error(`no account of ${memberId}`);
    return account;
  };
  const failIfAsked = (name: string) => {
    if (failing.delete(name)) throw new Error(`${name} fails as asked`);
  };
  const note = (name: string) => {
    calls.push(name);
    failIfAsked(name);
  };

  const routes: Routes<undefined> = {
    'POST /internal/audit': serviceEndpoint(recordStaffCall, async (input) => {
      failIfAsked('audit');
      audited.push(input);
      return Promise.resolve({});
    }),
    'POST /internal/clients/verify': serviceEndpoint(contract.verifyClient, (input) => {
      note('verify');
      if (input.client_id !== testClient.client_id || input.client_secret !== testClient.client_secret) {
        throw invalidArgument();
      }
      return Promise.resolve({ client_id: input.client_id, redirect_uri: 'http://app.test/callback' });
    }),
    'POST /internal/accounts/check': serviceEndpoint(contract.checkAccount, (input) => {
      note('check');
      return Promise.resolve({ failcode: codesOf(input, input.member_id) });
    }),
    'POST /internal/accounts/find': serviceEndpoint(findAccounts, ({ by, value, siteids, limit }) => {
      note(`find-${by}`);
      const wanted = loginKey(value);
      const found = [...accounts].filter(
        ([, account]) =>
          by !== 'sign_in' &&
          siteids.includes(account.siteid) &&
          (by === 'email'
            ? loginKey(account.email) === wanted
            : loginKey(account.username).startsWith(wanted)),
      );
      return Promise.resolve({ member_ids: found.map(([id]) => id).slice(0, limit) });
    }),
    'POST /internal/accounts/reserve': serviceEndpoint(contract.reserveAccount, (input) => {
      note('reserve');
      if (failing.delete('claim')) throw invalidArgument(10101);
      const codes = codesOf(input, input.member_id);
      if (codes.length) throw invalidArgument(...codes);
      const { id, siteid, username, email, email_confirmed: addressConfirmed } = input;
      const fresh = { id, siteid, username, email, addressConfirmed, confirmed: false };
      const account = accounts.get(input.member_id) ?? fresh;
      accounts.set(input.member_id, account);
      return Promise.resolve({ id: account.id });
    }),
    'POST /internal/accounts/confirm': serviceEndpoint(contract.confirmAccount, (input) => {
      note('confirm');
      accountOf(input.member_id).confirmed = true;
      return Promise.resolve({});
    }),
    'POST /internal/accounts/send-digest': serviceEndpoint(contract.sendDigest, (input) => {
      digests.push(input);
      note('send-digest');
      return Promise.resolve({});
    }),
    'POST /internal/codes': serviceEndpoint(contract.issueCode, (input) => {
      note('code');
      return Promise.resolve({ code: `code-of-${input.member_id}` });
    }),
    'POST /internal/accounts/claim-username': serviceEndpoint(contract.claimUsername, (input) => {
      note('claim-username');
      const { siteid } = accountOf(input.member_id);
      if (taken(siteid, 'username', input.username, input.member_id)) throw invalidArgument(10101);
      return Promise.resolve({});
    }),
    'POST /internal/accounts/apply-username': serviceEndpoint(contract.applyUsername, (input) => {
      note('apply-username');
      const account = accountOf(input.member_id);
      if (taken(account.siteid, 'username', input.username, input.member_id)) throw invalidArgument(10101);
      account.username = input.username;
      return Promise.resolve({});
    }),
    'POST /internal/accounts/change-email': serviceEndpoint(contract.changeEmail, (input) => {
      note('change-email');
      const account = accountOf(input.member_id);
      if (taken(account.siteid, 'email', input.email, input.member_id)) throw invalidArgument(20502);
      account.pending_email = input.email;
      return Promise.resolve({});
    }),
    'POST /internal/accounts/emails': serviceEndpoint(contract.readEmail, (input) => {
      failIfAsked('emails');
      const { email, pending_email, protected_emails, addressConfirmed } = accountOf(input.member_id);
      return Promise.resolve({
        email,
        confirmed: addressConfirmed === true,
        ...(pending_email !== undefined && { pending_email }),
        ...(protected_emails && { protected_emails }),
      });
    }),
    'POST /internal/sessions/end': serviceEndpoint(contract.endSessions, () => {
      note('end-sessions');
      return Promise.resolve({});
    }),
    'POST /internal/accounts/notify-deletion': serviceEndpoint(contract.notifyDeletion, () => {
      note('notify-deletion');
      return Promise.resolve({});
    }),
    'POST /internal/accounts/import': serviceEndpoint(contract.importAccounts, (input) => {
      note('import');
      const refused = input.accounts.flatMap(({ member_id, id, siteid, username, email }) => {
        if (accounts.has(member_id)) return [];
        const names: [number, string][] = [
          [10101, username],
          [10302, email],
        ];
        const keys = names.map(([code, text]) => `${siteid}:${code}:${text.toLowerCase()}`);
        const failcode = names.map(([code]) => code).filter((_, index) => imported.has(keys[index] ?? ''));
        if (failcode.length) return [{ member_id, failcode }];
        keys.forEach((key) => imported.add(key));
        accounts.set(member_id, { id, siteid, username, email, confirmed: false });
        return [];
      });
      const there = input.accounts.flatMap(({ member_id }) => {
        const account = accounts.get(member_id);
        return account ? [{ member_id, id: account.id }] : [];
      });
      return Promise.resolve({ accounts: there, refused });
    }),
    'POST /internal/accounts/import/confirm': serviceEndpoint(contract.confirmImported, (input) => {
      note('confirm-imported');
      for (const memberId of input.member_ids) accountOf(memberId).confirmed = true;
      return Promise.resolve({});
    }),
  };

  const app = createServiceApp(
    { ...routes, ...fakeKeepers(note, kept), ...fakeMails(failIfAsked, mailed) },
    undefined,
    {
      logger: createLogger('fake-auth', 'silent'),
      metrics: createMetrics('fake-auth'),
      bearer: (await createTestTokens()).bearer,
      services: openGate(),
      bodyLimit: 16 * 1024 * 1024,
    },
  );
  const server = createServer(app);
  const port = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    accounts,
    calls,
    digests,
    audited,
    ...kept,
    ...mailed,
    failNext: (name) => void failing.add(name),
    loseNextClaim: () => void failing.add('claim'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
