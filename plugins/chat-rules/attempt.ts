import type { Outcome, PlanningInput } from '../chat/port.ts'
import { toDraft } from '../content/draft-view.ts'
import type { Page } from '../content/model.ts'
import { namingIn } from '../content/naming.ts'
import { perObject } from '../content/plain-object.ts'
import { answer } from './answers/index.ts'
import { TooManySteps } from './frame/ground.ts'
import { namesOn } from './frame/names.ts'
import { knownTypes, vocabularyFor } from './frame/vocabulary.ts'
import { interpret } from './interpret.ts'
import type { Language } from './language/language.ts'
import { cleanMessage, longestMessage, readRequest, type Request } from './message/request.ts'
import { withoutEnd } from './message/tokens.ts'
import { textsFor } from './texts/index.ts'
import { Ask, type Inquiry, tryTo } from './work/ask.ts'
import type { Scene, Work } from './work/work.ts'

type Answer = Extract<Outcome, { kind: 'answer' }>

/** What became of a message in one language. */
export type Attempt =
  | { readonly kind: 'done'; readonly work: Work }
  | { readonly kind: 'asked'; readonly inquiry: Inquiry; readonly work: Work }
  | { readonly kind: 'answered'; readonly answer: Answer; readonly work: Work }
  | { readonly kind: 'failed'; readonly work: Work | undefined }

/** What was answered to earlier questions about a message, by their keys. */
export type Answers = Readonly<Record<string, string>>

/** Steps that reading one message may take. */
const mostSteps = 60_000

/** Reads a message in one language and works out what it does. Nothing is changed. */
export function attempt(input: PlanningInput, language: Language, answers: Answers = {}): Attempt {
  const message = cleanMessage(input.message)
  if (!toDraft(input.draft).page(input.selection.slug)) return { kind: 'failed', work: undefined }
  const isTooLong = message.length > longestMessage
  const request = readRequest(isTooLong ? '' : message, language)
  const work = startWork(input, language, request, answers)
  if (isTooLong) return { kind: 'failed', work }
  try {
    const done = tryTo(() => understood(work, request)) ?? { kind: 'failed', work }
    return done instanceof Ask ? { kind: 'asked', inquiry: done.inquiry, work } : done
  } catch (error) {
    if (error instanceof TooManySteps) return { kind: 'failed', work }
    throw error
  }
}

function understood(work: Work, request: Request): Attempt {
  const said = answer(work, request)
  if (said && !request.isPolite) return { kind: 'answered', answer: said, work }
  if (isNoEdit(request, work.scene.language)) return { kind: 'failed', work }
  const done = interpret(work)
  const isQuoted = request.tokens.some(({ kind }) => kind === 'quoted')
  const removes = done.ops.some(({ op }) => op === 'remove_block' || op === 'remove_item' || op === 'remove_page')
  if (!request.isQuestion || (isQuoted && !removes)) return { kind: 'done', work: done }
  return { kind: 'asked', work, inquiry: { question: work.scene.texts.isThatARequest, suggestions: [withoutMark(request)] } }
}

/** A real question, or something that depends on a condition. */
function isNoEdit({ tokens, isPolite }: Request, { words }: Language): boolean {
  const isQuestion = !isPolite && words.question.includes(tokens[0]?.word ?? '')
  const text = ` ${tokens.map(({ word }) => word).join(' ')} `
  return isQuestion || words.condition.some((phrase) => text.includes(` ${phrase} `))
}

const withoutMark = ({ message, tokens }: Request): string => withoutEnd(message.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end), /[\s?!.]/)

function startWork(input: PlanningInput, language: Language, { message, tokens }: Request, answers: Answers): Work {
  const { draft: snapshot, registry, manifest, selection, locale } = input
  const named = namingIn(locale)
  const types = knownTypes(registry, manifest).map(named)
  const vocabulary = vocabularyFor(language, registry, manifest)
  const names = namesOn(snapshot.pages, snapshot.config)
  const ground = { message, tokens, language, vocabulary, names, words: [], budget: { steps: mostSteps } }
  const typesByName = new Map(types.map((type) => [type.type, type]))
  const scene: Scene = { input, language, ground, answers, types, typesByName, named, texts: textsFor(locale), now: latestStamp(snapshot.pages) }
  return { scene, draft: toDraft(snapshot), slug: selection.slug, ops: [], drafts: [], kept: [], requests: 0 }
}

/** The one time of a plan: that of the latest change, so that the same input gives the same plan. */
const latestStamp = perObject((pages: readonly Page[]) => new Date(pages.reduce((last, page) => Math.max(last, stampOf(page)), 0)))

const stampOf = perObject(({ updatedAt }: Page) => Date.parse(updatedAt) || 0)
