import { TimeAgo } from '#components/ui/time-ago.tsx';
import type { PromptLabelMove } from '#lib/prompts/prompt-library.ts';

/** Every move of the labels of a prompt, latest first: from where to where, who, when and why. */
export function LabelMoves({ moves, now }: { moves: readonly PromptLabelMove[]; now: string }) {
  if (moves.length === 0) return <p className="text-ink-2">No label was moved yet.</p>;
  return (
    <ol data-testid="label-moves">
      {moves.map((move) => (
        <li key={move.id} className="border-line border-b py-1.5">
          <p className="wrap-anywhere">
            <b className="font-medium">{move.label}</b> {moveText(move)}
            {move.reason === null ? '' : `: ${move.reason}`}
          </p>
          <p className="text-ink-2 text-sm">
            {move.movedBy}, <TimeAgo moment={move.movedAt} now={now} />
          </p>
        </li>
      ))}
    </ol>
  );
}

function moveText({ version, previous }: PromptLabelMove): string {
  if (version === null) return `taken off v${previous}`;
  return previous === null ? `put on v${version}` : `moved from v${previous} to v${version}`;
}
