/** What a page shows, as the service reads it. */
import { linksOnPage, picturesOnPage, visibleTexts, type VisibleText } from './collect.ts'
import { hintOf } from './hints.ts'
import type { PagePlace, PlacedElement } from './mark.ts'
import type { PlacesAnswer } from './service.ts'

export interface PageReport {
  readonly texts: readonly VisibleText[]
  readonly pictures: readonly HTMLElement[]
  readonly links: readonly HTMLElement[]
  /** The report as it is sent: the same for a page that shows the same. */
  readonly body: string
}

const most = 1000

export function reportPage(): PageReport {
  const texts = visibleTexts()
  const [pictures, links] = [picturesOnPage().slice(0, most), linksOnPage().slice(0, most)]
  const hints = texts.flatMap(({ element }, index) => {
    const hint = hintOf(element)
    return hint ? [{ index, ...hint }] : []
  })
  const body = JSON.stringify({
    path: location.pathname,
    title: document.title.slice(0, most),
    texts: texts.map(({ text }) => text),
    parents: texts.map(({ parent }) => parent),
    images: pictures.map((picture) => picture.getAttribute('src')),
    links: links.map((link) => ({ text: link.textContent.slice(0, most), href: link.getAttribute('href') })),
    hints,
  })
  return { texts, pictures, links, body }
}

/** The elements that have places. A text that was typed since it was placed cannot be typed in before it is again. */
export function placedElements(
  { texts, pictures, links }: PageReport,
  { places }: PlacesAnswer,
  isTyped: (text: VisibleText, place: PagePlace) => boolean,
): readonly PlacedElement[] {
  const placed: PlacedElement[] = []
  for (const place of places) {
    const { index, kind } = place
    const text = kind === 'image' || kind === 'link' ? undefined : texts[index]
    const element = text ? text.element : (kind === 'image' ? pictures : links)[index]
    if (element) placed.push({ element, place, isTyped: text !== undefined && isTyped(text, place) })
  }
  // A link whose text is edited is that text.
  const typed = placed.filter(({ place }) => place.kind !== 'link').map(({ element }) => element)
  return placed.filter(
    ({ element, place }) =>
      place.kind !== 'link' || !typed.some((each) => element.contains(each) || each.contains(element)),
  )
}
