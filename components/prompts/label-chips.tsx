import { Bookmark } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';

/** The labels that stand at a version, or all of a prompt with their numbers. */
export function LabelChips({
  labels,
  version = null,
}: {
  labels: readonly { label: string; version: number }[];
  /** Only those of this version, without its number. */
  version?: number | null;
}) {
  const shown = version === null ? labels : labels.filter((label) => label.version === version);
  if (shown.length === 0) return null;
  return (
    <span className="flex flex-wrap items-center gap-1">
      {shown.map((label) => (
        <Badge key={label.label}>
          <Bookmark aria-hidden />
          <span className="wrap-anywhere">{label.label}</span>
          {version === null ? <b className="whitespace-nowrap text-right">v{label.version}</b> : null}
        </Badge>
      ))}
    </span>
  );
}
