import type { CriterionOf } from '#lib/core/criterion.ts';
import { type EvaluationIssue, NO_SPEND } from '#lib/core/history.ts';
import type { OpenIssue } from '#lib/core/issues/open-issues.ts';
import { withStatedId } from '#lib/core/issues/stated-id.ts';
import { fillForModels, judgeValues } from '#lib/core/prompts/judge-texts.ts';
import { temperatureFor } from '#lib/core/settings.ts';
import { askTwice } from './ask-twice.ts';
import { criterionResult } from './criterion-result.ts';
import { evaluateOpenReplySchema, evaluatePrompt, evaluateReplySchema } from './evaluate-prompt.ts';
import type { CriterionResult, EvaluationRequest, Evaluator } from './evaluator.ts';
import { type MayTell, mayTellOf, withoutLacking } from './judged-criteria.ts';
import { isStructuredReply, type JudgeReading, readPlainReply, readStructuredReply } from './read-judge-reply.ts';
import { readScoreText } from './read-score-text.ts';

/**
 * Scores by a judging model: all criteria in one call. A reply that leaves a criterion without a readable score from 0 to 1 is
 * asked for once more, with what was wrong; a criterion that is missing then too is unscored, and so is one whose text asks for
 * something that the case lacks. Where the judge saw the reference, only people are told what quotes it.
 */
export const llmEvaluator: Evaluator<'llm'> = {
  kind: 'llm',
  async evaluate(request) {
    const { settings, ask } = request;
    const structured = settings.structuredReflection;
    const { criteria, inOrder } = withoutLacking(request);
    if (criteria.length === 0) return { ok: true, results: inOrder([]), spend: NO_SPEND };
    const names = criteria.map((criterion) => criterion.name);
    const openIssues = issuesToAskAbout(request);
    const schema = openIssues.length === 0 ? evaluateReplySchema : evaluateOpenReplySchema;
    const asked = await askTwice(
      (wrong) =>
        ask({
          ...evaluatePrompt({ ...request, criteria, openIssues, wrong }),
          temperature: temperatureFor(settings, 'evaluate'),
          maxOutputTokens: null,
          output: structured ? { name: 'evaluation', schema } : null,
        }),
      (text, isCutOff) => (structured ? readJson(text, names, isCutOff) : readPlainReply(text, names)),
    );
    if (!asked.ok) return asked;
    const mayTell = mayTellOf(criteria, request);
    const results = resultsOf(names, asked.readings, openIssues).map((result, position) =>
      toldResult(result, criteria[position], request, mayTell),
    );
    return { ok: true, results: inOrder(results), spend: asked.spend };
  },
};

/** The JSON that was asked for; else the scores that the text says plainly, so that no second call is paid for them. */
function readJson(text: string, names: string[], isCutOff: boolean): JudgeReading {
  const reading = readStructuredReply(text, names);
  if (isCutOff || isStructuredReply(text)) return reading;
  return readScoreText(text, names) ?? reading;
}

/** The open issues that are this judge's business: not those under a criterion that is scored in another way. */
function issuesToAskAbout({ settings, criteria, openIssues = [] }: EvaluationRequest<'llm'>): OpenIssue[] {
  const own = new Set(criteria.map(({ name }) => name));
  const others = new Set(settings.criteria.map(({ name }) => name).filter((name) => !own.has(name)));
  return openIssues.filter(({ criterion }) => criterion === null || !others.has(criterion));
}

/**
 * The earlier reply counts where it was readable, the later one fills its gaps. Issues that the judge says still stand are named in the
 * words they had, with their id; ids it was not shown are left out. One that it names with an id in front, `i2: …`, stands too.
 */
function resultsOf(names: string[], readings: JudgeReading[], openIssues: readonly OpenIssue[]): CriterionResult[] {
  const toIssue = (criterion: string | null) => (text: string) => withStatedId({ criterion, text }, openIssues);
  const results = names.map((name): CriterionResult => {
    const reading = readings.find((candidate) => candidate.scores.has(name)) ?? readings.at(-1);
    const score = reading?.scores.get(name) ?? null;
    const reason = score?.reason ?? 'Not scored: the judge gave no readable score from 0 to 1, asked twice.';
    return {
      criterion: name,
      score: score?.score ?? null,
      reason,
      issues: (score?.issues ?? []).map(toIssue(name)),
      suggestions: score?.suggestions ?? [],
      confidence: score === null ? null : (reading?.confidence ?? null),
      feedback: score === null ? '' : `${name}: ${reason}`.trim(),
      detail: reason,
      answer: null,
    };
  });
  const general = readings.findLast((reading) => reading.scores.size > 0);
  const [firstResult] = results;
  if (general !== undefined && firstResult !== undefined) {
    firstResult.issues.push(...general.issues.map(toIssue(null)));
    firstResult.suggestions.push(...general.suggestions);
  }
  const stillOpen = new Set(readings.find(({ scores, stillOpen }) => scores.size > 0 && stillOpen !== null)?.stillOpen);
  const named = new Set(results.flatMap(({ issues }) => issues.flatMap(({ id }) => id ?? [])));
  for (const issue of openIssues) {
    if (!stillOpen.has(issue.id) || named.has(issue.id)) continue;
    const result = results.find(({ criterion }) => criterion === issue.criterion) ?? firstResult;
    result?.issues.push({ ...issue });
  }
  return results;
}

/** A result in which models are told nothing that quotes the reference; people are told all of it in `detail`. */
function toldResult(
  result: CriterionResult,
  criterion: CriterionOf<'llm'> | undefined,
  { case: task, output, openIssues = [] }: EvaluationRequest<'llm'>,
  mayTell: MayTell,
): CriterionResult {
  const { criterion: name, score, reason, issues, suggestions } = result;
  const texts = [reason, ...issues.map(({ text }) => text), ...suggestions];
  const withheld = texts.filter((text) => !mayTell(text)).length;
  if (withheld === 0 || criterion === undefined) return result;
  const sentence = score === null ? 'Not scored.' : `The judge gave ${score}.`;
  const described = fillForModels(criterion.description.trim(), judgeValues(criterion, task, output));
  // An issue that still stands is told in the words it had.
  const told = issues.flatMap((issue): EvaluationIssue[] =>
    mayTell(issue.text) ? [issue] : openIssues.filter(({ id }) => id === issue.id),
  );
  const unmet = { criterion: name, text: `Not met: ${mayTell(described) ? described || name : name}` };
  return criterionResult({
    ...result,
    reason: mayTell(reason) ? reason : sentence,
    issues: told.length === 0 && issues.length > 0 ? [unmet] : told,
    suggestions: suggestions.filter(mayTell),
    feedback: mayTell(reason) ? result.feedback : `${name}: ${score ?? 'not scored'}${score === null ? '' : ' of 1'}`,
    detail: [
      reason,
      ...issues.map(({ text }) => `- ${text}`),
      ...suggestions.map((suggestion) => `→ ${suggestion}`),
      `${withheld} of these texts quote the reference: models are not told them.`,
    ].join('\n'),
  });
}
