'use client';

import { TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { callApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, FieldGrid, FileInput, Input, Textarea } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Notice, noticeVariants } from '#components/ui/notice.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { ColumnHead, NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Result } from '#lib/core/problem.ts';
import type { HistorySummary, LineProblem, RunImport } from '#lib/exchange/schema.ts';
import { formatCount, formatNumberOf, formatPercent, formatScore, formatSentence } from '#lib/format.ts';

const EXAMPLE = '{"run": "baseline", "case": {"id": "q1", "input": "…"}, "attempt": 1, "output": "…", "solved": false}';

/** Imports past runs from a file or pasted text. Validates and previews everything first, then stores all or nothing. */
export function ImportRuns() {
  const router = useRouter();
  const toast = useToast();
  const [source, setSource] = useState<'file' | 'paste'>('file');
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState('');
  const [name, setName] = useState('');
  const [solvedFrom, setSolvedFrom] = useState('0.8');
  const [checked, setChecked] = useState<RunImport | null>(null);
  // Counts the changes of the import. The result of a check is ignored if it is of an earlier state.
  const edition = useRef(0);
  const { isBusy, problem, setProblem, errorAt, settle, submit } = useSubmit();
  const content = source === 'file' ? file : text.trim() === '' ? null : new Blob([text]);
  const isReady = checked !== null && checked.problems.length === 0 && checked.runs > 0;

  function reset() {
    edition.current += 1;
    setChecked(null);
    setProblem(null);
  }

  function look(sent: Blob | null) {
    reset();
    const of = edition.current;
    if (sent === null)
      return setProblem({
        code: 'invalid',
        field: 'content',
        message: source === 'file' ? 'Choose a file first.' : 'Paste some lines first.',
      });
    const onChecked = (result: Result<RunImport>) => {
      if (edition.current !== of) return;
      if (!result.ok) return setProblem(result.problem);
      const found = result.value;
      setChecked(found);
      if (found.runs === 0 && found.problems.length === 0)
        setProblem({ code: 'invalid', field: 'content', message: 'It contains no runs.' });
    };
    const checking = sendRunImport({ content: sent, name, solvedFrom, dryRun: true });
    void settle(checking, onChecked, { refreshes: false });
  }

  function store(sent: Blob) {
    submit(sendRunImport({ content: sent, name, solvedFrom, dryRun: false }), ({ runs, repeated, experimentId }) => {
      toast(repeated ? 'These runs were already imported' : `${formatNumberOf(runs, 'run')} imported`);
      router.push(`/experiments/${experimentId}`);
    });
  }

  function send() {
    if (isReady && content !== null) store(content);
    else look(content);
  }

  return (
    <SubmitForm className="flex flex-col gap-4" onSubmit={send}>
      <div>
        <Segmented
          label="Source"
          value={source}
          onChange={(next) => {
            setSource(next);
            reset();
          }}
          choices={[
            { value: 'file', label: 'File' },
            { value: 'paste', label: 'Paste' },
          ]}
        />
      </div>
      {source === 'file' ? (
        <label className="flex flex-wrap items-center gap-2 text-ink-2 text-sm">
          JSONL, up to 50 MB
          <FileInput
            accept=".jsonl,.ndjson,.json,.txt"
            onChange={(event) => {
              const [chosen = null] = event.target.files ?? [];
              setFile(chosen);
              if (chosen === null) reset();
              else look(chosen);
            }}
          />
        </label>
      ) : (
        <Field label="Lines" help="One JSON object per line, one line per attempt">
          <Textarea
            rows={8}
            className="font-mono text-code"
            spellCheck={false}
            placeholder={EXAMPLE}
            value={text}
            onValue={(value) => {
              setText(value);
              reset();
            }}
          />
        </Field>
      )}
      <FieldGrid>
        <Field label="Name of the experiment" help="Leave empty to use the name of the runs." error={errorAt('name')}>
          <Input value={name} onValue={setName} />
        </Field>
        <Field
          label="Solved threshold"
          help="0 to 1. Used for lines that have a score but no solved value."
          error={errorAt('solvedFrom')}
        >
          <Input
            numeric
            value={solvedFrom}
            onValue={(value) => {
              setSolvedFrom(value);
              reset();
            }}
          />
        </Field>
      </FieldGrid>
      {problem !== null && problem.field !== 'name' && problem.field !== 'solvedFrom' ? (
        <InlineError data-testid="import-problem">{formatSentence(problem.message)}</InlineError>
      ) : null}
      {checked !== null && checked.problems.length > 0 ? <ImportProblems problems={checked.problems} /> : null}
      {isReady ? <CheckedImport checked={checked} /> : null}
      <div>
        <Button type="submit" variant="primary" size="large" disabled={isBusy}>
          {isBusy
            ? isReady
              ? 'Importing'
              : 'Checking'
            : isReady
              ? `Import ${formatNumberOf(checked.runs, 'run')}`
              : 'Check'}
        </Button>
      </div>
    </SubmitForm>
  );
}

