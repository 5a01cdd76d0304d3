'use client';

import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '#components/ui/button.tsx';
import { CodeEditor } from '#components/ui/code-editor.tsx';
import { Field, Input, Textarea } from '#components/ui/field.tsx';
import { promptOptionsSchema } from '#lib/core/prompt-options.ts';
import { fromOptionsDraft, type OptionsDraft, type ToolDraft } from './options-draft.ts';

const NEW_PARAMETERS = `{
  "type": "object",
  "properties": {}
}`;

const EXAMPLE_SCHEMA = `{
  "type": "object",
  "properties": { "label": { "type": "string" } },
  "required": ["label"],
  "additionalProperties": false
}`;

export type OptionsEditorProps = {
  value: OptionsDraft;
  onChange: (options: OptionsDraft) => void;
  /** Prefix of the request paths of tools and schema, with a trailing dot: `generator.`, or empty. */
  at?: string;
};

type OptionFieldsProps = Required<OptionsEditorProps>;

/** Edits the tools of a prompt. */
export function ToolFields({ value, onChange, at }: OptionFieldsProps) {
  const { tools } = value;
  const faultAt = faultsOf(value);
  const setTools = (next: ToolDraft[]) => onChange({ ...value, tools: next });
  function addTool() {
    const key = Math.max(-1, ...tools.map((tool) => tool.key)) + 1;
    setTools([...tools, { key, name: '', description: '', parameters: NEW_PARAMETERS }]);
  }
  return (
    <>
      <p className="text-ink-2 text-sm">
        The model may call these tools. Hone does not run them. If it calls one, the output is JSON with{' '}
        <code>text</code> and <code>toolCalls</code>.
      </p>
      <ul className="flex flex-col gap-3" aria-label="Tools">
        {tools.map((tool, index) => {
          const set = (changes: Partial<ToolDraft>) =>
            setTools(tools.map((one) => (one.key === tool.key ? { ...one, ...changes } : one)));
          return (
            <li key={tool.key} className="flex flex-col gap-2 rounded-2 border border-line p-2">
              <div className="flex items-end gap-2">
                <Field
                  className="flex-1"
                  label="Tool name"
                  path={`${at}tools.${index}.name`}
                  error={tool.name === '' ? null : faultAt(`tools.${index}.name`)}
                >
                  <Input value={tool.name} placeholder="search_orders" onValue={(name) => set({ name })} />
                </Field>
                <IconButton
                  icon={X}
                  label={`Remove tool ${tool.name || index + 1}`}
                  onClick={() => setTools(tools.filter(({ key }) => key !== tool.key))}
                />
              </div>
              <Field label="Description" help="The model reads it." path={`${at}tools.${index}.description`}>
                <Textarea rows={2} value={tool.description} onValue={(description) => set({ description })} />
              </Field>
              <Field
                label="Parameters"
                help="JSON Schema of the arguments"
                path={`${at}tools.${index}.parameters`}
                error={faultAt(`tools.${index}.parameters`)}
              >
                <CodeEditor value={tool.parameters} language="json" onChange={(parameters) => set({ parameters })} />
              </Field>
            </li>
          );
        })}
      </ul>
      <div>
        <Button size="small" onClick={addTool}>
          <Plus />
          Add tool
        </Button>
      </div>
    </>
  );
}

/** Edits the response schema of a prompt. */
export function ResponseSchemaFields({ value, onChange, at }: OptionFieldsProps) {
  const { responseSchema } = value;
  const faultAt = faultsOf(value);
  const hasSchema = responseSchema.schema.trim() !== '';
  return (
    <>
      <Field
        label="Schema name"
        help="Some models read it."
        path={`${at}responseSchema.name`}
        error={hasSchema ? faultAt('responseSchema.name') : null}
      >
        <Input
          value={responseSchema.name}
          onValue={(name) => onChange({ ...value, responseSchema: { ...responseSchema, name } })}
        />
      </Field>
      <Field
        label="JSON Schema of the answer"
        help="Sent to the provider. Leave empty for free text."
        path={[`${at}responseSchema.schema`, `${at}responseSchema`]}
        error={hasSchema ? faultAt('responseSchema.schema') : null}
      >
        <CodeEditor
          value={responseSchema.schema}
          language="json"
          example={EXAMPLE_SCHEMA}
          onChange={(schema) => onChange({ ...value, responseSchema: { ...responseSchema, schema } })}
        />
      </Field>
    </>
  );
}

/** Returns a lookup of validation errors by path, as far as the browser can check. */
function faultsOf(value: OptionsDraft): (path: string) => string | null {
  const issues = promptOptionsSchema.safeParse(fromOptionsDraft(value)).error?.issues ?? [];
  const faults = new Map(issues.map(({ path, message }) => [path.join('.'), message]));
  return (path) => {
    const own = faults.get(path) ?? null;
    return own?.startsWith('must be a JSON Schema') ? 'must be a valid JSON object' : own;
  };
}
