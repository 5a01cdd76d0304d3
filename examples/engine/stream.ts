// Prints the text as it streams, and aborts the loop after a number of characters.
import { createEngine } from 'hone/engine';
import { model } from './model.ts';

const most = Number(process.argv[2] ?? 200);
const controller = new AbortController();
let length = 0;

const engine = createEngine({
  model,
  onText: (text, { role }) => {
    if (role !== 'generate') return;
    process.stdout.write(text);
    length += text.length;
    if (length >= most) controller.abort();
  },
  settings: { criteria: [{ name: 'length', validate: (text) => (text.length < 2_000 ? 1 : 0) }] },
});

try {
  const { convergenceReason } = await engine.execute('Count from 1 to 100.', { abortSignal: controller.signal });
  console.log(`\nstopped: ${convergenceReason}`);
} catch (error) {
  if (!controller.signal.aborted) throw error;
  console.log(`\naborted with ${engine.getHistory().versions.length} versions`);
}
