import { Badge } from '#components/ui/badge.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { traceSteps } from '#lib/core/trace.ts';
import { formatNumberOf } from '#lib/format.ts';

/** Renders a stored trace: step by step if it can be parsed, otherwise as text. */
export function TraceText({ trace }: { trace: string }) {
  const steps = traceSteps(trace);
  if (steps.every(({ fields }) => fields === null)) return <CodeBlock className="mt-2">{trace}</CodeBlock>;
  return (
    <ol className="mt-2 flex flex-col gap-3" aria-label="Steps of the trace">
      {steps.map(({ number, line, fields, omitted }) => (
        <li key={number} className="flex min-w-0 flex-col gap-1">
          {fields === null ? (
            <p className="text-ink-3">{omitted === null ? line : `${formatNumberOf(omitted, 'step')} omitted`}</p>
          ) : (
            <StepFields number={number} fields={fields} />
          )}
        </li>
      ))}
    </ol>
  );
}

function StepFields({ number, fields }: { number: number; fields: Record<string, unknown> }) {
  const { name, component, ...others } = fields;
  return (
    <>
      <p className="wrap-anywhere flex flex-wrap items-center gap-2">
        <b className="font-medium text-ink">
          {number}. {shown(name ?? 'Unnamed step')}
        </b>
        {component == null ? null : <Badge>{shown(component)}</Badge>}
      </p>
      {Object.entries(others).map(([label, value]) => (
        <div key={label} className="min-w-0">
          <span className="wrap-anywhere text-ink-3">{label}</span>
          <CodeBlock>{shown(value)}</CodeBlock>
        </div>
      ))}
    </>
  );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
