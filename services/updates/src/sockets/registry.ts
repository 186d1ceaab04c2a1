import type { Caller } from '@covalence/http/endpoint';
import type { Connection } from './connection.ts';

/** What a socket keeps of its token. */
export type Known = Pick<Caller, 'id' | 'memberId' | 'family' | 'clientId' | 'issued' | 'expires'>;

/** The open sockets of this process. */
export interface Registry {
  readonly connections: ReadonlySet<Connection>;
  /** Whether a socket of an address may be added: `full` is the process, `many` the address. */
  admit(address: string): 'good' | 'full' | 'many';
  /** Adds a socket whose member is not known yet. */
  add(connection: Connection): void;
  /** Gives a socket the member of its token; false where the member has as many as it may. */
  claim(connection: Connection, caller: Known): boolean;
  /** Gives a socket that has its member the next token. */
  renew(connection: Connection, caller: Known): void;
  /** The sockets that have a token, with the last one. */
  claimed(): [Connection, Known][];
  remove(connection: Connection): void;
  /** Members with a socket here. */
  members(): number[];
  of(member: number): ReadonlySet<Connection>;
}

const nobody: ReadonlySet<Connection> = new Set();

/** Creates the registry with its limits. */
export function createRegistry({
  perProcess,
  perMember,
  perAddress,
}: {
  perProcess: number;
  perMember: number;
  perAddress: number;
}): Registry {
  const connections = new Set<Connection>();
  const byAddress = new Map<string, number>();
  const byMember = new Map<number, Set<Connection>>();
  const callers = new Map<Connection, Known>();
  return {
    connections,
    admit(address) {
      if (connections.size >= perProcess) return 'full';
      return (byAddress.get(address) ?? 0) < perAddress ? 'good' : 'many';
    },
    add(connection) {
      connections.add(connection);
      byAddress.set(connection.address, (byAddress.get(connection.address) ?? 0) + 1);
    },
    claim(connection, caller) {
      const member = caller.id;
      const own = byMember.get(member) ?? new Set();
      if (own.size >= perMember || !connections.has(connection)) return false;
      byMember.set(member, own.add(connection));
      callers.set(connection, caller);
      return true;
    },
    renew(connection, caller) {
      if (callers.has(connection)) callers.set(connection, caller);
    },
    claimed: () => [...callers],
    remove(connection) {
      if (!connections.delete(connection)) return;
      const left = (byAddress.get(connection.address) ?? 1) - 1;
      if (left) byAddress.set(connection.address, left);
      else byAddress.delete(connection.address);
      const member = callers.get(connection)?.id;
      if (member === undefined) return;
      callers.delete(connection);
      const own = byMember.get(member);
      own?.delete(connection);
      if (!own?.size) byMember.delete(member);
    },
    members: () => [...byMember.keys()],
    of: (member) => byMember.get(member) ?? nobody,
  };
}
