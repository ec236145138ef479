// Before anything is drawn, so that no page appears in another theme first: a script of its own,
// because modules run after the page was read, and the policy of the page allows none inside it.
{
  const chosen = localStorage.getItem('trawl.theme');
  if (chosen) document.documentElement.dataset.theme = chosen;
}
