import type { Site } from '@covalence/contract/sites';
import type { Peer } from '@covalence/http/peer';

/** The system that a seed fills. */
export interface SeedTarget {
  /** The public address of the API and of sign-in. */
  readonly url: string;
  /** Clients of the services. */
  readonly peer: <Service extends 'auth' | 'profile' | 'billing'>(service: Service) => Peer<Service>;
  /** The client id that the gateway gives the console. */
  readonly consoleClientId: string;
  readonly sites: readonly Site[];
  /** Passwords of the seeded members and of the staff account. */
  readonly passwords: { readonly members: string; readonly staff: string };
  /** The file that holds the progress of the seed. */
  readonly stateFile: string;
  readonly portraits: PortraitFolders;
  /** Resolves when the search index holds this many members. */
  readonly untilIndexed: (count: number, stopped: AbortSignal) => Promise<void>;
}

/** Folders of portrait files. */
export interface PortraitFolders {
  /** Photo storage. */
  readonly photos: string;
  /** Rendered portraits, shared by all stacks of the user. */
  readonly cache: string;
  /** The key of the file names, so that they cannot be guessed. */
  readonly secret: string;
}

/** Input of a seed. */
export interface SeedOptions extends SeedTarget {
  readonly count: number;
  readonly seed: number;
  readonly progress: (line: string) => void;
  readonly stopped: AbortSignal;
}
