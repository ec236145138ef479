const TOLD_MS = 2000;

/** Browsers have the clipboard only on secure origins; without it the button is not added. */
export function addCopyButtons() {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll('.code')) block.prepend(copyButton(block));
}

function copyButton(block) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  // the text of the button shows the outcome, also to a screen reader
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    const text = block.querySelector('code').textContent.replace(/\n$/, '');
    button.textContent = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Not copied',
    );
    setTimeout(() => {
      button.textContent = 'Copy';
    }, TOLD_MS);
  });
  return button;
}
