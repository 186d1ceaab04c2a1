import type { Caller } from '@covalence/http/endpoint';
import type { Connection } from './connection.ts';

/** The part of its token that a socket stores. */
export type SocketToken = Pick<Caller, 'id' | 'memberId' | 'family' | 'clientId' | 'issued' | 'expires'>;

/** The open sockets of this process. */
export type Registry = ReturnType<typeof createRegistry>;

/** Counts a key up or down and deletes it at zero. */
function count<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + change;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

/** Creates the registry. Members and addresses are only counted: sets would take too much memory. */
export function createRegistry(most: {
  readonly perProcess: number;
  readonly perMember: number;
  readonly perAddress: number;
}) {
  const open = new Map<Connection, SocketToken | undefined>();
  const byAddress = new Map<string, number>();
  const byMember = new Map<number, number>();
  /** The sockets with a token. */
  const claimed = () =>
    [...open].flatMap(([connection, token]): [Connection, SocketToken][] =>
      token ? [[connection, token]] : [],
    );
  return {
    get size(): number {
      return open.size;
    },
    connections: () => open.keys(),
    /** Whether a socket of an address may be added, or which limit is reached. */
    admit(address: string): 'admitted' | 'process-full' | 'address-full' {
      if (open.size >= most.perProcess) return 'process-full';
      return (byAddress.get(address) ?? 0) < most.perAddress ? 'admitted' : 'address-full';
    },
    /** Adds a socket without a token. */
    add(connection: Connection): void {
      open.set(connection, undefined);
      count(byAddress, connection.address, 1);
    },
    /** Assigns a socket to the member of its token; false when the member has too many. */
    claim(connection: Connection, token: SocketToken): boolean {
      if (!open.has(connection) || (byMember.get(token.id) ?? 0) >= most.perMember) return false;
      open.set(connection, token);
      count(byMember, token.id, 1);
      return true;
    },
    /** Replaces the token of a socket. */
    renew(connection: Connection, token: SocketToken): void {
      if (open.get(connection)) open.set(connection, token);
    },
    claimed,
    remove(connection: Connection): void {
      const token = open.get(connection);
      if (!open.delete(connection)) return;
      count(byAddress, connection.address, -1);
      if (token) count(byMember, token.id, -1);
    },
    /** Members with a socket here. */
    members: () => [...byMember.keys()],
    of: (member: number) => claimed().flatMap(([connection, { id }]) => (id === member ? [connection] : [])),
  };
}
