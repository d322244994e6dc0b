/** Texts that several values could be: which one the person has chosen. */
import type { ChosenPlace } from '../bridge/messages.ts'
import { recall, remember } from './memory.ts'
import type { PageReport } from './report.ts'
import type { PlacesAnswer } from './service.ts'

const nameOf = ({ slug, blockId, path }: ChosenPlace): string => JSON.stringify([slug, blockId, path])

/** Equal texts of a page are distinguished by their order. */
function keyOf({ texts }: Pick<PageReport, 'texts'>, index: number): string {
  const text = texts[index]?.text ?? ''
  const before = texts.slice(0, index).filter((each) => each.text === text).length
  return `${before} ${text}`
}

/** Chooses the place of a text, for as long as the browser remembers the page. */
export const choose = (report: Pick<PageReport, 'texts'>, index: number, place: ChosenPlace): void =>
  remember({ chosen: { ...recall().chosen, [keyOf(report, index)]: nameOf(place) } })

/** An answer in which the texts have the places that were chosen for them. */
export function withChosen(report: PageReport, answer: PlacesAnswer): PlacesAnswer {
  const { chosen = {} } = recall()
  if (Object.keys(chosen).length === 0) return answer
  const found = answer.ambiguous.flatMap(({ index, candidates }) => {
    const name = chosen[keyOf(report, index)]
    return candidates.filter((each) => nameOf(each) === name)
  })
  const placed = new Set(found.map(({ index }) => index))
  return {
    ...answer,
    places: [...answer.places, ...found],
    ambiguous: answer.ambiguous.filter(({ index }) => !placed.has(index)),
  }
}