function CheckedImport({ checked }: { checked: RunImport }) {
  const { runs, unscored, models, solvedByAttempt, histories, missingFiles } = checked;
  return (
    <section aria-label="Preview" data-testid="checked-import">
      <p className="mb-3 text-sm" role="status">
        <b className="font-medium">{formatNumberOf(runs, 'run')}</b> of {formatNumberOf(checked.cases, 'case')} with{' '}
        {formatNumberOf(checked.attempts, 'attempt')} and {formatNumberOf(checked.lessons, 'lesson')}
        {models.length === 0 ? '' : `, by ${models.join(', ')}`}
        {unscored === 0 ? '' : ` (${formatNumberOf(unscored, 'attempt')} unscored, shown as gaps)`}.
      </p>
      {missingFiles.length === 0 ? null : <MissingFiles files={missingFiles} count={checked.missingFileCount} />}
      {solvedByAttempt.length === 0 ? null : (
        <Table scrollLabel="Solved by attempt" scrollClassName="mb-4" isTight data-testid="solved-by-attempt">
          <TableHead>
            <ColumnHead>After attempt</ColumnHead>
            {solvedByAttempt.map((_solved, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an attempt is identified by its number
              <NumberHead key={index}>{index + 1}</NumberHead>
            ))}
          </TableHead>
          <tbody>
            <tr>
              <RowHead>Ever solved</RowHead>
              {solvedByAttempt.map((solved, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an attempt is identified by its number
                <NumberCell key={index}>
                  {formatCount(solved)} <span className="text-ink-3">{formatPercent(solved / runs)}</span>
                </NumberCell>
              ))}
            </tr>
          </tbody>
        </Table>
      )}
      <p className="mb-1 text-ink-2 text-sm">
        {histories.length < runs ? `The first ${formatCount(histories.length)} of them` : 'Each of them'}
      </p>
      <Table scrollLabel="Runs" isCapped isTight>
        <TableHead>
          <ColumnHead className="max-narrow:hidden">Run</ColumnHead>
          <ColumnHead>Case</ColumnHead>
          <NumberHead>Line</NumberHead>
          <ColumnHead>Scores by attempt</ColumnHead>
          <ColumnHead>Solved</ColumnHead>
        </TableHead>
        <tbody>
          {histories.map((history) => (
            <HistoryRow key={history.line} history={history} />
          ))}
        </tbody>
      </Table>
    </section>
  );
}

/** Lists referenced files that are not stored here, with the runs that reference them. */
function MissingFiles({ files, count }: { files: RunImport['missingFiles']; count: number }) {
  const missing = count === 1 ? '1 file is' : `${formatCount(count)} files are`;
  return (
    <Notice tone="wait" className="mb-4" title={`${missing} not stored here. The runs are imported without them.`}>
      <ul className="flex flex-col gap-1" aria-label="Missing files">
        {files.map(({ file, mediaType, name, runs, run, caseId, line }) => (
          <li key={file} className="wrap-anywhere">
            <b className="font-medium">{name ?? file.slice(0, 8)}</b> ({mediaType}): line {formatCount(line)}, case “
            {caseId}” of run “{run}”{runs === 1 ? '' : ` and ${formatNumberOf(runs - 1, 'more run')}`}
          </li>
        ))}
        {count > files.length ? <li>And {formatCount(count - files.length)} more</li> : null}
      </ul>
    </Notice>
  );
}

const MAX_SHOWN_SCORES = 12;

function HistoryRow({ history: { run, caseId, line, scores, solvedAt } }: { history: HistorySummary }) {
  const more = scores.length - MAX_SHOWN_SCORES;
  return (
    <tr>
      <td className="wrap-anywhere text-sm max-narrow:hidden">{run}</td>
      <td className="wrap-anywhere font-mono text-sm">{caseId}</td>
      <NumberCell className="text-ink-3">{formatCount(line)}</NumberCell>
      <td className="text-sm">
        {scores.slice(0, MAX_SHOWN_SCORES).map(formatScore).join(' → ')}
        {more > 0 ? ` and ${formatCount(more)} more` : ''}
      </td>
      <td className="whitespace-nowrap text-sm">
        {solvedAt === null ? 'not solved' : `✓ by attempt ${formatCount(solvedAt)}`}
      </td>
    </tr>
  );
}

/** Lists the errors of an import by line. Any error rejects the whole import. */
function ImportProblems({ problems }: { problems: readonly LineProblem[] }) {
  const count =
    problems.length >= MAX_LISTED_PROBLEMS
      ? `At least ${formatCount(MAX_LISTED_PROBLEMS)} lines are`
      : `${formatNumberOf(problems.length, 'line')} ${problems.length === 1 ? 'is' : 'are'}`;
  return (
    <section
      className={noticeVariants({ tone: 'worse' })}
      aria-label="Problem"
      role="alert"
      data-testid="import-problems"
    >
      <TriangleAlert />
      <div className="min-w-0">
        <p className="font-semibold">{count} invalid. Nothing is imported while a line is invalid.</p>
        <ul className="mt-1 flex flex-col gap-1">
          {problems.map(({ line, column, message }) => (
            <li key={`${line} ${message}`} className="wrap-anywhere">
              <b className="font-medium">
                Line {formatCount(line)}
                {column === null ? '' : `, column ${formatCount(column)}`}:
              </b>{' '}
              {message}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

const MAX_LISTED_PROBLEMS = 20;

/** Import request. An empty name takes the experiment name from the lines. */
type RunImportRequest = { content: Blob; name: string; solvedFrom: string; dryRun: boolean };

/** Sends past runs to the API, which accepts files of up to 50 MB. A dry run only returns a preview. */
function sendRunImport({ content, name, solvedFrom, dryRun }: RunImportRequest): Promise<Result<RunImport>> {
  const query = {
    dryRun: dryRun ? ('true' as const) : ('false' as const),
    name: name.trim() === '' ? null : name,
    solvedFrom: solvedFrom.trim() === '' ? null : solvedFrom.trim(),
  };
  return callApi('POST /api/v1/runs/import', { query, file: { type: 'application/jsonl', content } });
}
