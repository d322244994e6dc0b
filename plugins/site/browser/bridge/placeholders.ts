/** Makes empty texts clickable: the page shows the name of each while an editor can select. */

import { typingMark as mark } from '../page.ts'

const empty = `[${mark}] :is([data-editable-kind=text], [data-editable-kind=richtext]):empty`
const styles = `
${empty} { outline: 1px dashed #2563eb; outline-offset: 2px; cursor: text }
${empty}::before { content: attr(data-editable-target); opacity: .5 }
${empty}[data-editable-label]::before { content: attr(data-editable-label) }
`

/** Returns what turns them on and off. They are drawn by the page, which keeps its content. */
export function createPlaceholders(signal: AbortSignal): (areShown: boolean) => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets.push(sheet)
  const show = (areShown: boolean): void => void document.documentElement.toggleAttribute(mark, areShown)
  signal.addEventListener('abort', () => {
    show(false)
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  })
  return show
}
