'use client';

import { Code, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field, Select, Textarea } from '#components/ui/field.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { type PromptBody, promptDocument } from '#lib/core/prompt-options.ts';
import { PRODUCTION, type PromptLabel } from '#lib/prompts/schema.ts';
import { type CodeLanguage, promptCode } from './prompt-code.ts';

type CopyAsCodeProps = {
  name: string;
  labels: readonly PromptLabel[];
  /** The version whose text is copied where the text itself is asked for. */
  version: { number: number } & PromptBody;
};

type Kind = CodeLanguage | 'text';
const KINDS = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
  { value: 'text', label: 'Text' },
] as const satisfies { value: Kind; label: string }[];

/** A program that fetches the prompt by a label, or the text itself, to be copied. */
export function CopyAsCode({ name, labels, version }: CopyAsCodeProps) {
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const [kind, setKind] = useState<Kind>('curl');
  const [chosen, setChosen] = useState<string | null>(null);
  const origin = useOrigin();
  const label = chosen ?? (labels.some((one) => one.label === PRODUCTION) ? PRODUCTION : (labels[0]?.label ?? ''));
  const by = label === '' ? { version: version.number } : { label };
  const code = kind === 'text' ? promptDocument(version) : promptCode(kind, { origin, name, by, body: version });

  async function copy() {
    const isCopied = await navigator.clipboard.writeText(code).then(
      () => true,
      () => false,
    );
    toast(isCopied ? 'Copied' : 'The browser blocked copying', isCopied ? 'done' : 'problem');
  }

  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Code className="size-3.25" aria-hidden />
        Copy as code
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        isWide
        title="Copy as code"
        description="The code requests the prompt by label. Move the label to change the version that programs get."
      >
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap items-center gap-2">
            <Segmented label="As" value={kind} onChange={setKind} choices={KINDS} />
            {kind === 'text' ? (
              <span className="text-ink-2 text-sm">the text of v{version.number}</span>
            ) : (
              <Field label="Label or version" hideLabel>
                <Select className="w-auto" value={label} onChange={(event) => setChosen(event.target.value)}>
                  {labels.map((one) => (
                    <option key={one.label} value={one.label}>
                      {one.label} (v{one.version} now)
                    </option>
                  ))}
                  <option value="">v{version.number}, ignore labels</option>
                </Select>
              </Field>
            )}
          </div>
          <Textarea
            className="font-mono text-code"
            aria-label="Code"
            rows={Math.min(16, Math.max(3, code.split('\n').length + 1))}
            readOnly
            spellCheck={false}
            value={code}
          />
          <div>
            <Button variant="primary" onClick={copy}>
              <Copy className="size-3.25" aria-hidden />
              Copy
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

/** Where this page comes from; only the browser knows. */
function useOrigin(): string {
  const [origin, setOrigin] = useState('');
  useEffect(() => setOrigin(window.location.origin), []);
  return origin;
}
