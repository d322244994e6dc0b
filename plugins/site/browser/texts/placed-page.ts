/** A page with the places of its texts. */
import type { Typing } from '../bridge/typing.ts'
import type { Awaiting } from './awaiting.ts'
import { textOf, type VisibleText } from './collect.ts'
import { markElements, type PlacedElement } from './mark.ts'
import { placedElements, type PageReport } from './report.ts'
import type { PlacesAnswer } from './service.ts'
import { typingIn } from './typing.ts'
import type { Typist } from './typist.ts'
import type { Watch } from './watch.ts'

interface PlacedPageOptions {
  readonly awaiting: Awaiting
  readonly typist: Typist
  readonly watch: Watch
}

export function createPlacedPage({ awaiting, typist, watch }: PlacedPageOptions) {
  let texts: readonly VisibleText[] = []
  let placed: readonly PlacedElement[] = []
  let answer: PlacesAnswer | undefined

  const nodesOf = (field: Element): readonly Text[] | undefined =>
    texts.find(({ element }) => element === field)?.nodes

  /** The places before of elements with typed texts that the content does not have yet. */
  const heldPlaces = (next: readonly PlacedElement[]): readonly PlacedElement[] => {
    const elements = new Set(next.map(({ element }) => element))
    const isHeld = ({ element }: PlacedElement): boolean =>
      element.isConnected && !elements.has(element) && nodesOf(element)?.some(awaiting.isTyped) === true
    return placed.filter(isHeld).map((each) => ({ ...each, isTyped: false }))
  }

  return {
    nodesOf,
    shown: () => ({ texts, placed, answer }),
    /** Marks the elements of a page; returns whether marks differed, and whether a typed text has no place yet. */
    show(report: PageReport, given: PlacesAnswer): { readonly isChanged: boolean; readonly isHeld: boolean } {
      const next = placedElements(report, given, ({ nodes }) => !nodes.some(awaiting.isTyped))
      const held = heldPlaces(next)
      texts = report.texts
      answer = given
      placed = [...next, ...held]
      let isChanged = false
      watch.quietly(() => {
        isChanged = markElements(placed)
      })
      return { isChanged, isHeld: held.length > 0 }
    },
    /** How a text is typed in: into its source, in the nodes that are there. */
    typeIn(field: HTMLElement): Typing | undefined {
      const place = placed.find(({ element }) => element === field)?.place
      const nodes = nodesOf(field)
      if (!place || !nodes) return undefined
      const typing = typingIn(field, nodes, place, awaiting.written)
      typist.begun(field, nodes, typing)
      return {
        ...typing,
        end(isRestored) {
          const isChanged = !isRestored && typing.value() !== typing.initial
          watch.quietly(() => typing.end(isRestored))
          typist.ended()
          if (isChanged) awaiting.await(place, textOf(field, nodes))
          watch.now()
        },
      }
    },
  }
}

export type PlacedPage = ReturnType<ReturnType<typeof createPlacedPage>['shown']>
