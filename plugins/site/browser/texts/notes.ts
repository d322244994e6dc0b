/** Says about a text that has no place why that is so, once the person clicks it. */
import type { OpenBridge } from '../bridge/open.ts'
import { areaOf, tag, type Box } from '../bridge/overlay.ts'
import { blockAround } from '../page.ts'
import type { PagePlace, PlacedElement } from './mark.ts'
import type { PlacedPage } from './placed-page.ts'

const most = 5
const placeOf = ({ file, path }: Pick<PagePlace, 'file' | 'path'>): string => `${file} – ${path}`

export function explainTexts(
  tools: () => OpenBridge | undefined,
  shown: () => PlacedPage,
  signal: AbortSignal,
): void {
  let note: Box | undefined
  const explain = ({ target }: MouseEvent): void => {
    note?.remove()
    note = undefined
    const { selection, overlay } = tools() ?? {}
    const now = shown()
    if (!overlay || !selection?.isOn() || !(target instanceof Element) || blockAround(target)) return
    const index = now.texts.findLastIndex(
      ({ element }) => element.contains(target) || target.contains(element),
    )
    const text = now.texts[index]
    if (!text || !text.element.contains(target)) return
    note = overlay.add('outline note', () => areaOf(text.element), ...linesFor(index, now).map(tag))
  }
  document.addEventListener('click', explain, { capture: true, signal })
}

function linesFor(index: number, { texts, answer, placed }: PlacedPage): readonly string[] {
  const { candidates = [] } = answer?.ambiguous.find((each) => each.index === index) ?? {}
  if (candidates.length > 0) {
    const places = [...new Set(candidates.map(placeOf))]
    const rest = places.length > most ? [`and ${places.length - most} more`] : []
    return ['This text is at several places. Edit it in its file:', ...places.slice(0, most), ...rest]
  }
  const near = [...new Set(nearest(texts[index]?.element, placed).map(({ place }) => placeOf(place)))]
  const made = 'This text is made by code, or is not in a content file.'
  return near.length === 0 ? [made] : [`${made} Near it:`, ...near.slice(0, 3)]
}

/** The places in the smallest element around a text that has some. */
function nearest(element: Element | undefined, placed: readonly PlacedElement[]): readonly PlacedElement[] {
  for (let around = element?.parentElement; around; around = around.parentElement) {
    const inside = placed.filter((each) => around?.contains(each.element))
    if (inside.length > 0) return inside
  }
  return []
}
