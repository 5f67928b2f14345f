/** The stylesheet of the hosted page. Every text has a contrast of at least 4.5 : 1. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #f4f6f8; --card: #fff; --ink: #16191f; --faint: #565f6d; --line: #d9dee5; --edge: #7b8594;
  --accent: #1a56c4; --accent-strong: #14459e; --on-accent: #fff; --soft: #eef3fb;
  --good: #14713d; --bad: #a8231b; --bad-soft: #fdf1f0; --bad-line: #e3aaa6;
  --wait: #7a4f00; --wait-soft: #fdf5e4; --wait-line: #e0c48a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1217; --card: #181c23; --ink: #e8ebf0; --faint: #a3acba; --line: #2e3540; --edge: #76808f;
    --accent: #8ab6ff; --accent-strong: #aaccff; --on-accent: #0b1422; --soft: #1d2633;
    --good: #79d9a2; --bad: #ffa49c; --bad-soft: #2a1a1b; --bad-line: #6d3a38;
    --wait: #f0c676; --wait-soft: #2a2416; --wait-line: #66552b;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
.skip { position: absolute; left: -100vw; top: 0; padding: .5rem .9rem; background: var(--card); color: var(--accent); }
.skip:focus { left: .5rem; top: .5rem; z-index: 1; }
header, main, footer { width: 100%; max-width: 33rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.75rem; padding-bottom: 1rem; display: flex; align-items: center; gap: .75rem; color: var(--faint); }
header p { margin: 0; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.pair { display: flex; flex: none; align-items: center; gap: .45rem; }
.mark { width: 2.25rem; height: 2.25rem; border-radius: .55rem; display: block; }
span.mark { display: grid; place-items: center; background: var(--card); border: 1px solid var(--line); color: var(--ink); font-weight: 650; }
.link-line { width: 1rem; border-top: 2px dotted var(--edge); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .9rem; padding: 1.5rem; box-shadow: 0 1px 2px rgb(0 0 0 / .05); }
footer { padding-top: 1rem; padding-bottom: 2.5rem; color: var(--faint); font-size: .875rem; }
footer p { margin: .25rem 0; }
h1 { font-size: 1.45rem; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 .4rem; overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: 1rem; line-height: 1.35; margin: 1.6rem 0 .55rem; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
.lead { color: var(--faint); margin-top: 0; }
.hint, .faint { color: var(--faint); font-size: .9rem; }
.badge { display: inline-block; border: 1px solid var(--wait-line); background: var(--wait-soft); color: var(--wait); border-radius: 1rem; padding: .05rem .6rem; font-size: .82rem; font-weight: 600; }
p.badge { margin: 0 0 .9rem; }
ul.plain, ol.steps { list-style: none; margin: 0; padding: 0; }
ul.plain > li { position: relative; padding: .22rem 0 .22rem 1.5rem; overflow-wrap: anywhere; }
ul.plain > li::before { content: ""; position: absolute; left: .3rem; top: .78em; width: .42rem; height: .42rem; border-radius: 50%; background: var(--accent); }
ul.plain.quiet > li::before { background: var(--edge); }
.quiet { color: var(--faint); font-size: .94rem; }
.methods { display: grid; gap: .7rem; margin-top: .6rem; }
.methods form { margin: 0; }
.methods p { margin: .3rem 0 0; }
button, .button {
  display: block; width: 100%; min-height: 2.9rem; padding: .6rem 1rem; border-radius: .6rem; cursor: pointer; text-align: center; text-decoration: none;
  font: inherit; font-weight: 600; border: 1px solid var(--edge); background: var(--card); color: var(--ink); overflow-wrap: anywhere;
}
button:hover, .button:hover { background: var(--soft); border-color: var(--accent); }
button.primary, .button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.primary:hover, .button.primary:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
button[aria-disabled=true] { cursor: progress; opacity: .75; }
button.small { width: auto; min-height: 2rem; padding: .15rem .75rem; font-size: .875rem; }
button.text { width: auto; min-height: 2.5rem; margin: 0 auto; border-color: transparent; background: none; color: var(--faint); font-weight: 500; text-decoration: underline; text-underline-offset: .2em; }
button.text:hover { color: var(--ink); }
.cancel { margin-top: .75rem; text-align: center; }
a { color: var(--accent); text-underline-offset: .2em; }
a:not(.button) { overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .3rem; }
button:focus-visible, .button:focus-visible { border-radius: .6rem; outline-color: var(--ink); }
.after { margin-top: 1.5rem; }
.actions { display: grid; gap: .7rem; margin-top: 1.5rem; }
.actions form { margin: 0; }
.notice { border: 1px solid var(--bad-line); background: var(--bad-soft); border-radius: .6rem; padding: .75rem 1rem; margin: 0 0 1.1rem; }
.notice h2 { margin: 0 0 .2rem; color: var(--bad); }
.notice p, .notice ul { margin: .2rem 0; }
.notice ul { padding-left: 1.1rem; }
.notice.wait { border-color: var(--wait-line); background: var(--wait-soft); }
.notice.wait h2 { color: var(--wait); }
.notice a { color: inherit; }
.card > .code { margin-top: 1rem; }
.code { font-size: .8rem; color: var(--faint); }
code { font: .875em/1.4 ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
ol.steps { counter-reset: step; margin-top: 1.1rem; }
ol.steps > li { counter-increment: step; border-top: 1px solid var(--line); padding: 1.1rem 0 1.1rem 2.3rem; position: relative; }
ol.steps > li:last-child { padding-bottom: 0; }
ol.steps > li::before {
  content: counter(step); position: absolute; left: 0; top: 1.05rem; width: 1.55rem; height: 1.55rem; border-radius: 50%; display: grid; place-items: center;
  background: var(--soft); color: var(--accent); font-size: .85rem; font-weight: 650;
}
ol.steps h2 { margin: 0 0 .45rem; }
ol.steps + .center { margin-top: 1rem; }
.chips { list-style: none; display: flex; flex-wrap: wrap; gap: .4rem; margin: .4rem 0 0; padding: 0; }
.chips li { border: 1px solid var(--line); border-radius: .4rem; padding: .1rem .55rem; font-size: .9rem; overflow-wrap: anywhere; }
.addresses { list-style: none; margin: .5rem 0; padding: 0; border: 1px solid var(--line); border-radius: .6rem; }
.addresses li { display: flex; flex-wrap: wrap; gap: .3rem .8rem; justify-content: space-between; align-items: center; padding: .4rem .4rem .4rem .8rem; min-height: 2.8rem; }
.addresses li + li { border-top: 1px solid var(--line); }
label { display: block; font-weight: 600; margin-top: .9rem; }
ol.steps label:first-of-type { margin-top: .5rem; }
.actions + .center { margin-top: 1rem; }
input, textarea, select {
  display: block; width: 100%; margin-top: .3rem; padding: .6rem .75rem; min-height: 2.9rem; border: 1px solid var(--edge); border-radius: .6rem;
  background: var(--card); color: inherit; font: 1rem/1.4 ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace;
}
/** A list of sites shows words, so it has the font of texts and not that of keys. */
select { font-family: inherit; }
/** The field for a private key of several lines. An input of type password accepts only one line. */
textarea { min-height: 7.5rem; resize: vertical; -webkit-text-security: disc; }
[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
.field-error { color: var(--bad); font-size: .9rem; margin: .25rem 0 0; }
.code-image { display: block; width: min(15rem, 100%); margin: 1.2rem auto; padding: .5rem; background: #fff; border: 1px solid var(--line); border-radius: .6rem; }
.code-image svg { display: block; width: 100%; height: auto; shape-rendering: crispEdges; }
.status { text-align: center; font-weight: 600; min-height: 1.6em; }
.center { text-align: center; }
ul.exchanges { list-style: none; display: grid; gap: .6rem; margin: 1.2rem 0 0; padding: 0; }
ul.exchanges button { display: flex; align-items: center; gap: .9rem; text-align: start; }
details { border-top: 1px solid var(--line); margin-top: 1.4rem; padding-top: .8rem; }
summary { cursor: pointer; font-weight: 600; color: var(--accent); padding: .35rem 0; }
.sign { width: 3rem; height: 3rem; border-radius: 50%; display: grid; place-items: center; margin-bottom: 1rem; background: var(--soft); color: var(--accent); }
.sign svg { width: 1.5rem; height: 1.5rem; fill: none; stroke: currentColor; stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round; }
.sign.good { color: var(--good); } .sign.bad { color: var(--bad); background: var(--bad-soft); } .sign.wait { color: var(--wait); background: var(--wait-soft); }
.spinner { width: 2.2rem; height: 2.2rem; border-radius: 50%; border: 3px solid var(--line); border-top-color: var(--accent); animation: turn 1s linear infinite; margin-bottom: 1rem; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .spinner { animation: none; } }
@media (max-width: 24rem) { .card { padding: 1.1rem; } header { padding-top: 1.1rem; } ol.steps > li { padding-left: 0; } ol.steps h2 { padding-left: 2.1rem; } }
[hidden] { display: none !important; }
`;
