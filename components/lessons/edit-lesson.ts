'use client';

import { lazyDialog } from '#components/ui/dialog.tsx';

/** Form to edit a lesson. */
export const EditLesson = lazyDialog(() => import('./edit-lesson-form.tsx').then((file) => file.EditLesson));
