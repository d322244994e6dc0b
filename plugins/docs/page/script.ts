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
  const cards = [...document.querySelectorAll<HTMLElement>('.cards > details')].map((card) => {
    const named = [...card.querySelectorAll('summary, .name')]
    return { card, text: named.map(({ textContent }) => textContent.toLowerCase()).join(' ') }
  })
  search?.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\s+/)
    for (const { card, text } of cards) card.hidden = !words.every((word) => text.includes(word))
  })
  if (search) search.hidden = false

  // Browsers allow the clipboard only on https and localhost.
  const { clipboard } = navigator as Partial<Navigator>
  for (const pre of clipboard ? document.querySelectorAll('pre') : []) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await clipboard?.writeText(pre.textContent)
      button.textContent = 'Copied'
    })
    pre.before(button)
  }
}

export const script = `(${enliven.toString()})()`
