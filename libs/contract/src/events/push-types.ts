/** Types of live updates that can be sent by web push. */
export const pushTypes = ['message', 'like', 'mutual', 'view', 'moderation', 'membership'] as const;

/** Type of a push message. */
export type PushType = (typeof pushTypes)[number];

/** Default types of a device. */
export const standardPushTypes = ['message', 'like', 'mutual'] as const satisfies readonly PushType[];
