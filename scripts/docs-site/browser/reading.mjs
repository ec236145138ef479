/** Brings the current page into view in a navigation that is longer than the screen. */
export function showCurrentPage() {
  const side = document.querySelector('.side');
  const current = side.querySelector('[aria-current]');
  if (!current) return;
  const below = current.offsetTop + current.offsetHeight - side.clientHeight;
  if (below > 0) side.scrollTop = below + side.clientHeight / 2;
}

/** Marks the heading that is being read in "On this page". */
export function followHeadings() {
  const links = new Map(
    [...document.querySelectorAll('.contents a')].map((link) => [link.hash.slice(1), link]),
  );
  const headings = [...links.keys()].map((id) => document.getElementById(id));
  if (headings.length === 0) return;
  const mark = () => {
    const limit =
      Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8;
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top <= limit);
    const current = atEnd ? headings.at(-1) : passed.at(-1);
    for (const [id, link] of links) {
      if (id === current?.id) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    }
  };
  let isDue = false;
  addEventListener(
    'scroll',
    () => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

/** Only what really scrolls needs to be reached by the Tab key. */
export function tabToScrollersOnly() {
  const check = ({ target }) => {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute('tabindex');
  };
  const observer = new ResizeObserver((entries) => entries.forEach(check));
  for (const region of document.querySelectorAll('pre, .table')) observer.observe(region);
}

/**
 * Sets the open state of sections that the style sheet always shows on a wide screen, for screen
 * readers and checkers.
 */
export function openWhatDoesNotFold() {
  for (const fold of document.querySelectorAll('.fold')) {
    const summary = fold.querySelector('summary');
    let folds = true;
    const check = () => {
      const foldsNow = getComputedStyle(summary).display !== 'none';
      if (foldsNow !== folds) fold.open = !foldsNow;
      folds = foldsNow;
    };
    addEventListener('resize', check);
    check();
  }
}
