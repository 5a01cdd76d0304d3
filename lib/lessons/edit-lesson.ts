import type { z } from 'zod';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { isLocalOwner } from '#lib/auth/mode.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonState, ScreeningFinding } from '#lib/core/lesson-library.ts';
import { LESSON_FIELDS } from '#lib/core/lesson-schema.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { formatNumberOf, formatTitle } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { exchangedLessonSchema } from '#lib/lessons/exchange/exchanged-lesson.ts';
import { type CheckedText, checkText } from './check-text.ts';
import { addChecks, type LoadedLesson, loadLesson } from './load-lesson.ts';
import { redactScope } from './redact-lesson.ts';
import type { ReviewedLesson } from './review-lesson.ts';
import { newFindings, type ReviewStatus, statusByChecks } from './review-status.ts';
import { lessonEditSchema } from './schema.ts';

/**
 * Changes the text, fields or scope of a lesson (`lessonEditSchema`). The change is redacted and screened before it is stored, and the old
 * state is kept. A promoted lesson returns to review if the screening has new findings, and always if someone other than the editor could
 * promote it.
 */
export async function editLesson(
  { database, now }: AppContext,
  actor: Actor,
  lessonId: string,
  input: unknown,
): Promise<Result<ReviewedLesson & { editCount: number }>> {
  const parsed = parseInput(lessonEditSchema, input);
  if (!parsed.ok) return parsed;
  const edit = parsed.value;
  const reason = edit.reason === '' ? null : edit.reason;
  const seen = await loadLesson(database.prisma, lessonId, { lock: false });
  if (seen === null) return notStored('lesson', lessonId);
  const changed = changedState(seen, edit);
  if (!changed.ok) return changed;
  const at = now();
  // Outside of the transaction, because the scan is slow. Concurrent edits are detected by the edit count.
  const parts = { kind: seen.kind, ...changed.value, sourceInput: '' };
  const checked = await checkText(parts, edit.editCount + 1, at);
  const scope = await redactScope(changed.value.scope);
  return inTransaction(database, async (transaction) => {
    const lesson = await loadLesson(transaction, lessonId, { lock: true });
    if (lesson === null) return notStored('lesson', lessonId);
    const refused = refusal(lesson, edit);
    if (refused !== null) return fail('conflict', refused);
    const after = { text: checked.text, fields: checked.fields, scope };
    if (isSameState(lesson, after)) return fail('invalid', 'Nothing was changed.');
    const status = getStatusAfterEdit(lesson, checked, actor);
    const before = { text: lesson.text, fields: lesson.fields, scope: lesson.scope };
    const who = { actor: actor.name, actorId: personOf(actor) };
    await transaction.lessonEdit.create({
      data: { lessonId, number: lesson.editCount, ...who, reason, ...cleanJson(before), createdAt: at },
    });
    const { scope: scopeAfter, ...textAfter } = cleanJson(after);
    const data = { ...textAfter, ...scopeAfter, ...status };
    await transaction.lesson.updateMany({ where: { id: lessonId }, data });
    // Vectors are computed from the text.
    if (before.text !== after.text) await transaction.lessonEmbedding.deleteMany({ where: { lessonId } });
    await addChecks(transaction, lessonId, lesson.checks.length, checked.checks);
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'lesson', id: lessonId, name: formatTitle(after.text, 80) },
      change: { edit: lesson.editCount + 1, status: status.status, reason },
    });
    return succeed({ id: lessonId, ...status, editCount: lesson.editCount + 1 });
  });
}

type Edit = z.output<typeof lessonEditSchema>;

/** Returns why an edit is not allowed, for display, or null. */
function refusal(lesson: LoadedLesson, edit: Edit): string | null {
  if (lesson.editCount !== edit.editCount) {
    const by = lesson.editors.at(-1)?.actor;
    return `${by ?? 'Someone'} edited this lesson after you opened it. It now has ${formatNumberOf(lesson.editCount, 'edit')}, you saw ${edit.editCount}. Review it again before you change it.`;
  }
  if (lesson.status === 'rejected' || lesson.status === 'archived')
    return `It is ${lesson.status}${lesson.reviewedBy === null ? '' : ` by ${lesson.reviewedBy}`}. Restore it before you change it.`;
  return null;
}

/** Returns the state that an edit requests, validated with the lesson's form. */
function changedState(lesson: LoadedLesson, edit: Edit): Result<LessonState> {
  const refused = refusal(lesson, edit);
  if (refused !== null) return fail('conflict', refused);
  const { kind } = lesson;
  const hasForm = LESSON_FIELDS[kind].length > 0;
  if (hasForm && edit.text !== undefined)
    return fail(
      'invalid',
      `text of a lesson of the kind ${kind} is built from its fields. Change the fields instead`,
      'text',
    );
  const text = hasForm ? '' : (edit.text ?? lesson.text);
  const form = parseInput(exchangedLessonSchema, { kind, text, fields: { ...lesson.fields, ...edit.fields } });
  if (!form.ok) return form;
  return succeed({
    text: form.value.text,
    fields: form.value.fields,
    scope: {
      agent: edit.scope?.agent === undefined ? lesson.scope.agent : edit.scope.agent,
      taskType: edit.scope?.taskType === undefined ? lesson.scope.taskType : edit.scope.taskType,
      tools: edit.scope?.tools ?? lesson.scope.tools,
    },
  });
}

function getStatusAfterEdit(lesson: LoadedLesson, checked: CheckedText, actor: Actor): ReviewStatus {
  if (lesson.admission === 'staged') return { status: 'candidate', admission: 'staged' };
  const known: ScreeningFinding[] = lesson.checks.findLast((check) => check.kind === 'screen')?.findings ?? [];
  const isClean = newFindings(known, checked.findings).length === 0;
  if (lesson.status === 'promoted' && isClean && isLocalOwner(actor))
    return { status: 'promoted', admission: 'admitted' };
  const screened = checked.checks.map((check, position) => ({ ...check, number: lesson.checks.length + position }));
  const status = statusByChecks({ checks: [...lesson.checks, ...screened], editCount: lesson.editCount + 1 });
  // It was promoted before, so it returns to the reviewers.
  if (lesson.status !== 'promoted') return status;
  return { status: 'quarantined', admission: status.admission === 'held' ? 'held' : 'admitted' };
}

function isSameState(one: LessonState, other: LessonState): boolean {
  const flat = ({ text, fields, scope }: LessonState) =>
    JSON.stringify([text, Object.entries(fields).sort(), scope.agent, scope.taskType, scope.tools]);
  return flat(one) === flat(other);
}
