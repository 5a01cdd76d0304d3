import type { RunRecord, VersionRecord } from '#lib/reflection/run-record.ts';

type Lesson = RunRecord['lessons'][number];

/** The lessons that stood in the prompt of the chosen version, and all that the run wrote, word for word. */
export function LessonsPane({ record, version }: { record: RunRecord; version: VersionRecord }) {
  const written = record.lessons;
  const recalled = version.recalledLessons.map(({ lessonId }) => written.find(({ id }) => id === lessonId));
  const inPrompt = recalled.filter((lesson) => lesson !== undefined);
  if (written.length === 0 && version.recalledLessons.length === 0) return null;
  return (
    <section className="pane o6">
      <div className="ph">
        <h2>Lessons in the prompt of v{version.number}</h2>
        <span className="note">
          {version.recalledLessons.length === 0
            ? 'none yet'
            : `${version.recalledLessons.length}, all written by this run`}
        </span>
      </div>
      <LessonList lessons={inPrompt} />
      <div className={inPrompt.length > 0 ? 'ph mt-4' : 'ph'}>
        <h2>Lessons written</h2>
        <span className="note">{written.length}</span>
      </div>
      <LessonList lessons={written.filter((lesson) => !inPrompt.includes(lesson))} rest={inPrompt.length > 0} />
    </section>
  );
}

function LessonList({ lessons, rest = false }: { lessons: Lesson[]; rest?: boolean }) {
  if (lessons.length === 0) return rest ? <p className="sm faint">No others.</p> : null;
  return (
    <ol className="stack">
      {lessons.map((lesson) => (
        <li key={lesson.id} className="row al">
          <span className="chip plain">after v{lesson.version}</span>
          <span className="prose min-w-0 whitespace-pre-wrap wrap-anywhere">{lesson.text}</span>
        </li>
      ))}
    </ol>
  );
}
