import { standardTypes } from '../standard-types.ts'
import { pageOf, type Work } from '../work.ts'
import type { Node } from '../grammar/node.ts'
import type { Answering } from './index.ts'

/** What pages like this one usually have. About anything else there is no advice by rules. */
export const advice: Answering = (work, { rest }) => {
  const { texts, types } = work.scene
  const page = pageOf(work, work.slug)
  const has = (type: string) => page.blocks.some((block) => block.type === type)
  const missing = standardTypes.filter((type) => !has(type) && !(type === 'Stats' && has('Testimonials')))
  const named = missing.map((type) => types.find((known) => known.type === type)?.displayName ?? type)
  const present = page.blocks.map((block) => types.find(({ type }) => type === block.type)?.displayName ?? block.type)
  const findings = [...new Set(present)]
  if (mentions(work, rest, 'FAQAccordion')) return { summary: texts.adviceAboutQuestions(has('FAQAccordion')), findings }
  return { summary: texts.advice(page.title, named), findings }
}

function mentions({ scene: { parser, lexicon } }: Work, rest: Node | undefined, type: string): boolean {
  const words = parser.tokens.slice(rest?.start ?? 0, rest?.end ?? 0).map(({ word }) => word).join(' ')
  return (lexicon.blockNouns[type] ?? []).some((noun) => ` ${words} `.includes(` ${noun.toLowerCase()} `))
}
