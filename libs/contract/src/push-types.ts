/** Frame types of the live updates that can be sent by web push. */
export const pushTypes = ['message', 'like', 'mutual', 'view', 'moderation', 'membership'] as const;

/** What a push message is about. */
export type PushType = (typeof pushTypes)[number];

/** The types for a device that chose none. */
export const standardPushTypes = ['message', 'like', 'mutual'] as const satisfies readonly PushType[];
