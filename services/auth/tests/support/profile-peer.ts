import { failCodes } from '@covalence/contract/failure-codes';
import { conflicting, notFound, tooManyRequests, unavailable } from '@covalence/contract/failure';
import { fileAppeal, readAppeal, type AppealState } from '@covalence/contract/peers/appeals-api';
import {
  alertMember,
  countStaffView,
  memberLocale,
  memberState,
  endPush,
  reactivateMember,
  registerHosted,
  settleMember,
  stopDigest,
} from '@covalence/contract/peers/profile-api';
import type { BearerVerifier } from '@covalence/http/bearer';
import { endpoint, serviceEndpoint, type Caller, type Routes } from '@covalence/http/endpoint';
import { createServiceApp } from '@covalence/http/mount';
import { createServiceGate, type ServiceGate } from '@covalence/http/service-gate';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { listenLocally } from '@covalence/testing/listen-locally';
import { testPublicKeys } from '@covalence/testing/service-tokens';
import { createTestTokens } from '@covalence/testing/test-tokens';
import { createServer } from 'node:http';
import { z } from 'zod';

/** A member as the peer knows it. */
interface PeerMember {
  id: number;
  deactivated: boolean;
  suspended: boolean;
  /** The locale of the member's texts; unknown if absent. */
  locale?: string;
}

/** The registration that the hosted page sends. */
export type HostedRegistration = z.output<typeof registerHosted.input>;

/** A call of a member to the interface. */
interface MemberCall {
  readonly path: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Pick<Caller, 'memberId' | 'id' | 'siteid' | 'family' | 'methods'>;
  readonly address: string;
}

const called = (path: string, recentSignIn?: number) =>
  endpoint({
    access: 'member',
    tag: 'Members',
    operationId: path,
    summary: path,
    description: path,
    answer: path,
    ...(recentSignIn !== undefined && { recentSignIn }),
    input: z.looseObject({}),
    output: z.looseObject({}),
    codes: [failCodes.updatedEmailTaken, failCodes.updatedEmailInvalid],
    async handler({ input, caller: { memberId, id, siteid, family, methods }, address }, peer: ProfilePeer) {
      if (peer.away) throw unavailable();
      const call = { path, input, caller: { memberId, id, siteid, family, methods }, address };
      peer.calls.push(call);
      return peer.answer(call) as Record<string, unknown>;
    },
  });

/** The profile service's internal endpoints that auth calls, on a port of its own, over a map of members. */
export interface ProfilePeer {
  readonly url: string;
  readonly members: Map<string, PeerMember>;
  /** Members asked about by /settle, in order. */
  readonly settled: string[];
  /** Sign-ins whose push messages were to end, in order. */
  readonly pushEnded: string[];
  /** Alerts about the security of accounts, in order. */
  readonly alerts: z.output<typeof alertMember.input>[];
  /** Decisions on members by their ids, and whether they can be appealed. */
  readonly decisions: Map<
    string,
    { readonly member_id: string; state: AppealState; answer?: string; erased?: boolean; isMany?: boolean }
  >;
  /** Appeals that were filed, in order. */
  readonly appeals: z.output<typeof fileAppeal.input>[];
  /** Members whose digest was turned off, in order. */
  readonly digestsStopped: string[];
  /** The number of requests for a member's state. */
  asked: number;
  /** Members whose data staff read, in order, and whether they may read of more. */
  readonly views: number[];
  isLimited: boolean;
  /** Takes a registration of the hosted page. */
  register: (input: HostedRegistration) => Promise<z.output<typeof registerHosted.output>>;
  /** Calls of members, in order. */
  readonly calls: MemberCall[];
  /** Answers a call of a member. */
  answer: (call: MemberCall) => object;
  /** Verifies the access tokens of members. */
  bearer: BearerVerifier;
  /** While true every call answers 503. */
  away: boolean;
  close(): void;
}

const memberOf = ({ members }: ProfilePeer, id: string): PeerMember => {
  const member = members.get(id);
  if (!member) throw notFound();
  return member;
};

