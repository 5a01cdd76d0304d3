'use client';

import { Copy, Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { useCopy } from '#components/ui/copy-text.ts';
import { Field, Select, Textarea } from '#components/ui/field.tsx';
import { ModalDialog } from '#components/ui/modal-dialog.tsx';
import { Options } from '#components/ui/options.tsx';
import { saveFile } from '#components/ui/save-file.ts';
import { Segmented } from '#components/ui/segmented.tsx';
import { fileName } from '#lib/formats/download.ts';
import {
  DSPY_MODULES,
  type DspyModule,
  dspyComponents,
  dspySignature,
  writeDspyProgram,
} from '#lib/prompts/dspy-export.ts';
import { PRODUCTION, type PromptBody, promptDocument } from '#lib/prompts/prompt.ts';
import type { PromptLabel } from '#lib/prompts/schema.ts';
import { CODE_LANGUAGES, type CodeLanguage, promptCode, promptJson } from './prompt-code.ts';

type Kind = CodeLanguage | 'text' | 'json' | 'dspy';
const KINDS = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
  { value: 'text', label: 'Text' },
  { value: 'json', label: 'JSON' },
  { value: 'dspy', label: 'DSPy' },
] as const satisfies { value: Kind; label: string }[];

const MODULE_NAMES: Record<DspyModule, string> = { predict: 'dspy.Predict', chain_of_thought: 'dspy.ChainOfThought' };

export type CopyAsCodeProps = {
  name: string;
  /** Null if the version is not a saved prompt, so programs cannot request it. */
  labels: readonly PromptLabel[] | null;
  /** Version that is copied by the formats containing its text. */
  version: { number: number } & PromptBody;
};

type CopyDialogProps = CopyAsCodeProps & { title: string; open: boolean; onOpenChange: (open: boolean) => void };

/** Dialog with a program that fetches the prompt by label, or the prompt itself as text, JSON or a DSPy program. */
export function CopyDialog({ name, labels, version, title, open, onOpenChange }: CopyDialogProps) {
  const copy = useCopy();
  const kinds = labels === null ? KINDS.filter(({ value }) => !isCode(value)) : KINDS;
  const [kind, setKind] = useState<Kind>(labels === null ? 'json' : 'curl');
  const [chosen, setChosen] = useState<string | null>(null);
  const [module, setModule] = useState<DspyModule>('predict');
  const origin = useOrigin();
  const known = labels ?? [];
  const label = chosen ?? (known.some((one) => one.label === PRODUCTION) ? PRODUCTION : (known[0]?.label ?? ''));
  const by = label === '' ? { version: version.number } : { label };
  const code = open ? textOf() : '';
  const file = fileName(name, `v${version.number}-${kind}.json`);

  function textOf(): string {
    if (isCode(kind)) return promptCode(kind, { origin, name, by, body: version });
    if (kind === 'json') return promptJson(name, version);
    return kind === 'dspy' ? JSON.stringify(writeDspyProgram(version.text, module), null, 2) : promptDocument(version);
  }

  return (
    <ModalDialog
      open={open}
      onOpenChange={onOpenChange}
      isWide
      title={title}
      description={
        labels === null
          ? 'To request it from your app by label, save it as a prompt first.'
          : isCode(kind)
            ? 'The code requests the prompt by label. Move the label to change the version that programs get.'
            : undefined
      }
    >
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <Segmented label="As" value={kind} onChange={setKind} choices={kinds} />
          {isCode(kind) ? (
            <Field label="Label or version" hideLabel>
              <Select className="w-auto" value={label} onValue={setChosen}>
                <Options of={known.map((one) => [one.label, `${one.label} (v${one.version} now)`])} />
                <option value="">v{version.number}, ignore labels</option>
              </Select>
            </Field>
          ) : (
            <span className="text-ink-2 text-sm">v{version.number}</span>
          )}
          {kind === 'dspy' ? (
            <Field label="Module" hideLabel>
              <Select
                className="w-auto"
                value={module}
                onValue={(value) => setModule(DSPY_MODULES.find((one) => one === value) ?? 'predict')}
              >
                <Options of={DSPY_MODULES.map((one) => [one, MODULE_NAMES[one]])} />
              </Select>
            </Field>
          ) : null}
        </div>
        {kind === 'dspy' ? <DspyHelp text={version.text} module={module} file={file} /> : null}
        <Textarea
          className="field-sizing-content max-h-80 font-mono text-code"
          aria-label="Code"
          rows={Math.min(16, Math.max(3, code.split('\n').length + 1))}
          readOnly
          spellCheck={false}
          value={code}
        />
        <div className="flex items-center gap-2">
          <Button variant="primary" onClick={() => copy(code)}>
            <Copy />
            Copy
          </Button>
          {kind === 'json' || kind === 'dspy' ? (
            <Button onClick={() => saveFile(new Blob([code], { type: 'application/json' }), file)}>
              <Download />
              Download
            </Button>
          ) : null}
        </div>
      </div>
    </ModalDialog>
  );
}

function DspyHelp({ text, module, file }: { text: string; module: DspyModule; file: string }) {
  const components = [...dspyComponents(text).keys()];
  return (
    <p className="wrap-anywhere text-ink-2 text-sm">
      {components.length === 0 ? (
        <>
          Load it with{' '}
          <code>{`program = ${MODULE_NAMES[module]}("${dspySignature(text)}"); program.load("${file}")`}</code>
        </>
      ) : (
        <>
          Load it into a module with the predictors {components.join(', ')}, each a <code>{MODULE_NAMES[module]}</code>.
        </>
      )}
    </p>
  );
}

function isCode(kind: Kind): kind is CodeLanguage {
  return CODE_LANGUAGES.some((language) => language === kind);
}

/** Returns the origin of this page, which only the browser knows. */
function useOrigin(): string {
  const [origin, setOrigin] = useState('');
  useEffect(() => setOrigin(window.location.origin), []);
  return origin;
}
