import type { Clock } from '@covalence/runtime/clock';
import type { Logger } from '@covalence/runtime/logger';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { errors, type AdapterPayload } from 'oidc-provider';
import type { Seal } from '../keys/seal.ts';
import { graceMs } from './lifetimes.ts';
import { noteRefresh, refreshNote, type RefreshAnswer } from './request-notes.ts';
import type { RefreshTokenStore, StoredRefreshToken } from './refresh-token-store.ts';
import type { ShortLivedStore } from './short-lived-store.ts';

/** A request that an adapter works for. */
type RequestContext = { readonly req: IncomingMessage } | undefined;

/**
 * The rules of D42 and D52 for refresh tokens: each is used once; for two minutes, or until the pair it was exchanged
 * for is refreshed, it is answered with that same pair; later reuse revokes the family.
 */
export interface RefreshRotation {
  /** A stored token as the provider shall see it: good, used (which revokes its family), or not at all. */
  present(token: StoredRefreshToken, context: RequestContext): Promise<AdapterPayload | undefined>;
  /** Uses a token; of several requests with one token a single one gets past here. */
  consume(id: string, context: RequestContext): Promise<void>;
  /** Keeps the answer of a refresh for those who ask again. */
  keepAnswer(id: string, answer: RefreshAnswer): Promise<void>;
}

/** What the rotation works with. */
export interface RotationDependencies {
  readonly refreshTokens: RefreshTokenStore;
  readonly shortLived: ShortLivedStore;
  readonly seal: Seal;
  readonly logger: Logger;
  readonly now: Clock;
}

const kind = 'refresh-answer';
/** How long a request waits for the answer of another one that was faster (D52). */
const patienceMs = 2_000;
const lookAgainMs = 25;
/** A use that has no answer after this long never gets one: its process died. The token may then be used again. */
const lostMs = 5_000;

const payloadOf = (token: StoredRefreshToken): AdapterPayload => JSON.parse(token.payload) as AdapterPayload;

/** Creates the rotation rules over the stores. */
export function createRefreshRotation(dependencies: RotationDependencies): RefreshRotation {
  const { refreshTokens, shortLived, seal, logger, now } = dependencies;

  const readAnswer = async (id: string): Promise<RefreshAnswer | undefined> => {
    const kept = await shortLived.find(kind, id);
    const text = kept && seal.open('refresh-answers', kept.payload, id);
    return text === undefined ? undefined : (JSON.parse(text) as RefreshAnswer);
  };

  /** Without Redis a refresh goes on; only the answers of earlier ones are missing. */
  const findAnswer = (id: string) =>
    readAnswer(id).catch((error: unknown) => {
      logger.warn({ err: error }, 'the answers of refreshes cannot be read');
      return undefined;
    });

  const awaitAnswer = async (id: string): Promise<RefreshAnswer | undefined> => {
    for (let waited = 0; waited < patienceMs; waited += lookAgainMs) {
      const answer = await findAnswer(id);
      if (answer) return answer;
      await wait(lookAgainMs);
    }
    return undefined;
  };

  const presentUsed = async (token: StoredRefreshToken, usedAt: Date, context: RequestContext) => {
    const payload = payloadOf(token);
    const age = now().getTime() - usedAt.getTime();
    const reused = { ...payload, consumed: Math.floor(usedAt.getTime() / 1000) };
    if (age > graceMs || (await refreshTokens.successorUsed(token))) return reused;
    const isLost = age > lostMs;
    const answer = isLost ? await findAnswer(token._id) : await awaitAnswer(token._id);
    if (!answer && isLost) {
      noteRefresh(context?.req, { usedAt });
      return payload;
    }
    noteRefresh(context?.req, answer ? { answer } : { unanswered: true });
    return undefined;
  };

  return {
    async present(token, context) {
      const { consumed_at: usedAt } = token;
      return usedAt ? presentUsed(token, usedAt, context) : payloadOf(token);
    },
    async consume(id, context) {
      const before = refreshNote(context?.req)?.usedAt ?? null;
      if (await refreshTokens.consume(id, before, now())) return;
      const answer = await awaitAnswer(id);
      noteRefresh(context?.req, answer ? { answer } : { unanswered: true });
      throw new errors.InvalidGrant({ detail: 'refresh token used by another request' });
    },
    async keepAnswer(id, answer) {
      const sealed = seal.seal('refresh-answers', JSON.stringify(answer), id);
      await shortLived.save(kind, id, sealed, graceMs / 1000).catch((error: unknown) => {
        logger.warn({ err: error }, 'the answer of a refresh cannot be kept');
      });
    },
  };
}
