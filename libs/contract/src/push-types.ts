/** Frame types of the live updates that a device can be told by web push. */
export const pushTypes = ['message', 'like', 'mutual', 'view', 'moderation', 'membership'] as const;

/** What a push message is about. */
export type PushType = (typeof pushTypes)[number];

/** What a device is told that chose nothing. */
export const standardPushTypes = ['message', 'like', 'mutual'] as const satisfies readonly PushType[];
