import { clientDefaults } from '@covalence/contract/internal/auth-api';
import type { Clock } from '@covalence/runtime/clock';
import { errors, type AdapterPayload } from 'oidc-provider';
import type { Family, FamilyStore } from './family-store.ts';
import type { Seal } from '../../keys/seal.ts';
import { grantReserveMs } from '../lifetimes.ts';
import { textHash } from './last-text.ts';
import type { NextToken, RefreshAnswer, RequestNotes, TokenReference } from '../provider/request-state.ts';

/**
 * The rules for refresh tokens: each is used once; for the grace of its client, or until the pair it was exchanged for is
 * refreshed, it is answered with that same pair; reuse that comes in later revokes the family.
 */
export interface RefreshRotation {
  /** A token that is ours, as the provider shall see it: good, used (which revokes its family), or not at all. */
  present(token: TokenReference, family: Family, notes: RequestNotes): AdapterPayload | undefined;
  /** Gives a family its first token. */
  begin(family: string, first: NextToken, notes: RequestNotes): Promise<void>;
  /**
   * Exchanges the token `used` for the next one, with the answer that says so, in one write. Returns the answer to give:
   * this one, or that of a request that was faster; undefined where the family has ended. The answer is given again for
   * `graceSeconds`.
   */
  complete(
    used: string,
    answer: RefreshAnswer,
    graceSeconds: number,
    notes: RequestNotes,
  ): Promise<RefreshAnswer | undefined>;
}

/** What the rotation works with. */
export interface RotationDependencies {
  readonly families: FamilyStore;
  readonly seal: Seal;
  readonly now: Clock;
}

const defaultGraceMs = clientDefaults.refresh_grace_seconds * 1000;
const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

/**
 * Whether a request with a token from before was late and is no reuse: it had come in before the family's last
 * exchange, or whoever sent it has given it up meanwhile, as apps do before they try again.
 */
const wasLate = ({ rotated_at: rotated }: Family, { arrival }: RequestNotes): boolean =>
  arrival !== undefined && ((rotated !== undefined && arrival.at <= rotated) || arrival.isAbandoned());

/** Creates the rotation rules over the store. */
export function createRefreshRotation({ families, seal, now }: RotationDependencies): RefreshRotation {
  /** The answer that the exchange of `id` got. */
  const answerOf = (id: string, family: Family | undefined): RefreshAnswer | undefined => {
    const { previous, answer, ended_at: ended } = family ?? {};
    if (ended || previous !== id || answer === undefined) return undefined;
    const text = seal.open('refresh-answers', answer, id);
    return text === undefined ? undefined : (JSON.parse(text) as RefreshAnswer);
  };

  const isInGrace = ({ answered_until, rotated_at }: Family): boolean => {
    // The version before kept no such time; where it is on duty still, its answers are given again for as long as by default.
    const until = answered_until?.getTime() ?? (rotated_at?.getTime() ?? 0) + defaultGraceMs;
    return now().getTime() <= until;
  };

  return {
    present({ id, expires }, family, notes) {
      if (family.ended_at || family.token === undefined) return undefined;
      notes.family = family;
      const payload = JSON.parse(family.token) as AdapterPayload;
      if (id === family.current) return payload;
      const answer = isInGrace(family) ? answerOf(id, family) : undefined;
      if (answer) {
        notes.answer = answer;
        return undefined;
      }
      // One of several, which its family overtook: it fails alone.
      if (wasLate(family, notes)) return undefined;
      // Its envelope is ours: it was good once, and another one has taken its place.
      return { ...payload, jti: id, exp: expires, consumed: seconds(family.rotated_at ?? now()) };
    },
    async begin(family, { id, payload }, { subject, checkedAt = now() }) {
      if (!subject) throw new Error('tokens without a subject');
      const tokens = { current: id, token: payload, checked_at: checkedAt, subject };
      if (!(await families.issue(family, tokens)))
        throw new errors.InvalidGrant({ detail: 'the sign-in was ended' });
    },
    async complete(used, answer, graceSeconds, { family, next, checkedAt = now() }) {
      if (!family || !next) throw new Error('a refresh without its tokens');
      const rotatedAt = now();
      const isFinal = family.expires_at < next.expires;
      const rotated = await families.rotate({
        family: family._id,
        current: next.id,
        token: next.payload,
        text_hash: textHash(String(answer.body['refresh_token'])),
        previous: used,
        rotated_at: rotatedAt,
        answer: seal.seal('refresh-answers', JSON.stringify(answer), used),
        answered_until: new Date(rotatedAt.getTime() + graceSeconds * 1000),
        checked_at: checkedAt,
        ...(isFinal && { expires_at: new Date(next.expires.getTime() + grantReserveMs) }),
      });
      return rotated ? answer : answerOf(used, await families.findWhole(family._id));
    },
  };
}
