import Link from 'next/link';
import { formatCount, formatNumberOf, formatScore } from '#lib/format.ts';
import type { TriedRecall } from '#lib/reflection/tried-recall.ts';
import { kindWords } from './lesson-words.ts';

/** The lessons that would be recalled, each with how well it fits, and the part of the prompt that they make. */
export function RecalledAnswer({ answer: { lessons, tokens, promptPart } }: { answer: TriedRecall }) {
  if (lessons.length === 0)
    return (
      <section className="pane border-b-0" role="status" data-testid="recalled">
        <p className="b">No lesson fits</p>
        <p className="muted mt-0.5">
          The prompt would stay as it is. Only promoted lessons of the scope are looked at.
        </p>
      </section>
    );
  return (
    <div className="cols c3 grid-cols-2 border-b-0" data-testid="recalled">
      <section className="pane border-b-0">
        <div className="ph">
          <h2>Recalled</h2>
          <span className="note" role="status">
            {formatNumberOf(lessons.length, 'lesson')}, about {formatCount(tokens)} tokens
          </span>
        </div>
        <ol className="stack gap-3">
          {lessons.map(({ id, kind, text, rank, score }) => (
            <li key={id} className="grid grid-cols-[1.5rem_minmax(0,1fr)_max-content] gap-x-2">
              <span className="faint">{rank}</span>
              <Link href={`/lessons/${id}`} className="lesson-text">
                {text}
              </Link>
              <span className="num">
                <span className="vh">fits </span>
                <b className="md5">{formatScore(score)}</b>
              </span>
              <span className="mono faint col-start-2 text-xs">{kindWords(kind)}</span>
            </li>
          ))}
        </ol>
      </section>
      <section className="pane border-b-0">
        <div className="ph">
          <h2>In the prompt</h2>
          <span className="note">word for word</span>
        </div>
        <pre className="plain">{promptPart}</pre>
      </section>
    </div>
  );
}
