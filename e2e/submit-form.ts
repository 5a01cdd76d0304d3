/** Response to a submitted form. `cookie`: the cookie for further requests, or null if none was set. */
export type Submitted = {
  status: number;
  location: string | null;
  cookie: string | null;
  text: string;
  headers: Headers;
};

/** Opens a page and submits its form like a browser without JavaScript: the hidden fields and `values`. */
export async function submitForm(
  address: string,
  path: string,
  values: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Submitted> {
  const page = await fetch(address + path, { headers, redirect: 'manual' });
  const html = await page.text();
  const form = new FormData();
  for (const [name, value] of hiddenInputs(html)) form.append(name, value);
  if ([...form.keys()].length === 0)
    throw new Error(`${path} answered ${page.status}, without a form: ${html.slice(0, 500)}`);
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { origin: address, ...headers },
    body: form,
    redirect: 'manual',
  });
  const set = answer.headers.getSetCookie().map((line) => line.replace(/;.*$/s, ''));
  return {
    status: answer.status,
    location: answer.headers.get('location'),
    cookie: set.length === 0 ? null : set.join('; '),
    text: await answer.text(),
    headers: answer.headers,
  };
}

function hiddenInputs(html: string): [string, string][] {
  return [...html.matchAll(/<input\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => /\btype="hidden"/.test(tag))
    .map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')]);
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
