import type { BearerVerifier } from '@covalence/http/bearer';
import type { ProofCheck } from '@covalence/http/dpop';
import type { Health } from '@covalence/runtime/health';
import type { Metrics } from '@covalence/runtime/metrics';
import type { LiveContext } from '../live/live.ts';
import type { Position } from '../live/position.ts';
import type { MemberStateStore } from './member-state-store.ts';
import type { Registry } from './registry.ts';

/** The dependencies of sockets. */
export interface SocketsContext extends LiveContext {
  readonly config: {
    /** Wait for the answer to a close frame, ms. */
    readonly CLOSE_WAIT_MS: number;
    /** Bytes that wait to be sent to a socket before it is closed. */
    readonly MAX_BUFFERED_BYTES: number;
    /** How long a socket may stay without a token, ms. */
    readonly TOKEN_WAIT_MS: number;
  };
  readonly bearer: BearerVerifier;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly sockets: {
    readonly registry: Registry;
    readonly memberStates: MemberStateStore;
    readonly proofs: ProofCheck;
    /** Handles the notifications of a member after a position, which a client that was lost may not have received. Never rejects. */
    onLost(member: number, after: Position): Promise<void>;
    /** Public address of the sockets, with http. */
    readonly url: string;
  };
}
