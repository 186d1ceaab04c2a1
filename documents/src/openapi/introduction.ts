/** What every call has in common, at the head of the document. */
export const introduction = `Online dating for client apps: hosted sign-in, profiles, search by criteria, interest, messages,
memberships and live updates.

**Sending.** Bodies are JSON or forms, as you like; nested maps in forms and query strings use brackets
(\`age[from]=25\`). Names do not care about case, and \`-\` and \`_\` are the same. Numbers and booleans may be texts.
Bodies go up to 1 MiB, photo uploads up to 16 MiB. Calls that carry secrets (\`POST /members\`, \`/token\`, \`/revoke\`,
\`/packages/purchase\`, \`/webpush\`) ignore the query string.

**Answers.** JSON. Every answer carries \`X-Request-Id\`; send your own to find your call in the logs. Times are ISO-8601
in UTC. Objects may grow by fields: ignore those that you do not know.

**Refusals.** A bad parameter is 403 \`{"fail": "Invalid Argument", "failcode": [...]}\` with one code for each failed
parameter, in the order of the parameters; without \`failcode\` where there is no code for it. 401 means: refresh the
token and retry once. 429 and 503 say in \`Retry-After\` how long to wait.`;
