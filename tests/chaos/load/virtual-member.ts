import type { Demo } from '@covalence/seed/demo';
import type { Random } from '@covalence/seed/population/random';
import { male, registerMember } from '../../e2e/support/members.ts';
import type { Outside } from '../outside.ts';
import { createSleeper, type Sleeper } from './sleeper.ts';
import { createFollower, type Follower } from './follower.ts';

/** An accepted message. */
interface Accepted {
  readonly id: string;
  readonly to: number;
}

/** A member of the load with its accepted writes. Its actions run one after the other. */
export interface VirtualMember {
  readonly id: number;
  readonly isMan: boolean;
  readonly username: string;
  readonly password: string;
  readonly random: Random;
  readonly follower: Follower;
  /** Members it likes and exchanges messages with. */
  readonly partners: VirtualMember[];
  tokens: { access_token: string; refresh_token: string };
  /** The last accepted headline. */
  headline: string;
  /** Likes by recipient: whether the like exists, and how often it was given. */
  readonly likes: Map<number, { stands: boolean; times: number }>;
  readonly sent: Accepted[];
  /** The member without sockets whom a man writes to. */
  readonly sleeper: Sleeper | undefined;
  /** Number of started messages, used in client ids. */
  begun: number;
}

/** A member who joined during the load and paid. */
export interface Joined {
  readonly id: number;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  /** The bookings, oldest first. */
  readonly ledger: readonly ('purchase' | 'refund')[];
}

/** Registers a member and follows its live updates. */
export async function createVirtualMember(
  base: string,
  demo: Demo,
  isMan: boolean,
  random: Random,
  outside: Outside,
): Promise<VirtualMember> {
  const genders = isMan ? male : {};
  const headline = 'Nobody has changed this yet';
  const { id, username, password, tokens } = await registerMember(base, demo, { ...genders, headline });
  const member = {
    id,
    isMan,
    username,
    password,
    random,
    partners: [],
    tokens,
    headline,
    likes: new Map<number, { stands: boolean; times: number }>(),
    sent: [],
    sleeper: isMan ? await createSleeper(base, demo, outside) : undefined,
    begun: 0,
  };
  return Object.assign(member, {
    follower: createFollower(base, () => member.tokens.access_token),
  });
}
