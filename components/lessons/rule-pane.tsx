'use client';

import { Copy, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { Button } from '#components/ui/button.tsx';
import { useCopy } from '#components/ui/copy-text.ts';
import { lazyDialog } from '#components/ui/dialog.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { ruleText } from '#lib/lessons/rule-text.ts';

const AddRule = lazyDialog(() => import('./add-rule.tsx').then((file) => file.AddRule));

type RuleLesson = Pick<LessonDetail, 'id' | 'kind' | 'status' | 'text'>;

/** Offers a promoted principle as a permanent rule of an experiment's prompt, and a promoted procedure as a playbook. */
export function RulePane({ lesson }: { lesson: RuleLesson }) {
  const copy = useCopy();
  const [isOpen, setOpen] = useState(false);
  const { kind, text } = lesson;
  if (lesson.status !== 'promoted' || (kind !== 'principle' && kind !== 'procedure')) return null;
  const name = kind === 'principle' ? 'a permanent rule' : 'a playbook';
  return (
    <Pane aria-labelledby="rule-title" data-testid="lesson-rule">
      <PaneHeader titleId="rule-title" title={`Use as ${name}`} />
      <p className="text-ink-2 text-sm">
        {kind === 'principle'
          ? 'A principle always applies. Add it to the instructions of an experiment instead of recalling it.'
          : 'Add a procedure to the instructions of an experiment as steps to follow.'}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <RoleButton needs="editor" size="small" onClick={() => setOpen(true)}>
          <ScrollText />
          Add to instructions
        </RoleButton>
        <Button size="small" variant="ghost" onClick={() => copy(ruleText({ kind, text }), `Copied as ${name}`)}>
          <Copy />
          Copy as {name}
        </Button>
      </div>
      <AddRule lessonId={lesson.id} name={name} open={isOpen} onOpenChange={setOpen} />
    </Pane>
  );
}
