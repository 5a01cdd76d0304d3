const OF_ONE: Record<string, (x: number) => number> = {
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  abs: Math.abs,
  floor: Math.floor,
  ceil: Math.ceil,
  exp: Math.exp,
  ln: Math.log,
  log: Math.log10,
  log10: Math.log10,
  log2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
};

/** The names of all functions, for a tool's description and messages. */
export const FUNCTION_NAMES = [...Object.keys(OF_ONE), 'round', 'min', 'max'];

/** A function of rounded numbers; in words what is wrong where there is no such function or it is given too few or many. */
export function roundedFunction(name: string, given: number[]): number | string {
  const [first, second = 0] = given;
  if (!FUNCTION_NAMES.includes(name))
    return `there is no function ${JSON.stringify(name)}: there are ${FUNCTION_NAMES.join(', ')}`;
  if (first === undefined) return `${name} is given nothing`;
  if (name === 'min') return Math.min(...given);
  if (name === 'max') return Math.max(...given);
  if (name === 'round') return given.length > 2 ? 'round takes a number and decimal places' : roundedTo(first, second);
  const one = Object.hasOwn(OF_ONE, name) ? OF_ONE[name] : undefined;
  return one === undefined || given.length > 1 ? `${name} takes one number` : one(first);
}

function roundedTo(value: number, places: number): number {
  const scale = 10 ** Math.max(-300, Math.min(300, Math.round(places)));
  return (Math.sign(value) * Math.round(Math.abs(value) * scale)) / scale;
}
