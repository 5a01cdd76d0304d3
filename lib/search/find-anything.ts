import { z } from 'zod';
import type { DatabaseClient } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { findCases } from '#lib/datasets/queries.ts';
import { searchDocs } from '#lib/docs/read-doc.ts';
import { formatRunNumber, formatTitle } from '#lib/format.ts';
import { listLessons } from '#lib/lessons/queries.ts';
import { promptPath } from '#lib/prompts/prompt.ts';
import { searchOutputs } from '#lib/runs/search-outputs.ts';
import { FOUND_KINDS } from './found-kinds.ts';

export const foundSchema = z.object({
  kind: z.enum(FOUND_KINDS),
  path: z.string().meta({ description: 'Path of the page that shows the item.' }),
  name: z.string().meta({ description: 'Its name, or the piece of its text that was found.' }),
  note: z.string().meta({ description: 'Details that distinguish it from similar items.' }),
});
/** A search result, found by its name or its text. */
export type Found = z.infer<typeof foundSchema>;

const MAX_RESULTS_PER_KIND = 5;
/** Maximum number of characters of a result's text. */
const LENGTH = 90;

/**
 * Returns the newest few items of each kind with `typed` in their name or its words in their text, and sections of the docs. A number also
 * finds the run with that number. An empty query returns the newest items.
 */
export async function findAnything(database: DatabaseClient, typed: string): Promise<Found[]> {
  const text = cleanText(typed.trim()).slice(0, 100);
  const found = await Promise.all([
    findExperiments(database, text),
    findPrompts(database, text),
    findDatasets(database, text),
    findRuns(database, text),
    text === '' ? [] : findLessons(database, text),
    text === '' ? [] : findCasesOf(database, text),
    text === '' ? [] : findOutputs(database, text),
  ]);
  return [...found.flat(), ...findDocs(text)];
}

function named(text: string) {
  const name = { contains: text.replaceAll(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' } as const;
  return { where: text === '' ? {} : { name }, take: MAX_RESULTS_PER_KIND };
}

async function findExperiments({ prisma }: DatabaseClient, text: string): Promise<Found[]> {
  const rows = await prisma.experiment.findMany({
    ...named(text),
    select: { id: true, name: true, latestVersion: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(({ id, name, latestVersion }) => ({
    kind: 'experiment',
    path: `/experiments/${id}`,
    name,
    note: `v${latestVersion}`,
  }));
}

async function findPrompts({ prisma }: DatabaseClient, text: string): Promise<Found[]> {
  const rows = await prisma.prompt.findMany({
    ...named(text),
    select: { name: true, latestVersion: true },
    orderBy: [{ updatedAt: 'desc' }, { name: 'asc' }],
  });
  return rows.map(({ name, latestVersion }) => ({
    kind: 'prompt',
    path: promptPath(name),
    name,
    note: latestVersion === 0 ? 'no version' : `v${latestVersion}`,
  }));
}

async function findDatasets({ prisma }: DatabaseClient, text: string): Promise<Found[]> {
  const rows = await prisma.dataset.findMany({
    ...named(text),
    select: { id: true, name: true, caseCount: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(({ id, name, caseCount }) => ({
    kind: 'dataset',
    path: `/datasets/${id}`,
    name,
    note: caseCount === 1 ? '1 case' : `${caseCount} cases`,
  }));
}

/** Finds runs by number, or the newest ones for an empty query. Run texts are searched with the outputs. */
async function findRuns({ prisma }: DatabaseClient, text: string): Promise<Found[]> {
  const number = /^#?(\d{1,9})$/.exec(text)?.[1];
  if (text !== '' && number === undefined) return [];
  const rows = await prisma.run.findMany({
    where: number === undefined ? {} : { number: Number(number) },
    select: { id: true, number: true, input: true, status: true },
    orderBy: { number: 'desc' },
    take: MAX_RESULTS_PER_KIND,
  });
  return rows.map((run) => ({
    kind: 'run',
    path: `/runs/${run.id}`,
    name: `${formatRunNumber(run.number)} ${formatTitle(run.input, LENGTH) || 'An empty case'}`,
    note: run.status,
  }));
}

async function findLessons(database: DatabaseClient, text: string): Promise<Found[]> {
  const { items } = await listLessons(
    database,
    { query: text, kind: null, status: null, scope: null, only: null, year: null, order: 'newest' },
    { cursor: null, limit: MAX_RESULTS_PER_KIND },
  );
  return items.map(({ id, text: lesson, status }) => ({
    kind: 'lesson',
    path: `/lessons/${id}`,
    name: formatTitle(lesson, LENGTH),
    note: status,
  }));
}

async function findCasesOf(database: DatabaseClient, text: string): Promise<Found[]> {
  const cases = await findCases(database, { query: text, limit: MAX_RESULTS_PER_KIND });
  return cases.map(({ datasetId, dataset, number, input }) => ({
    kind: 'case',
    path: `/datasets/${datasetId}?${new URLSearchParams({ find: beginningOf(input) })}`,
    name: formatTitle(input, LENGTH) || `Case ${number}`,
    note: dataset,
  }));
}

/** Returns the beginning of a text. The dataset page finds the case by it. */
function beginningOf(input: string): string {
  return (/^.{0,80}/u.exec(input.trimStart())?.[0] ?? '').toWellFormed().trim();
}

async function findOutputs(database: DatabaseClient, text: string): Promise<Found[]> {
  const { items } = await searchOutputs(database, {
    query: text,
    experimentId: null,
    cursor: null,
    limit: MAX_RESULTS_PER_KIND,
  });
  return items.map(({ runId, number, version, snippet, experimentName }) => ({
    kind: version === null ? 'run' : 'output',
    path: version === null ? `/runs/${runId}` : `/runs/${runId}?v=${version}`,
    name: snippet.text.replaceAll(/\s+/g, ' '),
    note: `${formatRunNumber(number)} ${experimentName}`,
  }));
}

function findDocs(text: string): Found[] {
  return searchDocs(text, MAX_RESULTS_PER_KIND).map(({ href, title, section }) => ({
    kind: 'doc',
    path: href,
    name: section ?? title,
    note: section === null ? 'Docs' : title,
  }));
}
