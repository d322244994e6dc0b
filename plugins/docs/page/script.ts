/**
 * The script of the page. It shows the address in use, also behind a proxy or below a base path, searches
 * routes and schemas by words, and copies examples.
 *
 * Sent as text, so it must not use anything outside of itself.
 */
export function enliven(): void {
  const here = new URL('.', location.href).href.replace(/\/$/, '')
  const address = document.querySelector('#address')
  // The address is for a shell: one with special characters stays as written by the server.
  if (address && /^[\w.:/[\]%~-]+$/.test(here)) address.textContent = here

  const search = document.querySelector<HTMLInputElement>('#search')
  const found = document.querySelector('#found')
  const sections = [...document.querySelectorAll<HTMLElement>('section')].map((section) => {
    const cards = [...section.querySelectorAll<HTMLElement>('.cards > details')].map((card) => {
      const named = [...card.querySelectorAll('summary, .name')]
      return {
        card,
        text: named
          .map(({ textContent }) => textContent)
          .join(' ')
          .toLowerCase(),
      }
    })
    return { section, cards }
  })
  search?.addEventListener('input', () => {
    const words = search.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    let count = 0
    for (const { section, cards } of sections) {
      for (const { card, text } of cards) card.hidden = !words.every((word) => text.includes(word))
      const shown = cards.filter(({ card }) => !card.hidden).length
      section.hidden = words.length > 0 && shown === 0
      count += shown
    }
    if (found) found.textContent = words.length === 0 ? '' : `${count} found`
  })
  if (search) search.hidden = false

  for (const pre of document.querySelectorAll('pre')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      // Browsers allow the clipboard only on https and localhost; elsewhere the text is selected.
      const isCopied = await navigator.clipboard?.writeText(pre.textContent).then(
        () => true,
        () => false,
      )
      if (!isCopied) getSelection()?.selectAllChildren(pre)
      button.textContent = isCopied ? 'Copied' : 'Selected'
      setTimeout(() => (button.textContent = 'Copy'), 2000)
    })
    pre.before(button)
  }
}

export const script = `(${enliven.toString()})()`
