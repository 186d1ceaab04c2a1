import {
  memberLocale,
  memberState,
  reactivateMember,
  settleMember,
} from '@covalence/contract/internal/profile-api';
import { checkServiceToken } from '@covalence/http/service-token';
import { listenLocally } from '@covalence/testing/listen-locally';
import express from 'express';
import { createServer } from 'node:http';

/** A member as the peer knows it. */
interface PeerMember {
  id: number;
  deactivated: boolean;
  suspended: boolean;
  /** What the member reads texts in; without one it is not known here. */
  locale?: string;
}

/** The profile service's internal endpoints that auth calls, on a port of its own, over a map of members. */
export interface ProfilePeer {
  readonly url: string;
  readonly members: Map<string, PeerMember>;
  /** Members asked about by /settle, in order. */
  readonly settled: string[];
  /** How often it was asked how a member stands. */
  asked: number;
  /** While true every call answers 503. */
  away: boolean;
  close(): void;
}

export async function startProfilePeer(secret: string): Promise<ProfilePeer> {
  const app = express();
  const server = createServer(app);
  const peer: ProfilePeer = {
    url: '',
    members: new Map(),
    settled: [],
    asked: 0,
    away: false,
    close: () => void server.close(),
  };
  app.use(express.json());
  app.use((request, response, next) => {
    checkServiceToken(request.headers.authorization, secret);
    if (peer.away) response.status(503).json({ fail: 'Service Unavailable' });
    else next();
  });
  app.post('/internal/members/state', (request, response) => {
    peer.asked += 1;
    const member = peer.members.get(memberState.input.parse(request.body).member_id);
    if (member) response.json(member);
    else response.status(404).json({ fail: 'Not Found' });
  });
  app.post('/internal/members/locale', (request, response) => {
    const { id } = memberLocale.input.parse(request.body);
    const locale = [...peer.members.values()].find((member) => member.id === id)?.locale;
    if (locale) response.json({ locale });
    else response.status(404).json({ fail: 'Not Found' });
  });
  app.post('/internal/members/reactivate', (request, response) => {
    const member = peer.members.get(reactivateMember.input.parse(request.body).member_id);
    if (member) member.deactivated = false;
    response.json({});
  });
  app.post('/internal/members/settle', (request, response) => {
    const { member_id } = settleMember.input.parse(request.body);
    peer.settled.push(member_id);
    response.json({ exists: peer.members.has(member_id) });
  });
  return Object.assign(peer, { url: `http://127.0.0.1:${await listenLocally(server)}` });
}
