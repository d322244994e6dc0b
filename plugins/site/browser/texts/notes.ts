/** Says about a text that has no place why that is so, once the person clicks it, and lets one of several be chosen. */
import type { OpenBridgeOptions, OpenBridge } from '../bridge/open.ts'
import { areaOf, tag, type Box } from '../bridge/overlay.ts'
import { blockAround } from '../page.ts'
import { hintOf } from './hints.ts'
import type { PagePlace, PlacedElement } from './mark.ts'
import type { ShownPage } from './placed-page.ts'
import { askForLines } from './service.ts'

const most = 3
const placeOf = ({ file, path }: Pick<PagePlace, 'file' | 'path'>): string => `${file} – ${path}`

interface NotesOptions extends Pick<OpenBridgeOptions, 'send' | 'signal'> {
  readonly tools: Pick<OpenBridge, 'selection' | 'overlay'>
  readonly shown: () => ShownPage
}

/** Returns what gives the text that was asked about last. */
export function explainTexts({ tools: { selection, overlay }, shown, send, signal }: NotesOptions) {
  let note: Box | undefined
  let asked: number | undefined

  const explain = ({ target }: MouseEvent): void => {
    note?.remove()
    note = undefined
    const now = shown()
    if (!selection.isOn() || !(target instanceof Element) || blockAround(target)) return
    const index = now.texts.findLastIndex(
      ({ element }) => element.contains(target) || target.contains(element),
    )
    const text = now.texts[index]
    if (!text || !text.element.contains(target)) return
    const candidates = now.answer?.ambiguous.find((each) => each.index === index)?.candidates
    if (candidates) void offer(index, text.text, candidates)
    const lines = candidates
      ? ['This text is at several places. Choose one of them.']
      : linesFor(text.element, now)
    note = overlay.add('outline note', () => areaOf(text.element), ...lines.map(tag))
  }
  document.addEventListener('click', explain, { capture: true, signal })

  async function offer(index: number, text: string, candidates: readonly PagePlace[]): Promise<void> {
    asked = index
    const lines = await askForLines(candidates).catch(() => [])
    const places = candidates.map(({ slug, file, blockId, blockType, path }, n) => ({
      slug,
      file,
      blockId,
      blockType,
      path,
      ...(lines[n] && { line: lines[n] }),
    }))
    if (asked === index) send('placesOffered', { text: text.slice(0, 200), places })
  }

  return {
    asked: (): number | undefined => asked,
    close(): void {
      note?.remove()
      note = undefined
    },
  }
}

function linesFor(element: Element, { placed }: ShownPage): readonly string[] {
  const made = 'This text is made by code, or is not in a content file.'
  const { file, line } = hintOf(element) ?? {}
  const source =
    file === undefined ? [] : [`Its template: ${file}${line === undefined ? '' : `, line ${line}`}`]
  const near = [...new Set(nearest(element, placed).map(({ place }) => placeOf(place)))]
  return near.length === 0 ? [made, ...source] : [`${made} Near it:`, ...near.slice(0, most), ...source]
}

/** The places in the smallest element around a text that has some. */
function nearest(element: Element, placed: readonly PlacedElement[]): readonly PlacedElement[] {
  for (let around = element.parentElement; around; around = around.parentElement) {
    const inside = placed.filter((each) => around?.contains(each.element))
    if (inside.length > 0) return inside
  }
  return []
}
