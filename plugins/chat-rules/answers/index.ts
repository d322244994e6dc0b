import type { QuestionKind } from '../language/language.ts'
import { type Courtesy, courtesyIn } from '../message/replies.ts'
import { cleanMessage, type Request } from '../message/request.ts'
import { focusedField, valueOf } from '../resolve/fields.ts'
import type { Work } from '../work/work.ts'
import { advice, blockCatalogue, editableFields, inventory, pageList } from './page-facts.ts'
import { type Answer, type Asked, questionsIn, type Said, slugOf } from './question.ts'

export type { Answer }

/** The answer to a message that only asks, or is only friendly; `undefined` for every other message. */
export function answer(work: Work, request: Request): Answer | undefined {
  const { input, language } = work.scene
  const courtesy = courtesyIn(cleanMessage(input.message), language)
  if (courtesy) return { kind: 'answer', status: 'info', summary: courtesies[courtesy](work), findings: [], suggestions: [] }
  for (const { kind, asked } of questionsIn(work, request)) {
    const said = answerTo(work, kind, asked)
    if (said) return { kind: 'answer', status: kind === 'advice' ? 'advice' : 'info', ...said, suggestions: [] }
  }
  return undefined
}

function answerTo(work: Work, kind: QuestionKind, asked: Asked): Said | undefined {
  const { texts } = work.scene
  const only = (summary: string): Said => ({ summary, findings: [] })
  const checks = (fixes: boolean, isWholeSite: boolean): Said => ({ summary: texts.noChecks, findings: [], checks: { fixes, ...(!isWholeSite && { slug: slugOf(work, asked) }) } })
  switch (kind) {
    case 'blockCatalogue': return blockCatalogue(work)
    case 'editableFields': return editableFields(work, asked)
    case 'pageList': return pageList(work)
    case 'inventory': return inventory(work, asked)
    case 'advice': return advice(work, asked)
    case 'image': return selectedImage(work)
    case 'help': return only(help(work))
    case 'negated': return only(texts.unchangedByNegation)
    case 'history': return only(texts.history)
    case 'publishing': return only(texts.publishing)
    case 'checkPage': return checks(false, false)
    case 'checkSite': return checks(false, true)
    case 'fixPage': return checks(true, false)
    case 'fixSite': return checks(true, true)
  }
}

const courtesies: Readonly<Record<Courtesy, (work: Work) => string>> = {
  thanks: ({ scene }) => scene.texts.thanks,
  greeting: (work) => `${work.scene.texts.greeting} ${help(work)}`,
  farewell: ({ scene }) => scene.texts.farewell,
}

/** What works here; where there is no model, the variable that brings one. */
const help = ({ scene: { texts, input } }: Work): string => `${texts.help} ${input.hasModel ? texts.helpWithModel : texts.helpAlone}`

/** Where the selected image comes from. */
function selectedImage(work: Work): Said | undefined {
  const field = focusedField(work)
  if (field?.meta.kind !== 'image') return undefined
  const address = valueOf(work, field)
  const { texts } = work.scene
  return typeof address === 'string' && address !== '' ? { summary: texts.imageAt, findings: [address] } : { summary: texts.noImage, findings: [] }
}
