import type { pushTargets } from '@covalence/contract/peers/profile-api';
import type { z } from 'zod';

/** A member with the devices that receive push messages, and what the member chose. */
export type Target = z.output<typeof pushTargets.output>['targets'][number];
