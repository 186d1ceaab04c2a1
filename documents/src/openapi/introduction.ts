/** The introduction of the document: the rules of every call. */
export const introduction = `Online dating for client apps: hosted sign-in, profiles, search by criteria, interest, messages, memberships and live updates.

**Requests.** Send bodies as JSON or as forms; nested maps in forms and query strings use brackets (\`age[from]=25\`).
Parameter names ignore case, and \`-\` and \`_\` are the same. Send numbers and booleans as JSON values or as strings.
Bodies have at most 1 MiB, photos at most 5 MiB. Calls that carry secrets (\`POST /members\`, \`/token\`,
\`/revoke\`, \`/packages/purchase\`, \`/webpush\`, \`/devices\`) ignore the query string.

**Answers.** JSON. Every answer carries \`X-Request-Id\`; send your own to find your call in the logs. Times are ISO-8601
in UTC. Fields may be added to objects: ignore those that you do not know.

**Failures.** A bad parameter is 403 \`{"fail": "Invalid Argument", "failcode": [...]}\` with one code for each failed
parameter, in the order of the parameters; \`failcode\` is absent where a failure has no code. After a 401, refresh the
token and retry once. 429 and 503 say in \`Retry-After\` how long to wait.`;
