import { badRequest } from '@covalence/contract/failure';
import type { IncomingMessage } from 'node:http';

/**
 * The path of a request without its query, as sent. Rewrites an absolute-form target (RFC 9112, 3.2.2) to origin form in place. Throws
 * 400 for any other target.
 */
export function pathOf(request: IncomingMessage): string {
  const target = request.url ?? '';
  if (!target.startsWith('/')) {
    const url = /^https?:\/\//i.test(target) && URL.parse(target);
    if (!url) throw badRequest();
    request.url = url.pathname + url.search;
  }
  const path = request.url ?? '';
  const query = path.indexOf('?');
  return query < 0 ? path : path.slice(0, query);
}
