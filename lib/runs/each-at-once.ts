/** How many are worked on at the same time: the database has connections left for everybody else. */
const WIDTH = 4;

/** Does something for each of many, a few at a time; answers come in the order of the items. */
export async function forEachAtOnce<Item, Answer>(
  items: readonly Item[],
  act: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < items.length; from += WIDTH)
    answers.push(...(await Promise.all(items.slice(from, from + WIDTH).map(act))));
  return answers;
}
