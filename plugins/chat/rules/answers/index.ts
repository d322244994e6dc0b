import type { Outcome } from '../../types/plan.ts'
import type { Parts } from '../grammar/node.ts'
import { courtesyIn, type Courtesy } from '../courtesy.ts'
import { cleanMessage } from '../message/clean.ts'
import { findPageOr } from '../resolve/pages.ts'
import type { Work } from '../work.ts'
import { advice } from './advice.ts'
import { blockCatalogue, editableFields } from './capabilities.ts'
import { selectedImage } from './image.ts'
import { inventory, pageList } from './inventory.ts'

export type Answer = Extract<Outcome, { kind: 'answer' }>

/** Tells what somebody wants to know. Without suggestions: those are added where they can be tried. */
export type Answering = (work: Work, parts: Parts) => Pick<Answer, 'summary' | 'findings' | 'checks'> | undefined

const only = (summary: (work: Work) => string): Answering => (work) => ({ summary: summary(work), findings: [] })

/** The checks answer it; this says so where there are none. */
const checked = (fixes: boolean, isWholeSite: boolean): Answering => (work, { page }) => ({
  summary: work.scene.texts.noChecks,
  findings: [],
  checks: { fixes, ...(!isWholeSite && { slug: findPageOr(work, page) }) },
})

const answerings: Readonly<Record<string, Answering>> = {
  blockCatalogue, editableFields, pageList, inventory, advice, selectedImage,
  help: only(help),
  checkPage: checked(false, false),
  checkSite: checked(false, true),
  fixPage: checked(true, false),
  fixSite: checked(true, true),
  negated: only(({ scene }) => scene.texts.unchangedByNegation),
  history: only(({ scene }) => scene.texts.history),
  publishing: only(({ scene }) => scene.texts.publishing),
}

const courtesies: Readonly<Record<Courtesy, (work: Work) => string>> = {
  thanks: ({ scene }) => scene.texts.thanks,
  greeting: (work) => `${work.scene.texts.greeting} ${help(work)}`,
  farewell: ({ scene }) => scene.texts.farewell,
}

/** What works here, and what else would; where there is a model, nobody has to be told of its key. */
function help({ scene: { texts, input } }: Work): string {
  return `${texts.help} ${input.hasModel ? texts.helpWithModel : texts.helpAlone}`
}

/** The answer to a message that only asks, or is only friendly; `undefined` for every other message. */
export function answer(work: Work): Answer | undefined {
  const { input, lexicon } = work.scene
  const courtesy = courtesyIn(cleanMessage(input.message), lexicon)
  if (courtesy) return { kind: 'answer', status: 'info', summary: courtesies[courtesy](work), findings: [], suggestions: [] }
  for (const { rule, parts } of work.scene.parser.questions()) {
    const answering = answerings[rule.action]
    if (!answering) throw new Error(`The lexicon names an answer '${rule.action}' that does not exist.`)
    const found = answering(work, parts)
    if (found) return { kind: 'answer', status: rule.action === 'advice' ? 'advice' : 'info', ...found, suggestions: [] }
  }
  return undefined
}
