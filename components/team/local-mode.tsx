import { CodeBlock } from '#components/ui/code-block.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';

/** What stands in the place of a team where there is none, and how there would be one. */
export function LocalMode() {
  return (
    <Pane className="border-b-0" data-testid="local-mode">
      <Notice title="Hone runs in local mode:">
        one person on this machine, the owner of everything, without sign-in. It answers to this machine alone.
      </Notice>
      <h2 className="mt-5 mb-2">To work as a team</h2>
      <p className="prose mb-2 text-ink-2">
        Start Hone in team mode. What is stored stays. At its first start it prints a link by which you become the first
        owner; you then invite the others here.
      </p>
      <CodeBlock>{`HONE_MODE=team \\
HONE_SECRET=$(openssl rand -hex 32) \\
APP_URL=https://hone.example.com \\
npm start`}</CodeBlock>
      <ul className="mt-2 list-disc pl-5 text-ink-2 text-sm">
        <li>
          Keep <code>HONE_SECRET</code>: all processes and every later start need the same. It replaces the key file of
          local mode, so enter the keys of providers anew.
        </li>
        <li>
          <code>APP_URL</code> is the address that people open. Put a proxy with TLS in front of it; Hone itself listens
          on 127.0.0.1 unless <code>HONE_HOST</code> says otherwise.
        </li>
      </ul>
    </Pane>
  );
}
