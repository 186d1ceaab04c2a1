import { scale } from './define-fields.ts';

/** Reasons for leaving (GET /reasons/profile/delete). The meaning of an id never changes. */
export const deleteReasons = scale(
  'reason_id',
  [
    'I met someone here',
    'I met someone elsewhere',
    'I want to take a break',
    'There is nobody near me',
    'I get too few answers',
    'I get too many messages',
    'It costs too much',
    'Someone bothered me',
    'I worry about my privacy',
    'Something does not work',
    'I have another profile',
    'Another reason',
  ],
  1,
);
