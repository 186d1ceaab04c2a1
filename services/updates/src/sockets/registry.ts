import type { Caller } from '@covalence/http/endpoint';
import type { Connection } from './connection.ts';

/** What a socket keeps of its token. */
export type SocketToken = Pick<Caller, 'id' | 'memberId' | 'family' | 'clientId' | 'issued' | 'expires'>;

/** The open sockets of this process. */
export interface Registry {
  readonly size: number;
  connections(): Iterable<Connection>;
  /** Whether a socket of an address may be added: `full` is the process, `many` the address. */
  admit(address: string): 'good' | 'full' | 'many';
  /** Adds a socket whose member is not known yet. */
  add(connection: Connection): void;
  /** Gives a socket the member of its token; false where the member has as many as it may. */
  claim(connection: Connection, caller: SocketToken): boolean;
  /** Gives a socket that has its member the next token. */
  renew(connection: Connection, caller: SocketToken): void;
  /** The sockets that have a token, with the last one. */
  claimed(): [Connection, SocketToken][];
  remove(connection: Connection): void;
  /** Members with a socket here. */
  members(): number[];
  of(member: number): Connection[];
}

/** One more or less of a key; a key that has none is gone. */
function count<Key>(counts: Map<Key, number>, key: Key, change: 1 | -1): void {
  const left = (counts.get(key) ?? 0) + change;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

/** Creates the registry with its limits. Members and addresses are counted only: a set for each costs more than a socket may. */
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
      if (open.size >= perProcess) return 'full';
      return (byAddress.get(address) ?? 0) < perAddress ? 'good' : 'many';
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
