'use client';

import { Upload } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { callApi } from '#components/api/call-api.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, FileInput, Input } from '#components/ui/field.tsx';
import { FormErrors } from '#components/ui/form-errors.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { type Problem, problemsOf, type Result } from '#lib/core/problem.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { PROMPT_FILE_TOOLS, promptPath } from '#lib/prompts/prompt.ts';
import type { TunedFileImport } from '#lib/prompts/prompt-files/import-prompt-file.ts';
import { PromptNameField } from './prompt-name-field.tsx';

/** Below the request limit of 8 MB. The file is sent as a JSON string. */
const MAX_FILE_BYTES = 7_000_000;
const FIELDS = ['name', 'file', 'outputFields'];
const MAX_SHOWN_UNSUPPORTED = 20;

/** Imports a prompt from the file of another tool, with a preview. */
export function ImportPrompt() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <RoleButton needs="editor" onClick={() => setOpen(true)}>
        <Upload />
        Import
      </RoleButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Import a prompt"
        description="A file of GEPA, DSPy, Langfuse, LangSmith, OpenAI, GitHub Models, Prompty or Dotprompt."
      >
        <ImportForm onCancel={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function ImportForm({ onCancel }: { onCancel: () => void }) {
  const router = useRouter();
  const toast = useToast();
  const [file, setFile] = useState('');
  const [name, setName] = useState('');
  const [outputs, setOutputs] = useState('');
  const [looked, setLooked] = useState<TunedFileImport | null>(null);
  const { isBusy, problem, setProblem, settle, submit } = useSubmit();
  // Ignore responses for a file that was replaced in the meantime.
  const newest = useRef<File>(null);
  const problems = problemsOf(problem);
  const other = problems.find(({ field }) => !FIELDS.includes(field ?? ''));
  const outputFields = outputs.split(',').flatMap((field) => field.trim() || []);

  function look(chosen: File) {
    newest.current = chosen;
    setLooked(null);
    setProblem(null);
    const onRead = (read: Result<TunedFileImport>) => {
      if (newest.current !== chosen) return;
      setLooked(read.ok ? read.value : null);
      setProblem(read.ok ? null : read.problem);
    };
    void settle(readFile(chosen), onRead, { refreshes: false });
  }

  async function readFile(chosen: File): Promise<Result<TunedFileImport>> {
    const content = chosen.size > MAX_FILE_BYTES ? null : await chosen.text();
    if (content === null || new Blob([JSON.stringify(content)]).size > MAX_FILE_BYTES)
      return { ok: false, problem: TOO_LARGE };
    if (newest.current === chosen) {
      setFile(content);
      setName((before) => before || nameOf(chosen.name));
    }
    // A dry run does not check the name.
    return callApi('POST /api/v1/prompt-imports', {
      body: { name: 'preview', file: content, outputFields, dryRun: true },
    });
  }

  function send() {
    submit(callApi('POST /api/v1/prompt-imports', { body: { name, file, outputFields } }), (stored) => {
      toast(`${formatNumberOf(stored.versions.length, 'version')} imported`);
      router.push(promptPath(stored.name));
    });
  }

  return (
    <FormErrors problems={problems}>
      <div className="flex flex-col gap-4">
        <Field label="File" path="file" help={'GEPA: JSON of result.to_dict(). DSPy: program.save("program.json")'}>
          <FileInput
            accept=".json,.prompty,.prompt,.yml,.yaml,application/json"
            onChange={(event) => {
              const chosen = event.target.files?.[0];
              if (chosen) look(chosen);
            }}
          />
        </Field>
        {looked === null ? null : <Found looked={looked} />}
        <PromptNameField value={name} onChange={setName} />
        {looked?.format === 'dspy' ? (
          <Field label="Output fields" help="Comma-separated. If empty, Hone detects them." path="outputFields">
            <Input value={outputs} onValue={setOutputs} />
          </Field>
        ) : null}
        <DialogFoot
          action="Import"
          busy="Importing"
          isBusy={isBusy}
          isReady={looked !== null}
          onAction={send}
          onCancel={onCancel}
          problem={other === undefined ? null : { title: other.message }}
        />
      </div>
    </FormErrors>
  );
}

function Found({ looked: { format, versions, notTaken } }: { looked: TunedFileImport }) {
  return (
    <div className="text-ink-2 text-sm" role="status">
      <p>
        {PROMPT_FILE_TOOLS[format]}: {formatNumberOf(versions.length, 'version')}.
        {versions.length > 1 ? (
          <>
            {' '}
            The newest is <span className="text-ink">{versions.at(-1)?.message}</span>.
          </>
        ) : null}
      </p>
      {notTaken.length === 0 ? null : (
        <ul className="mt-1 list-disc pl-4">
          {notTaken.slice(0, MAX_SHOWN_UNSUPPORTED).map((feature) => (
            <li key={feature} className="wrap-anywhere">
              Not imported: {feature}
            </li>
          ))}
          {notTaken.length > MAX_SHOWN_UNSUPPORTED ? (
            <li>And {formatCount(notTaken.length - MAX_SHOWN_UNSUPPORTED)} more</li>
          ) : null}
        </ul>
      )}
    </div>
  );
}

const TOO_LARGE: Problem = {
  code: 'too_large',
  message: 'file is larger than 7 MB. For a GEPAResult, leave out best_outputs_valset.',
  field: 'file',
};

/** Suggests a prompt name from the file name. */
export function nameOf(file: string): string {
  return file
    .replace(/\.(?:json|prompty|prompt|(?:prompt\.)?ya?ml)$/i, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[^a-z0-9]+/i, '');
}
