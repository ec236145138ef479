/** The style of the page, in both themes. Its hash is part of the page's policy. */
export const REPORT_STYLE = `
:root{color-scheme:light dark;--ground:#fff;--text:#1b1f24;--faint:#59636e;--line:#d1d9e0;--mark:#0a5bd3;--clear:#0b6b3a;--notice:#fff5d6}
@media (prefers-color-scheme:dark){:root{--ground:#12161b;--text:#e6eaef;--faint:#9aa7b4;--line:#38424d;--mark:#6cb0ff;--clear:#5fd38d;--notice:#3a3012}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;line-height:1.2;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2rem 0 .5rem}
p,li{overflow-wrap:anywhere}
ul{padding-left:1.2rem}
.origin,.notice{margin:.4rem 0}
.origin{background:var(--notice);border-left:4px solid var(--mark);padding:.5rem .75rem;font-weight:600}
.notice{color:var(--faint)}
figure{margin:1rem 0;padding:.75rem;border:1px solid var(--line);border-radius:6px}
figcaption{font-weight:600;margin-bottom:.5rem}
.strips{list-style:none;margin:0;padding:0}
.strips li{display:grid;grid-template-columns:12rem 1fr;gap:0 .75rem;align-items:center;margin:.3rem 0}
.strips svg{width:100%;height:20px;overflow:visible}
.value{grid-column:2;color:var(--faint);font-size:.85rem}
.scale{display:flex;justify-content:space-between;margin:0 0 0 12.75rem;color:var(--faint);font-size:.85rem;border-top:1px solid var(--line)}
path{fill:none;vector-effect:non-scaling-stroke}
.track{stroke:var(--line);stroke-width:1}
.zero{stroke:var(--text);stroke-width:1;stroke-dasharray:3 3}
.range{stroke:var(--mark);stroke-width:3}
.dot{stroke:var(--mark);stroke-width:11;stroke-linecap:round}
.clear .range,.clear .dot{stroke:var(--clear)}
.axis{stroke:var(--faint);stroke-width:1}
.scatter{display:block;width:100%;max-width:34rem}
text{fill:var(--text);font-size:11px}
.end{text-anchor:end}.middle{text-anchor:middle}
.wide{overflow-x:auto}
.wide:focus-visible{outline:2px solid var(--mark)}
table{border-collapse:collapse;font-size:.9rem;white-space:nowrap}
th,td{text-align:left;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);font-weight:400}
thead th{color:var(--faint)}
tbody th{font-weight:600}
@media (max-width:40rem){.strips li{grid-template-columns:1fr}.value{grid-column:1}.scale{margin-left:0}}
`;
