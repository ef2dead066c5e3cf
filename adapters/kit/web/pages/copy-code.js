// Shows the buttons that copy a code. Without a script the code is selected whole by a click.
for (const button of document.querySelectorAll('button[data-copies]')) {
  const code = document.getElementById(button.dataset.copies);
  button.hidden = false;
  button.addEventListener('click', async () => {
    getSelection().selectAllChildren(code);
    // Browsers offer the clipboard only to pages by HTTPS.
    if (navigator.clipboard === undefined) document.execCommand('copy');
    else await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copiado';
  });
}
