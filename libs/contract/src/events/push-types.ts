/** Types of live updates that a device takes as push messages if it asks for them. */
export const pushTypes = ['message', 'like', 'mutual', 'match', 'view', 'moderation', 'membership'] as const;

/** Type of a push message that a device chooses. */
export type PushType = (typeof pushTypes)[number];

/** Default types of a device. */
export const standardPushTypes = [
  'message',
  'like',
  'mutual',
  'match',
] as const satisfies readonly PushType[];

/** Types about the security of the account, which every device takes: who caused them may have a stolen token of the only one. */
export const securityTypes = ['session', 'recovery', 'two_step', 'email', 'credential'] as const;

/** Type of a push message about the security of the account. */
export type SecurityType = (typeof securityTypes)[number];

/** Type of a push message. */
export type PushedType = PushType | SecurityType;

/** Whether a type is about the security of the account. */
export const isSecurityType = (type: string): type is SecurityType =>
  (securityTypes as readonly string[]).includes(type);
