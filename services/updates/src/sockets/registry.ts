import type { Caller } from '@covalence/http/endpoint';
import type { Connection } from './connection.ts';

/** The part of its token that a socket keeps. */
export type SocketToken = Pick<Caller, 'id' | 'memberId' | 'family' | 'clientId' | 'issued' | 'expires'>;

/** The open sockets of this process. */
export interface Registry {
  readonly size: number;
  connections(): Iterable<Connection>;
  /** Whether a socket of an address may be added, or which limit is reached. */
  admit(address: string): 'admitted' | 'process-full' | 'address-full';
  /** Adds a socket without a token. */
  add(connection: Connection): void;
  /** Assigns a socket to the member of its token; false when the member has too many. */
  claim(connection: Connection, caller: SocketToken): boolean;
  /** Replaces the token of a socket. */
  renew(connection: Connection, caller: SocketToken): void;
  /** The sockets with a token. */
  claimed(): [Connection, SocketToken][];
  remove(connection: Connection): void;
  /** Members with a socket here. */
  members(): number[];
  of(member: number): Connection[];
}

/** Counts a key up or down and deletes it at zero. */
function count<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + change;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

/** Creates the registry with its limits. Members and addresses are only counted: sets would take too much memory. */
export function createRegistry({
  perProcess,
  perMember,
  perAddress,
}: {
  perProcess: number;
  perMember: number;
  perAddress: number;
}): Registry {
  const open = new Map<Connection, SocketToken | undefined>();
  const byAddress = new Map<string, number>();
  const byMember = new Map<number, number>();
  const claimed = () =>
    [...open].flatMap(([connection, known]): [Connection, SocketToken][] =>
      known ? [[connection, known]] : [],
    );
  return {
    get size() {
      return open.size;
    },
    connections: () => open.keys(),
    admit(address) {
      if (open.size >= perProcess) return 'process-full';
      return (byAddress.get(address) ?? 0) < perAddress ? 'admitted' : 'address-full';
    },
    add(connection) {
      open.set(connection, undefined);
      count(byAddress, connection.address, 1);
    },
    claim(connection, caller) {
      if (!open.has(connection) || (byMember.get(caller.id) ?? 0) >= perMember) return false;
      open.set(connection, caller);
      count(byMember, caller.id, 1);
      return true;
    },
    renew(connection, caller) {
      if (open.get(connection)) open.set(connection, caller);
    },
    claimed,
    remove(connection) {
      const known = open.get(connection);
      if (!open.delete(connection)) return;
      count(byAddress, connection.address, -1);
      if (known) count(byMember, known.id, -1);
    },
    members: () => [...byMember.keys()],
    of: (member) => claimed().flatMap(([connection, { id }]) => (id === member ? [connection] : [])),
  };
}
