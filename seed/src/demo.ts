import { z } from 'zod';

const login = { username: z.string(), password: z.string() };
const client = { client_id: z.uuid(), client_secret: z.string(), redirect_uri: z.url() };

/** `.data/demo.json`: addresses, the demo client and logins. */
export const demoSchema = z.strictObject({
  base_url: z.url(),
  auth_url: z.url(),
  /** The web application of staff. */
  console_url: z.url(),
  ...client,
  /** An app without a secret: a browser or a phone cannot keep one. Its redirect goes to any port. */
  public_client: z.strictObject({ client_id: z.uuid(), redirect_uri: z.url() }),
  /** The first site; it reviews automatically. */
  siteid: z.int(),
  /** Members of the first site, approved, with a location. */
  members: z.array(z.strictObject({ id: z.int(), ...login })),
  sites: z.array(
    z.strictObject({ siteid: z.int(), group: z.string(), review: z.enum(['automatic', 'manual']) }),
  ),
  staff: z.strictObject({ ...client, ...login }),
});

/** Addresses, the demo client, logins. */
export type Demo = z.output<typeof demoSchema>;