const routes: Routes<ProfilePeer> = {
  'POST /members/self': called('POST /members/self'),
  'DELETE /members/self': called('DELETE /members/self', 600),
  'GET /members/self/export': called('GET /members/self/export', 600),
  'POST /internal/members/state': serviceEndpoint(memberState, async (input, peer: ProfilePeer) => {
    peer.asked += 1;
    return memberOf(peer, input.member_id);
  }),
  'POST /internal/members/locale': serviceEndpoint(memberLocale, async (input, { members }: ProfilePeer) => {
    const locale = [...members.values()].find(({ id }) => id === input.id)?.locale;
    if (!locale) throw notFound();
    return { locale, siteid: 1, country: 'US' };
  }),
  'POST /internal/staff/view': serviceEndpoint(countStaffView, async ({ member }, peer: ProfilePeer) => {
    if (peer.isLimited) throw tooManyRequests(60);
    peer.views.push(member);
    return Promise.resolve({});
  }),
  'POST /internal/members/register': serviceEndpoint(registerHosted, (input, peer: ProfilePeer) =>
    peer.register(input),
  ),
  'POST /internal/members/reactivate': serviceEndpoint(
    reactivateMember,
    async (input, { members }: ProfilePeer) => {
      const member = members.get(input.member_id);
      if (member) member.deactivated = false;
      return {};
    },
  ),
  'POST /internal/members/alert': serviceEndpoint(alertMember, async (input, { alerts }: ProfilePeer) => {
    alerts.push(input);
    return {};
  }),
  'POST /internal/notifications/stop-digest': serviceEndpoint(
    stopDigest,
    async (input, { digestsStopped }: ProfilePeer) => {
      digestsStopped.push(input.member_id);
      return {};
    },
  ),
  'POST /internal/decisions/appeal/read': serviceEndpoint(
    readAppeal,
    async (input, { decisions }: ProfilePeer) => {
      const found = decisions.get(input.decision_id);
      if (found?.member_id !== input.member_id) throw notFound();
      const { state, answer, erased = false } = found;
      return { siteid: 1, state, erased, ...(answer !== undefined && { answer }) };
    },
  ),
  'POST /internal/decisions/appeal': serviceEndpoint(
    fileAppeal,
    async (input, { appeals, decisions }: ProfilePeer) => {
      const found = decisions.get(input.decision_id);
      if (found?.state !== 'open') throw conflicting();
      if (found.isMany) throw tooManyRequests(3_600);
      found.state = 'waiting';
      appeals.push(input);
      return {};
    },
  ),
  'POST /internal/push/end': serviceEndpoint(endPush, async (input, { pushEnded }: ProfilePeer) => {
    pushEnded.push(...input.sign_ins.map(({ family }) => family));
    return {};
  }),
  'POST /internal/members/settle': serviceEndpoint(
    settleMember,
    async (input, { settled, members }: ProfilePeer) => {
      settled.push(input.member_id);
      return { exists: members.has(input.member_id) };
    },
  ),
};

export async function startProfilePeer(): Promise<ProfilePeer> {
  const { bearer } = await createTestTokens();
  const logger = createLogger('profile', 'silent');
  const gate = createServiceGate('profile', testPublicKeys, logger);
  const peer: ProfilePeer = {
    url: '',
    members: new Map(),
    settled: [],
    pushEnded: [],
    alerts: [],
    decisions: new Map(),
    appeals: [],
    digestsStopped: [],
    calls: [],
    answer: () => ({}),
    bearer,
    asked: 0,
    views: [],
    isLimited: false,
    away: false,
    register: () => Promise.reject(unavailable()),
    close: () => void server.close(),
  };
  const services: ServiceGate = {
    at: (path) => async (header) => {
      const caller = await gate.at(path)(header);
      if (peer.away) throw unavailable();
      return caller;
    },
  };
  const metrics = createMetrics('profile');
  const server = createServer(
    createServiceApp(routes, peer, {
      logger,
      metrics,
      bearer: { ...bearer, fromHeader: (header) => peer.bearer.fromHeader(header) },
      services,
    }),
  );
  return Object.assign(peer, { url: `http://127.0.0.1:${await listenLocally(server)}` });
}
