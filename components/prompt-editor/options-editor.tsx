'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Fold } from '#components/ui/fold-section.tsx';
import { useErrorAt } from '#components/ui/form-errors.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import type { OptionsEditorProps } from './option-fields.tsx';

// Loaded on demand with their validators, because most prompts have neither.
const ToolFields = dynamic(() => loadOrRetry(() => import('./option-fields.tsx').then((file) => file.ToolFields)));
const ResponseSchemaFields = dynamic(() =>
  loadOrRetry(() => import('./option-fields.tsx').then((file) => file.ResponseSchemaFields)),
);

/** Edits the tools and response schema of a prompt. Collapsed while there are none. */
export function OptionsEditor({ value, onChange, at = '' }: OptionsEditorProps) {
  const { tools, responseSchema } = value;
  const hasSchema = responseSchema.schema.trim() !== '';
  return (
    <div className="mt-2" data-testid="prompt-options">
      <OptionFold
        title="Tools"
        summary={tools.length === 0 ? 'None' : tools.map(({ name }) => name || 'unnamed').join(', ')}
        mark={tools.length === 0 ? null : <Badge tone="on">{tools.length}</Badge>}
        path={`${at}tools`}
        isFilled={tools.length > 0}
      >
        <ToolFields value={value} onChange={onChange} at={at} />
      </OptionFold>
      <OptionFold
        title="Response schema"
        summary={hasSchema ? responseSchema.name : 'Free text'}
        mark={hasSchema ? <Badge tone="on">JSON</Badge> : null}
        path={`${at}responseSchema`}
        isFilled={hasSchema}
      >
        <ResponseSchemaFields value={value} onChange={onChange} at={at} />
      </OptionFold>
    </div>
  );
}

type OptionFoldProps = {
  title: string;
  summary: string;
  mark: React.ReactNode;
  path: string;
  isFilled: boolean;
  children: React.ReactNode;
};

/** Section that is collapsed while empty and opens on an error inside. */
function OptionFold({ title, summary, mark, path, isFilled, children }: OptionFoldProps) {
  const [isOpen, setOpen] = useState(isFilled);
  const isWrong = useErrorAt()(path) !== null;
  useEffect(() => {
    if (isFilled || isWrong) setOpen(true);
  }, [isFilled, isWrong]);
  return (
    <Fold
      size="wide"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      title={<span className="whitespace-nowrap font-medium">{title}</span>}
      summary={summary}
      mark={mark}
    >
      {isOpen ? <div className="flex flex-col gap-3 py-2 pl-6">{children}</div> : null}
    </Fold>
  );
}
