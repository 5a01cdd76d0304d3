import { Notice } from '#components/ui/notice.tsx';
import { formatDuration, formatList } from '#lib/format.ts';
import type { McpTest } from '#lib/mcp-servers/schema.ts';

/** Names of one kind of change, and tools that were left out, that are shown at most. */
const SHOWN = 12;

/** What asking a server for its tools came to, with what changed since the last time, or what failed and what to do. */
export function McpTestResult({ test }: { test: McpTest }) {
  if (!test.ok)
    return (
      <Notice tone="worse" alert title={test.message}>
        {test.remedy}
      </Notice>
    );
  const { added, removed, changed } = test.changes;
  return (
    <div className="flex flex-col gap-2">
      <p className="wrap-anywhere text-better text-sm" role="status">
        ✓ {test.message} {[test.title, test.protocol, formatDuration(test.latencyMs)].filter(Boolean).join(' · ')}
      </p>
      <Names words="New since the last test" names={added} />
      <Names words="No longer there" names={removed} />
      {changed.length > 0 ? (
        <Notice tone="wait" title="The descriptions of these tools changed. Read them again.">
          {shown(changed)}
        </Notice>
      ) : null}
      {test.leftOut.length > 0 ? (
        <p className="wrap-anywhere text-sm text-wait">▲ Skipped: {test.leftOut.slice(0, SHOWN).join(' ')}</p>
      ) : null}
    </div>
  );
}

function Names({ words, names }: { words: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className="wrap-anywhere text-ink-2 text-sm">
      {words}: {shown(names)}.
    </p>
  );
}

function shown(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return formatList([...names.slice(0, SHOWN), ...(more > 0 ? [`${more} more`] : [])]);
}
