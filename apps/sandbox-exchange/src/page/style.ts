export const style = `
:root {
  color-scheme: light dark;
  --paper: #f6f7f9; --card: #fff; --ink: #16191f; --faint: #5c6573; --line: #dfe3e9; --accent: #1f5fd0; --on-accent: #fff;
  --good: #14713d; --bad: #b3261e; --wait: #8a5a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #101318; --card: #181c23; --ink: #e8ebf0; --faint: #9aa4b2; --line: #2b313b; --accent: #7fb0ff;
    --on-accent: #0c1422; --good: #6fd49a; --bad: #ff9c94; --wait: #f0c16a;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
header, main { max-width: 72rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.5rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1rem; margin: 2rem 0 .6rem; }
p { margin: .3rem 0; }
main { padding-bottom: 3rem; }
.faint { color: var(--faint); font-size: .87rem; }
.columns { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); }
ul { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
li { padding: .65rem .9rem; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
li:first-child { border-top: 0; }
.row { display: flex; flex-wrap: wrap; gap: .2rem 1rem; justify-content: space-between; align-items: baseline; }
.code { font: 600 1.25rem/1.2 ui-monospace, monospace; letter-spacing: .08em; user-select: all; }
.amount { font-variant-numeric: tabular-nums; font-weight: 600; }
.confirmed { color: var(--good); } .failed, .canceled { color: var(--bad); } .requested, .sent, .arriving { color: var(--wait); }
.balances { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin-top: .25rem; font-variant-numeric: tabular-nums; }
.prices { display: grid; gap: .4rem 1rem; grid-template-columns: repeat(auto-fill, minmax(15.5rem, 1fr)); }
.price, .price label { display: flex; gap: .4rem; align-items: center; }
.price strong { width: 3.4rem; }
.price input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .4rem; padding: .2rem .4rem; }
.price label { flex: 1; min-width: 0; }
.price input { flex: 1; min-width: 0; width: 6rem; }
.price button { padding: .2rem .6rem; white-space: nowrap; }
.search { display: flex; flex-wrap: wrap; gap: .4rem .6rem; align-items: center; margin-top: .8rem; }
.search label { display: flex; flex: 0 1 22rem; gap: .5rem; align-items: center; font-weight: 600; }
.search input { flex: 1; min-width: 0; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; padding: .4rem .6rem; }
.search a { color: var(--accent); }
button {
  font: inherit; font-weight: 600; padding: .5rem .9rem; border: 0; border-radius: .5rem; cursor: pointer;
  background: var(--accent); color: var(--on-accent);
}
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
`;

/** Reloads the page every two seconds, but not while a person selects a code, types, or focuses a button. */
export const script = `
setInterval(async () => {
  const busy = String(getSelection()) !== '' || ['BUTTON', 'INPUT'].includes(document.activeElement?.tagName);
  if (busy || document.hidden) return;
  try {
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), 'text/html');
    document.querySelector('main').replaceWith(page.querySelector('main'));
  } catch {}
}, 2000);
`;
