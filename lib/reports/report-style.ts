/** The report's own look: light and dark as the reader's system is, and for paper. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ink: #1c1e21; --ink-2: #4b5158; --line: #d9dde2; --surface: #fff; --brand: #1d4bd1; --sunken: #f4f6f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --ink-2: #a9b1ba; --line: #3a4048; --surface: #16181c; --brand: #8aa8ff; --sunken: #1f2227; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; background: var(--surface); color: var(--ink); font: 14px/1.55 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 2.25rem 0 .5rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: .95rem; margin: 1rem 0 .25rem; overflow-wrap: anywhere; }
p { margin: .35rem 0; max-width: 72ch; }
.facts, .note, caption { color: var(--ink-2); font-size: 12.5px; }
.notice { border: 1px solid var(--line); border-radius: 5px; background: var(--sunken); padding: .5rem .75rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
caption { text-align: left; padding-bottom: .25rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 500; color: var(--ink-2); font-size: 12px; }
th[scope="row"] { color: var(--ink); font-size: 13px; }
.n { text-align: right; white-space: nowrap; }
.w { overflow-wrap: anywhere; min-width: 12rem; }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: 5px; padding: .75rem; overflow-x: auto; font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
figure { margin: .5rem 0; }
svg { display: block; font: 11px system-ui, sans-serif; }
svg text { fill: var(--ink-2); } svg .value { fill: var(--ink); font-weight: 600; }
svg .grid { stroke: var(--line); } svg .band { fill: var(--brand); opacity: .14; }
svg .main { fill: none; stroke: var(--brand); stroke-width: 2.5; } svg .dot { fill: var(--surface); stroke: var(--brand); stroke-width: 2; }
svg .second { fill: none; stroke: var(--ink-2); stroke-width: 1.25; stroke-dasharray: 5 4; } svg .thin { fill: none; stroke: var(--ink-2); opacity: .18; }
svg .aim { stroke: var(--ink); stroke-dasharray: 2 3; }
@media print { body { max-width: none; padding: 0; } h2, table, figure { break-inside: avoid; } .runs { break-inside: auto; } }
`;
