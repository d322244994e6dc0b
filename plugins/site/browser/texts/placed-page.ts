/** A page with the places of its texts. */
import { withChosen } from './ambiguous.ts'
import type { VisibleText } from './collect.ts'
import { markElements, type PlacedElement } from './mark.ts'
import { placedElements, type PageReport } from './report.ts'
import type { PlacesAnswer } from './service.ts'
import type { Watch } from './watch.ts'

interface PlacedPageOptions {
  readonly watch: Watch
  /** Whether the text of a node is what was typed, and not yet what the site shows. */
  readonly isTyped: (node: Text) => boolean
}

export function createPlacedPage({ watch, isTyped }: PlacedPageOptions) {
  let texts: readonly VisibleText[] = []
  let placed: readonly PlacedElement[] = []
  let answer: PlacesAnswer | undefined

  const nodesOf = (field: Element): readonly Text[] | undefined =>
    texts.find(({ element }) => element === field)?.nodes

  /** The places before of elements with typed texts that the content does not have yet. */
  const heldPlaces = (next: readonly PlacedElement[]): readonly PlacedElement[] => {
    const elements = new Set(next.map(({ element }) => element))
    const isHeld = ({ element }: PlacedElement): boolean =>
      element.isConnected && !elements.has(element) && nodesOf(element)?.some(isTyped) === true
    return placed.filter(isHeld).map((each) => ({ ...each, isTyped: false }))
  }

  const placeOf = (field: Element) => placed.find(({ element }) => element === field)?.place

  return {
    nodesOf,
    placeOf,
    /** The line of the value of a field in which its text begins. */
    lineOf(field: Element): number {
      const { value = '', segments } = placeOf(field) ?? {}
      return value.slice(0, segments?.[0]?.[0] ?? 0).split('\n').length
    },
    shown: () => ({ texts, placed, answer }),
    /** Sets the marks that a rendering has removed. */
    markAgain: (): boolean => markElements(placed),
    /** Marks the elements of a page; returns whether marks differed, and whether a typed text has no place yet. */
    show(report: PageReport, given: PlacesAnswer): { readonly isChanged: boolean; readonly isHeld: boolean } {
      answer = withChosen(report, given)
      const next = placedElements(report, answer, ({ nodes }) => !nodes.some(isTyped))
      const held = heldPlaces(next)
      texts = report.texts
      placed = [...next, ...held]
      let isChanged = false
      watch.quietly(() => {
        isChanged = markElements(placed)
      })
      return { isChanged, isHeld: held.length > 0 }
    },
  }
}

export type PlacedPage = ReturnType<typeof createPlacedPage>
export type ShownPage = ReturnType<PlacedPage['shown']>
