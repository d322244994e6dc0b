import {
  type ImageChoice,
  type OpenQuestion,
  type Outcome,
  type PlanningInput,
  withAnswered,
} from '../chat/port.ts'
import { sameJson } from '../content/same-json.ts'
import { texts } from './texts.ts'

/** Marks an open question as the question for an image source. */
const memory = { asks: 'image source' } as const

/** The answers that clients show as buttons; they know them by these words. */
const chips: Readonly<Record<string, ImageChoice>> = {
  'Use Unsplash': 'stock',
  'Generate with AI': 'generated',
  Either: 'any',
}

/** Asks for a source. The question keeps the request, which is planned again with the answer. */
export const whichSource = (input: PlanningInput): Extract<Outcome, { kind: 'question' }> => ({
  kind: 'question',
  question: texts.whichSource,
  suggestions: Object.keys(chips),
  open: { message: withAnswered(input), memory },
})

/** The source that a message chooses: a chip, in answer to the question for one. */
export function chosenIn(message: string, open: OpenQuestion | undefined): ImageChoice | undefined {
  if (!sameJson(open?.memory, memory)) return undefined
  const said = message.trim().toLowerCase()
  return Object.entries(chips).find(([chip]) => said.startsWith(chip.toLowerCase()))?.[1]
}
