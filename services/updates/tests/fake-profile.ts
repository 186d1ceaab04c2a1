import {
  addPushDevice,
  addPushId,
  presenceRecipients,
  pushTargets,
  removePushDevices,
} from '@covalence/contract/peers/profile-api';
import { createServiceTokenVerifier } from '@covalence/http/service-gate';
import { listen } from '@covalence/runtime/lifecycle';
import { testPublicKeys } from '@covalence/testing/service-tokens';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';

type Target = z.output<typeof pushTargets.output>['targets'][number];

/** A profile service with devices in memory that implements the calls of the contract. */
export async function startFakeProfile() {
  const targets = new Map<number, Target>();
  /** Recipients of presence, by member. */
  const recipients = new Map<number, { shown: boolean; recipients: number[] }>();
  /** The ids of each call about presence. */
  const presenceCalls: number[][] = [];
  /** Each call about the targets of push messages. */
  const pushCalls: z.output<typeof pushTargets.input>[] = [];
  /** The sign-in of each call that adds or removes devices. */
  const askedBy: { id: number; family: string | undefined; recent_sign_in: boolean }[] = [];
  /** Replacement answers by numeric id. */
  const refused = new Map<number, { status: number; body: object }>();
  const legacyIds = new Map<number, string[]>();
  const pushIds = (id: number) => ({
    push_ids: [...(legacyIds.get(id) ?? []), ...(targets.get(id)?.devices.length ? ['subscribed'] : [])],
  });
  const calls = new Map<string, (body: unknown) => object>(
    Object.entries({
      '/internal/push/add': (body: unknown) => {
        const { id, member_id: _, recent_sign_in, ...device } = addPushDevice.input.parse(body);
        askedBy.push({ id, family: device.family, recent_sign_in });
        const target = targets.get(id) ?? { id, title: 'Heartland', locale: 'en_US', devices: [], muted: [] };
        const others = target.devices.filter(({ endpoint }) => endpoint !== device.endpoint);
        const added_at = new Date().toISOString();
        targets.set(id, { ...target, devices: [...others, { ...device, added_at }] });
        return pushIds(id);
      },
      '/internal/push/add-id': (body: unknown) => {
        const { id, push_id } = addPushId.input.parse(body);
        legacyIds.set(id, [...(legacyIds.get(id) ?? []), push_id]);
        return pushIds(id);
      },
      '/internal/push/remove': (body: unknown) => {
        const { id, endpoint, push_id, family, recent_sign_in } = removePushDevices.input.parse(body);
        askedBy.push({ id, family, recent_sign_in });
        if (endpoint === undefined) {
          legacyIds.set(id, push_id ? (legacyIds.get(id) ?? []).filter((one) => one !== push_id) : []);
        }
        if (push_id !== undefined) return pushIds(id);
        const target = targets.get(id);
        const devices = target?.devices.filter((one) => endpoint !== undefined && one.endpoint !== endpoint);
        if (target) targets.set(id, { ...target, devices: devices ?? [] });
        return pushIds(id);
      },
      '/internal/presence/recipients': (body: unknown) => {
        const { ids } = presenceRecipients.input.parse(body);
        presenceCalls.push(ids);
        return {
          members: ids.flatMap((id) => {
            const known = recipients.get(id);
            return known ? [{ id, ...known }] : [];
          }),
        };
      },
      '/internal/push/targets': (body: unknown) => {
        const asked = pushTargets.input.parse(body);
        pushCalls.push(asked);
        const { ids } = asked;
        return { targets: ids.flatMap((id) => targets.get(id) ?? []) };
      },
    }),
  );
  const callerOf = createServiceTokenVerifier('profile', testPublicKeys);
  /** The answer to the body of a call. */
  const answerTo = (path: string, sent: string): { status: number; body: object } => {
    const body = JSON.parse(sent) as { id?: number; ids?: number[] };
    const refusal = [body.id ?? 0, ...(body.ids ?? [])].map((id) => refused.get(id)).find(Boolean);
    const answer = refusal ? refusal.body : calls.get(path)?.(body);
    return { status: refusal?.status ?? (answer ? 200 : 404), body: answer ?? {} };
  };
  const server = createServer((request, response) => {
    const end = ({ status, body }: { status: number; body: object }) =>
      response.writeHead(status).end(JSON.stringify(body));
    const caller = callerOf(request.headers.authorization).catch(() => undefined);
    const answered = Promise.all([caller, text(request)]).then(([name, body]) =>
      end(name === 'updates' ? answerTo(request.url ?? '', body) : { status: 401, body: {} }),
    );
    answered.catch((error: Error) => response.destroy(error));
  });
  const port = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    targets,
    recipients,
    presenceCalls,
    pushCalls,
    askedBy,
    calls,
    refused,
    close: () => server.close(),
  };
}
