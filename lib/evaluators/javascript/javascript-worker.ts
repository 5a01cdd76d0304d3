import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten-core';
import {
  JAVASCRIPT_MEMORY_BYTES,
  JAVASCRIPT_RETURN_LENGTH,
  JAVASCRIPT_TIME_MS,
  type JavascriptRequest,
  type JavascriptResult,
} from './run-javascript.ts';

/** Thread for untrusted JavaScript, which runs in QuickJS compiled to WASM. Each request gets a new interpreter. */
parentPort?.on('message', (request: JavascriptRequest) => void handleRequest(request));

async function handleRequest(request: JavascriptRequest): Promise<void> {
  parentPort?.postMessage('begun');
  parentPort?.postMessage(await run(request));
}

/** Compiled code of the interpreter. Compiled once per thread, because that takes longer than running most functions. */
const COMPILED = readFile(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))).then(
  (bytes) => WebAssembly.compile(bytes),
);

const PAGE_BYTES = 65_536;
/** Memory for the interpreter and the input text. */
const FIRST_PAGES = 256;
/** Limit of the total memory. The interpreter's own limit applies to each allocation separately. */
const MAX_PAGES = FIRST_PAGES + JAVASCRIPT_MEMORY_BYTES / PAGE_BYTES;

async function run({ code, argument }: JavascriptRequest): Promise<JavascriptResult> {
  let isOutOfTime = false;
  try {
    const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MAX_PAGES });
    const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory, wasmModule: COMPILED }));
    const runtime = quickjs.newRuntime({ memoryLimitBytes: JAVASCRIPT_MEMORY_BYTES, maxStackSizeBytes: 256 * 1024 });
    const context = runtime.newContext({ intrinsics: { ...INTRINSICS } });
    const deadline = performance.now() + JAVASCRIPT_TIME_MS;
    runtime.setInterruptHandler(() => {
      isOutOfTime = performance.now() > deadline;
      return isOutOfTime;
    });
    const found = evaluate(context, code, argument);
    return isOutOfTime ? { type: 'out_of_time' } : found;
  } catch (error) {
    // The interpreter aborted, for example on a value that is nested too deep.
    if (isOutOfTime) return { type: 'out_of_time' };
    return { type: 'broken', message: error instanceof Error ? error.message.slice(0, 200) : 'unknown' };
  }
}

/** Excludes Date, because a score must not depend on the time. */
const INTRINSICS = {
  BaseObjects: true,
  Eval: true,
  StringNormalize: true,
  RegExp: true,
  RegExpCompiler: true,
  JSON: true,
  Proxy: true,
  MapSet: true,
  TypedArrays: true,
  Promise: true,
  BigInt: true,
} as const;

/** Runs in the interpreter before the user's code. Keeps the original built-ins that it needs, before the code can change them. */
const PRELUDE = `(() => {
  'use strict';
  delete Math.random;
  const { parse, stringify } = JSON;
  const { isFinite } = Number;
  const text = String;
  const slice = Function.prototype.call.bind(String.prototype.slice);
  const plain = (_key, value) =>
    typeof value === 'number' && !isFinite(value) ? { notFinite: text(value) }
    : typeof value === 'bigint' ? text(value)
    : value;
  return {
    call: (evaluate, argument) => evaluate(parse(argument)),
    toJson: (value) => stringify(value, plain),
    describe: (thrown) => {
      if (typeof thrown !== 'object' || thrown === null) return 'It threw ' + slice(text(thrown), 0, 2000);
      const { name, message, lineNumber, stack } = thrown;
      const line = /code\\.js:(\\d+)/.exec(slice(text(stack), 0, 2000));
      return slice((name === undefined ? 'It threw an object' : text(name)) + (message ? ': ' + text(message) : ''), 0, 1900)
        + (line === null ? '' : ' (line ' + line[1] + ')');
    },
  };
})()`;

function evaluate(context: QuickJSContext, code: string, argument: string | null): JavascriptResult {
  const prelude = context.unwrapResult(context.evalCode(PRELUDE, 'prelude.js'));
  const inside: Inside = { context, prelude };
  const compiled = context.evalCode(code, 'code.js', { compileOnly: true });
  if (compiled.error) return syntaxError(inside, compiled.error);
  const loaded = context.evalCode(code, 'code.js');
  if (loaded.error) return thrown(inside, loaded.error);
  const found = context.evalCode("typeof evaluate === 'function' ? evaluate : undefined", 'code.js');
  if (found.error) return thrown(inside, found.error);
  if (context.typeof(found.value) !== 'function') return { type: 'no_function' };
  if (argument === null) return { type: 'checked' };
  const returned = callInside(inside, 'call', [found.value, context.newString(argument)]);
  if (returned.error) return thrown(inside, returned.error);
  const settled = settle(inside, returned.value);
  return settled.type === 'value' ? toJson(inside, settled.value) : settled;
}

type Inside = { context: QuickJSContext; prelude: QuickJSHandle };

function callInside({ context, prelude }: Inside, name: string, values: QuickJSHandle[]) {
  return context.callFunction(context.getProp(prelude, name), context.undefined, ...values);
}

/** Returns the value of a promise. Async functions are supported, but there is nothing asynchronous to wait for. */
function settle(inside: Inside, value: QuickJSHandle): JavascriptResult | { type: 'value'; value: QuickJSHandle } {
  const { context } = inside;
  const ran = context.runtime.executePendingJobs();
  if (ran.error) return thrown(inside, ran.error);
  const state = context.getPromiseState(value);
  switch (state.type) {
    case 'fulfilled':
      return { type: 'value', value: state.value };
    case 'rejected':
      return thrown(inside, state.error);
    case 'pending':
      return { type: 'threw', message: 'It returned a promise that never settles.' };
  }
}

function toJson(inside: Inside, value: QuickJSHandle): JavascriptResult {
  const { context } = inside;
  const json = callInside(inside, 'toJson', [value]);
  if (json.error) return thrown(inside, json.error);
  if (context.typeof(json.value) !== 'string') return { type: 'returned', json: null };
  const length = context.getNumber(context.getProp(json.value, 'length'));
  if (length > JAVASCRIPT_RETURN_LENGTH) return { type: 'too_large' };
  return { type: 'returned', json: context.getString(json.value) };
}

function thrown(inside: Inside, error: QuickJSHandle): JavascriptResult {
  const message = describe(inside, error);
  return message === 'InternalError: out of memory' || message?.startsWith('InternalError: out of memory (')
    ? { type: 'out_of_memory' }
    : { type: 'threw', message: message ?? 'It threw a value that cannot be read.' };
}

function syntaxError(inside: Inside, error: QuickJSHandle): JavascriptResult {
  const message = describe(inside, error) ?? 'SyntaxError';
  const line = /^(.*) \(line (\d+)\)$/s.exec(message);
  return { type: 'syntax_error', message: line?.[1] ?? message, line: line === null ? null : Number(line[2]) };
}

/** Returns a thrown value as text, or null if reading it throws again. */
function describe(inside: Inside, error: QuickJSHandle): string | null {
  const described = callInside(inside, 'describe', [error]);
  return described.error ? null : inside.context.getString(described.value).slice(0, 2_000);
}
