/** The look of the console, for pages that load no file. A test compares the colours with it. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --surface: light-dark(#f7f7f8, #1a1c1f);
  --raised: light-dark(#ffffff, #202226);
  --hover: light-dark(#efeff1, #26292d);
  --line: light-dark(#e3e4e7, #2d3035);
  --line-strong: light-dark(#8a8e96, #767b84);
  --ink: light-dark(#1b1c1f, #e8e9eb);
  --ink-soft: light-dark(#5a5d65, #a3a7b0);
  --accent: light-dark(#0b6b75, #5cc3cf);
  --accent-hover: light-dark(#08565e, #7fd3dd);
  --on-accent: light-dark(#ffffff, #05262a);
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0;
  font: 13px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  color: var(--ink);
  background: var(--surface);
}
main {
  display: flex;
  flex-direction: column;
  align-items: center;
  gap: 20px;
  min-height: 100dvh;
  padding: 10vh 16px 48px;
}
h1, p, dl, dd, ul { margin: 0; padding: 0; }
h1 { font-size: 19px; font-weight: 600; line-height: 1.3; overflow-wrap: anywhere; }
.mark { font-weight: 600; font-size: 15px; }
.card {
  display: flex;
  flex-direction: column;
  gap: 16px;
  width: min(440px, 100%);
  padding: 24px;
  background: var(--raised);
  border: 1px solid var(--line);
  border-radius: 10px;
}
form { display: flex; flex-direction: column; gap: 16px; }
dl { display: grid; grid-template-columns: minmax(84px, auto) 1fr; gap: 8px 16px; }
dt, .soft { color: var(--ink-soft); }
dd { overflow-wrap: anywhere; }
ul { padding-left: 18px; }
label { display: flex; flex-direction: column; gap: 4px; font-weight: 600; }
select, .button {
  min-height: 32px;
  padding: 6px 12px;
  font: inherit;
  font-weight: 400;
  color: inherit;
  background: var(--raised);
  border: 1px solid var(--line-strong);
  border-radius: 6px;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
select { width: 100%; text-align: left; }
.button:hover { background: var(--hover); }
.primary { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.primary:hover { background: var(--accent-hover); }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.buttons > * { flex: 1 1 120px; }
a { color: var(--accent); text-underline-offset: 2px; }
a.button { color: inherit; }
a.primary { color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
