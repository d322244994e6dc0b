import { standardTypes } from '../language/standard-types.ts'
import { wordsIn } from '../message/phrases.ts'
import { pageOf, type Work } from '../work/work.ts'
import type { Asked, Said } from './question.ts'

/** What pages like this one usually have. */
export function advice(work: Work, { rest = '' }: Asked): Said {
  const { texts, typesByName, language } = work.scene
  const { blocks, title } = pageOf(work, work.slug)
  const has = (type: string) => blocks.some((block) => block.type === type)
  const nameOf = (type: string) => typesByName.get(type)?.displayName ?? type
  const findings = [...new Set(blocks.map(({ type }) => nameOf(type)))]
  const isAboutQuestions = (language.blockNouns['FAQAccordion'] ?? []).some((noun) => ` ${rest} `.includes(` ${wordsIn(noun).join(' ')} `))
  if (isAboutQuestions) return { summary: texts.adviceAboutQuestions(has('FAQAccordion')), findings }
  const missing = standardTypes.filter((type) => !has(type) && !(type === 'Stats' && has('Testimonials')))
  return { summary: texts.advice(title, missing.map(nameOf)), findings }
}
