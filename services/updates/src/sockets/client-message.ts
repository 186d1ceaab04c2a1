import { jsonText } from '@covalence/runtime/json-text';
import { z } from 'zod';

const longestToken = 4_096;

const token = z
  .string()
  .max(longestToken)
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/);

/** The DPoP proof of a bound token: `htm` is GET and `htu` the address of the socket with http. */
const dpop = z.string().max(longestToken).optional();

/** The commands that a client may send beside a bare token. */
export const clientMessages = [
  z.object({ type: z.literal('token'), token, dpop }),
  z.object({ type: z.literal('resume'), after: z.string().max(100) }),
] as const;

/** Clients may send a token as they send it in the Authorization header. */
const withoutScheme = (text: string) => text.trim().replace(/^(bearer|dpop) +/i, '');

const sentToken = z.object({
  type: z.literal('token'),
  token: z.string().transform(withoutScheme).pipe(token),
  dpop,
});

/** A resume without a valid id is answered with a reset. */
const otherResume = z.object({ type: z.literal('resume') }).transform(({ type }) => ({ type, after: '' }));

const messages = jsonText.pipe(z.union([sentToken, clientMessages[1], otherResume]));

/** A message of a client. */
type ClientMessage = z.output<typeof messages>;

/** Reads a text message: a bare access token or a JSON command; undefined for anything else. */
export function parseClientMessage(text: string): ClientMessage | undefined {
  const bare = token.safeParse(withoutScheme(text));
  return bare.success ? { type: 'token', token: bare.data } : messages.safeParse(text).data;
}
