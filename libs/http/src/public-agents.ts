import type http from 'node:http';
import type https from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

/** What tests replace of the check. */
export interface PublicAgentOptions {
  readonly lookup?: http.AgentOptions['lookup'];
  /** Addresses that count as public. */
  readonly allowed?: readonly string[];
  /** Certificates to trust beside the usual ones, PEM. */
  readonly ca?: string;
}

/** Agents for addresses that users name. */
export interface PublicAgents {
  readonly 'http:': http.Agent;
  readonly 'https:': https.Agent;
}

/**
 * Agents that connect to public addresses only: every connection is checked against the address that it is really made
 * to, whatever a name resolves to by then. What they refuse, `isNotPublic` tells from other errors.
 */
export function createPublicAgents({ lookup, allowed = [], ca }: PublicAgentOptions = {}): PublicAgents {
  const settings = { allowIPAddressList: [...allowed], ...(lookup && { lookup }) };
  return {
    'http:': new RequestFilteringHttpAgent(settings),
    'https:': new RequestFilteringHttpsAgent({ ...settings, ...(ca !== undefined && { ca }) }),
  };
}

/** Whether a request was refused because its address is not public; the agents have only their words for it. */
export function isNotPublic(error: unknown): boolean {
  return error instanceof Error && /is not allowed\. Because,? It is/i.test(error.message);
}
