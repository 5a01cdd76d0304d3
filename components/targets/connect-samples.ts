export const CONNECT_METHODS = ['typescript', 'python', 'http'] as const;
export type ConnectMethod = (typeof CONNECT_METHODS)[number];
export type SdkWay = Exclude<ConnectMethod, 'http'>;

type Sample = { name: string; address: string; needsToken: boolean };

/** Returns the command that installs the SDK from this Hone. */
export function installCommand(way: SdkWay, address: string): string {
  return way === 'typescript'
    ? `npm install ${address}/sdk/hone-sdk.tgz`
    : `pip install ${address}/sdk/hone-sdk.tar.gz`;
}

/** Returns the command that starts the copied code. */
export function startCommand(way: SdkWay, { address, needsToken }: Omit<Sample, 'name'>): string {
  const variables = [
    ...(address === 'http://127.0.0.1:3000' ? [] : [`HONE_URL=${address}`]),
    ...(needsToken ? ['HONE_API_TOKEN=…'] : []),
  ];
  return [...variables, way === 'typescript' ? 'npx tsx app.ts' : 'python app.py'].join(' ');
}

/** Returns code that connects an app, ready to copy. */
export function connectSample(way: ConnectMethod, name: string): string {
  const quoted = JSON.stringify(name);
  switch (way) {
    case 'typescript':
      return `import { Hone } from 'hone-sdk';

new Hone().target(${quoted}, async ({ case: { input }, components, signal }) => {
  // Call your app here. To revise and retry, also use the lessons and the feedback of the job.
  const output = await myApp(input, { system: components.system_prompt, signal });
  return { output };
}, { components: { system_prompt: { text: 'You are a helpful assistant.' } } }).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});`;
    case 'python':
      return `from hone import Hone

def run(job):
    # Call your app here. To revise and retry, also use job.lessons and job.feedback.
    output = my_app(job.case["input"], system=job.components["system_prompt"])
    return {"output": output}

components = {"system_prompt": {"text": "You are a helpful assistant."}}
Hone().target(${quoted}, run, components=components)`;
    case 'http':
      return `// Hone sends POST with { case, components, purpose, feedback, lessons, … }.
export async function POST(request: Request) {
  const { case: { input }, components } = await request.json();
  // Call your app here. To revise and retry, also use lessons and feedback. A stream of the AI SDK can be returned.
  const output = await myApp(input, { system: components.system_prompt });
  return Response.json({ output });
}`;
  }
}

/** Returns the lines that start the worker in a thread. */
export function threadSample(name: string): string {
  return `import threading

threading.Thread(
    target=Hone().target, args=(${JSON.stringify(name)}, run), kwargs={"components": components}, daemon=True
).start()`;
}
