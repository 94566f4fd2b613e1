/** Does to a page what translators of browsers do: each text node makes way for an element with its translation. */
export function translate() {
  const wordsIn = (text: Text) => text.data.trim() && !text.parentElement?.closest('font, [translate=no]');
  const translateAll = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
    for (const text of texts.filter(wordsIn)) {
      const translation = document.createElement('font');
      translation.textContent = text.data;
      text.replaceWith(translation);
    }
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(translateAll).observe(document.body, { childList: true, subtree: true });
    translateAll();
  });
}
