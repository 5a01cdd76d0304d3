import { z } from 'zod';
import { type Comparison, comparisonSchema, writeArmName } from '#lib/compare/schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { PairedVerdict } from '#lib/statistics/paired-verdict.ts';
import { GATE_USAGE, type GateOptions, readGateOptions } from './gate-options.ts';

/** `passed`: no regression. `regression`: worse by more than noise and more than the margin. `unclear`: it can't be told. */
type GateOutcome = 'passed' | 'regression' | 'unclear';

type GateVerdict = { outcome: GateOutcome; reason: string; result: PairedVerdict | null };

/** What a process ends with. */
const EXIT_CODES: Record<GateOutcome, number> = { passed: 0, regression: 1, unclear: 2 };

/** What the gate says, and what its process ends with: 0 no regression, 1 regression, 2 it can't tell. */
export type GateReport = { exitCode: number; text: string };

/** Asks a running Hone how an experiment stands against its baseline, and judges that. Never throws: what goes wrong is told, with 2. */
export async function runGate(args: readonly string[], env: Record<string, string | undefined>): Promise<GateReport> {
  const options = readGateOptions(args, env);
  if (!options.ok) return { exitCode: EXIT_CODES.unclear, text: `${options.problem.message}\n\n${GATE_USAGE}` };
  if (options.value === 'help') return { exitCode: EXIT_CODES.passed, text: GATE_USAGE };
  const asked = options.value;
  const compared = await fetchComparison(asked);
  if (!compared.ok) {
    const verdict = { outcome: 'unclear', reason: compared.problem.message, result: null } as const;
    return report(verdict, asked, null);
  }
  return report(judgeGate(compared.value, asked), asked, compared.value);
}

const LIMIT_MS = 60_000;
const refusal = z.object({ error: z.object({ message: z.string() }) });

async function fetchComparison(options: GateOptions): Promise<Result<Comparison>> {
  const query = new URLSearchParams({ experimentIds: namesOf(options), limit: '1' });
  if (options.metric !== null) query.set('metric', options.metric);
  try {
    const response = await fetch(`${options.address}/api/v1/compare?${query}`, {
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) {
      const comparison = comparisonSchema.safeParse(body);
      return comparison.success
        ? succeed(comparison.data)
        : fail('unavailable', `What answered at ${options.address} is no Hone of this version.`);
    }
    const refused = refusal.safeParse(body);
    return fail(
      'invalid',
      refused.success ? refused.data.error.message : `Hone at ${options.address} answered with ${response.status}.`,
    );
  } catch {
    return fail(
      'unavailable',
      `Hone did not answer at ${options.address}. Start it there, or name its address with --address.`,
    );
  }
}

function namesOf({ baseline, experiment }: GateOptions): string {
  return `${writeArmName(baseline)},${writeArmName(experiment)}`;
}

const TITLES: Record<GateVerdict['outcome'], string> = {
  passed: 'PASSED: no regression',
  regression: 'REGRESSION',
  unclear: 'CAN’T TELL',
};

function report(verdict: GateVerdict, options: GateOptions, comparison: Comparison | null): GateReport {
  const exitCode = EXIT_CODES[verdict.outcome];
  const [baseline, experiment] = comparison?.arms ?? [];
  const page = `${options.address}/compare?of=${comparison?.arms.map(({ arm }) => arm).join(',') ?? namesOf(options)}`;
  const isPractice = comparison?.arms.some(({ practice }) => practice) ?? false;
  if (options.isJson) {
    const { margin, leastCases } = options;
    const named = (arm: typeof baseline) => (arm === undefined ? null : { arm: arm.arm, name: arm.experimentName });
    return {
      exitCode,
      text: JSON.stringify(
        {
          ...verdict,
          exitCode,
          metric: comparison?.metric ?? options.metric,
          margin,
          leastCases,
          practice: isPractice,
          experiment: named(experiment),
          baseline: named(baseline),
          page,
        },
        null,
        2,
      ),
    };
  }
  const lines = [
    `${TITLES[verdict.outcome]}. ${verdict.reason}`,
    ...(experiment && baseline
      ? [
          `${experiment.experimentName} v${experiment.version} against ${baseline.experimentName} v${baseline.version}${isPractice ? ' (practice data)' : ''}`,
        ]
      : []),
    ...(verdict.result === null ? [] : [verdict.result.reading]),
    page,
  ];
  return { exitCode, text: lines.join('\n') };
}

/**
 * Whether an experiment is a regression against the baseline: its loss is more than noise, as the verdict of the comparison says, and
 * larger than `margin`. A gain never is, nor a loss that is only noise; what cannot be told is never passed.
 */
function judgeGate(
  { arms, against, metric }: Pick<Comparison, 'arms' | 'against' | 'metric'>,
  { margin, leastCases }: { margin: number; leastCases: number },
): GateVerdict {
  const result = against[0]?.[metric] ?? null;
  const underWay = arms.reduce((sum, arm) => sum + arm.underWay, 0);
  if (underWay > 0) return unclear(result, `${count(underWay, 'run')} still under way: wait until they have ended.`);
  if (result === null || result.difference === null) return unclear(result, 'No case was run and scored in both.');
  if (result.n < leastCases)
    return unclear(result, `Both ran ${count(result.n, 'case')}, and at least ${leastCases} are wanted.`);
  const { verdict, difference, low } = result;
  switch (verdict) {
    case 'too_few':
      return unclear(result, 'There are too few cases to tell anything.');
    case 'worse':
      return -difference > margin
        ? { outcome: 'regression', reason: `Worse than the baseline by more than noise${beyond(margin)}.`, result }
        : { outcome: 'passed', reason: `Worse by more than noise, but within the margin of ${margin}.`, result };
    case 'within_noise':
      return { outcome: 'passed', reason: `No loss beyond noise was found${atWorst(low)}.`, result };
    case 'better':
      return { outcome: 'passed', reason: 'Better than the baseline by more than noise.', result };
  }
}

function unclear(result: PairedVerdict | null, reason: string): GateVerdict {
  return { outcome: 'unclear', reason, result };
}

function beyond(margin: number): string {
  return margin === 0 ? '' : ` and more than the margin of ${margin}`;
}

/** What a pass does not rule out. */
function atWorst(low: number | null): string {
  return low === null || low >= 0 ? '' : `; a loss of up to ${(-low).toFixed(2)} is not ruled out`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
