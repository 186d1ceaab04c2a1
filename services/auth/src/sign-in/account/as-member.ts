import { unavailable } from '@covalence/contract/failure';
import { slowCallMs } from '@covalence/contract/peers/exchange';
import { z } from 'zod';
import { signAccessToken } from '../../keys/access-token.ts';
import { hostedPagesClientId } from '../../tokens/provider/hosted-pages-client.ts';
import type { Visit } from '../browser-account.ts';

/** Seconds; one call takes less. */
const lifetime = 60;

/** A call of the interface for members. */
interface MemberCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: `/members/self${string}`;
  readonly body?: Readonly<Record<string, string>>;
}

const failureBody = z.object({ failcode: z.array(z.int()).default([]) });

/** The response of profile: the text of a success, the codes of a refusal, the seconds until a limit allows it, or too old a sign-in. */
type MemberAnswer =
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'refused'; readonly failcode: readonly number[] }
  | { readonly kind: 'limited'; readonly seconds: number }
  | { readonly kind: 'late' };

/**
 * Calls profile as the member of the page, so that the interface's own rules, limits and mails apply. The token never leaves the
 * services and therefore needs no family. Throws 503 when profile does not answer.
 */
export async function callAsMember(
  { account, session, request, context }: Visit,
  { method, path, body }: MemberCall,
): Promise<MemberAnswer> {
  const { _id: subject, id: mid, siteid: site } = account;
  const claims = {
    mid,
    site,
    scope: 'member',
    client_id: hostedPagesClientId,
    auth_time: session.loginTs,
    amr: session.amr,
  };
  const token = await signAccessToken({ subject, lifetime, ...claims }, context);
  const url = new URL(path, context.profileUrl);
  const answer = await fetch(url, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      // Limits count the member's address.
      'X-Forwarded-For': request.ip ?? '',
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(slowCallMs),
  }).catch((error: unknown) => {
    throw unavailable(error);
  });
  const text = await answer.text().catch((error: unknown) => {
    throw unavailable(error);
  });
  if (answer.ok) return { kind: 'done', text };
  if (answer.status === 401) return { kind: 'late' };
  if (answer.status === 403) return { kind: 'refused', ...failureBody.parse(JSON.parse(text)) };
  const seconds = Number(answer.headers.get('Retry-After'));
  if (answer.status === 429 && seconds) return { kind: 'limited', seconds };
  throw unavailable(new Error(`${method} ${path} answered ${answer.status}`));
}
