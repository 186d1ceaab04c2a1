import type http from 'node:http';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

/** Overrides for tests. */
export interface PublicAgentOptions {
  readonly lookup?: http.AgentOptions['lookup'];
  /** Addresses treated as public. */
  readonly allowed?: readonly string[];
  /** An additional trusted certificate, PEM. */
  readonly ca?: string;
}

/**
 * Creates agents for user-supplied URLs, which connect to public addresses only. They check the resolved
 * address of every connection, which prevents DNS rebinding.
 */
export function createPublicAgents({ lookup, allowed = [], ca }: PublicAgentOptions = {}) {
  const settings = { allowIPAddressList: [...allowed], ...(lookup && { lookup }) };
  return {
    'http:': new RequestFilteringHttpAgent(settings),
    'https:': new RequestFilteringHttpsAgent({ ...settings, ...(ca !== undefined && { ca }) }),
  };
}

/** Whether the agents refused a private address; the library has only a message for it. */
export function isNotPublic(error: unknown): boolean {
  return error instanceof Error && /is not allowed\. Because,? It is/i.test(error.message);
}
