// Plain JavaScript, see python-process.mjs.
// @ts-check
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { constants } from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** Maximum memory of the interpreter, in bytes. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;

/**
 * Disables features before the interpreter is loaded: sockets, child processes, and memory above the limit. Node's permission model also
 * denies files and child processes, whatever API is called.
 */
export function shutOffBefore() {
  /** @returns {never} */
  const refuse = () => {
    throw new Error('network access is not allowed');
  };
  net.Socket.prototype.connect = refuse;
  net.Server.prototype.listen = refuse;
  Object.assign(dgram, { createSocket: refuse });
  Object.assign(dns, { lookup: refuse, resolve: refuse });
  Object.assign(childProcess, { spawnSync: () => ({ status: 127, signal: null, error: undefined }) });
  syncBuiltinESMExports();
  // The interpreter imports sockets as `ws`, and reads constants through `process.binding`, which the permission model denies.
  registerHooks({
    resolve: (name, context, next) =>
      name === 'ws' ? { url: 'data:text/javascript,export default {}', shortCircuit: true } : next(name, context),
  });
  Object.assign(process, {
    binding: (/** @type {string} */ name) => (name === 'constants' ? { fs: constants } : refuse()),
  });
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function growWithin(pages) {
    if (this.buffer.byteLength + pages * 65_536 > MAX_MEMORY_BYTES)
      throw new RangeError('the memory limit was reached');
    return grow.call(this, pages);
  };
}

/**
 * Disables features after the interpreter is loaded: all host objects that Python could reach through JavaScript, and every way to create
 * code from text. Afterwards no object gives access to `process` or `import`.
 */
export function shutOffAfter() {
  const refuse = () => {
    throw new Error('creating code from text is not allowed');
  };
  const functions = [() => 0, async () => 0, function* () {}, async function* () {}];
  for (const example of functions) {
    /** @type {object} */
    const prototype = Object.getPrototypeOf(example);
    Object.defineProperty(prototype, 'constructor', { value: refuse, writable: false, configurable: false });
  }
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (ALLOWED.has(name)) continue;
    // Delete first, because overwriting a lazily loaded global would load it.
    Reflect.deleteProperty(globalThis, name);
    Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false });
  }
}

/** Built-ins of the language without `eval` and `Function`, and some globals that the interpreter needs. */
const ALLOWED = new Set(
  `globalThis Infinity NaN undefined isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent
  AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
  FinalizationRegistry Float16Array Float32Array Float64Array Int8Array Int16Array Int32Array Iterator JSON Map Math Number Object
  Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError TypeError
  Uint8Array Uint8ClampedArray Uint16Array Uint32Array URIError WeakMap WeakRef WeakSet
  WebAssembly TextDecoder TextEncoder performance setTimeout clearTimeout queueMicrotask`.split(/\s+/),
);
