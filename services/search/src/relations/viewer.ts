import type { readViewer } from '@covalence/contract/internal/profile-api';
import type { z } from 'zod';

/** The member who searches, as profile returns them. */
export type Viewer = Omit<z.infer<typeof readViewer.output>, 'relations' | 'next'>;
