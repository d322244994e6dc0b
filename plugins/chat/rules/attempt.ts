import type { PlanningInput } from '../types/planner.ts'
import type { Outcome } from '../types/plan.ts'
import { answer } from './answers/index.ts'
import { Ask, Unfit, type Inquiry } from './ask.ts'
import { toDraft } from '../../content/draft-view.ts'
import { TooManySteps } from './grammar/matcher.ts'
import { createParser } from './grammar/parser.ts'
import { createSiteNames } from './grammar/site-names.ts'
import { wordsSaid } from './grammar/slots.ts'
import { createVocabulary, knownTypes, type Vocabulary } from './grammar/vocabulary.ts'
import { longestMessage } from './intent.ts'
import { interpret } from './interpret.ts'
import type { Lexicon } from './lexicon/lexicon.ts'
import { cleanMessage } from './message/clean.ts'
import { readRequest, type Request } from './message/read.ts'
import { withoutEnd } from './message/trim.ts'
import { namingIn } from '../../content/naming.ts'
import { textsFor } from './texts/index.ts'
import type { Scene, Work } from './work.ts'
import type { Manifest, Page, Registry } from '../../content/model.ts'

type Answer = Extract<Outcome, { kind: 'answer' }>

/** What became of a message in one language. */
export type Attempt =
  | { readonly kind: 'done'; readonly work: Work }
  | { readonly kind: 'asked'; readonly inquiry: Inquiry; readonly work: Work }
  | { readonly kind: 'answered'; readonly answer: Answer; readonly work: Work }
  | { readonly kind: 'failed'; readonly work: Work | undefined }

/** What was answered to earlier questions about a message, by their keys. */
export type Answers = Readonly<Record<string, string>>

/** Reads a message in one language and works out what it does. Nothing is changed. */
export function attempt(input: PlanningInput, lexicon: Lexicon, answers: Answers = {}): Attempt {
  const message = cleanMessage(input.message)
  if (!toDraft(input.draft).page(input.selection.slug)) return { kind: 'failed', work: undefined }
  const isTooLong = message.length > longestMessage
  const request = readRequest(isTooLong ? '' : message, lexicon)
  const work = startWork(input, lexicon, request, answers)
  if (isTooLong) return { kind: 'failed', work }
  try {
    return understood(work, request)
  } catch (error) {
    if (error instanceof Ask) return { kind: 'asked', inquiry: error.inquiry, work }
    if (error instanceof Unfit || error instanceof TooManySteps) return { kind: 'failed', work }
    throw error
  }
}

function understood(work: Work, request: Request): Attempt {
  const said = answer(work)
  if (said && !request.isPolite) return { kind: 'answered', answer: said, work }
  if (isNoEdit(request, work.scene.lexicon)) return { kind: 'failed', work }
  const done = interpret(work)
  const isQuoted = request.tokens.some(({ kind }) => kind === 'quoted')
  const removes = done.ops.some(({ op }) => op === 'remove_block' || op === 'remove_item' || op === 'remove_page')
  if (!request.isQuestion || (isQuoted && !removes)) return { kind: 'done', work: done }
  return { kind: 'asked', work, inquiry: { question: work.scene.texts.isThatARequest, suggestions: [withoutMark(request)] } }
}

/** A real question, something that depends on a condition, or words that mean several texts at once. */
function isNoEdit({ tokens, isPolite }: Request, { words }: Lexicon): boolean {
  const isQuestion = !isPolite && (words['questionWord'] ?? []).includes(tokens[0]?.word ?? '')
  const isQuoted = tokens.some(({ kind }) => kind === 'quoted')
  const text = ` ${tokens.map(({ word }) => word).join(' ')} `
  const says = (className: string) => (words[className] ?? []).some((phrase) => text.includes(` ${phrase} `))
  return isQuestion || says('several') || (!isQuoted && says('conditional'))
}

function withoutMark({ message, tokens }: Request): string {
  return withoutEnd(message.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end), /[\s?!.]/)
}

function startWork(input: PlanningInput, lexicon: Lexicon, { message, tokens }: Request, answers: Answers): Work {
  const { draft: snapshot, registry, manifest, selection } = input
  const vocabulary = vocabularyFor(lexicon, registry, manifest)
  const parser = createParser({ message, tokens, lexicon, vocabulary, names: createSiteNames(snapshot.pages, snapshot.config, wordsSaid(tokens, lexicon)) })
  const named = namingIn(input.locale)
  const types = knownTypes(registry, manifest).map(named)
  const typesByName = new Map(types.map((type) => [type.type, type]))
  const scene: Scene = { input, lexicon, vocabulary, parser, answers, types, typesByName, named, texts: textsFor(input.locale), now: latestStamp(input) }
  return { scene, draft: toDraft(snapshot), slug: selection.slug, ops: [], drafts: [], kept: [], requests: 0 }
}

const stamps = new WeakMap<readonly Page[], Date>()

/** The one time of a plan: that of the latest change, so that the same input gives the same plan. */
function latestStamp({ draft: { pages } }: PlanningInput): Date {
  const known = stamps.get(pages)
  if (known) return known
  const times = pages.map(({ updatedAt }) => Date.parse(updatedAt)).filter(Number.isFinite)
  const latest = new Date(times.reduce((last, time) => Math.max(last, time), 0))
  stamps.set(pages, latest)
  return latest
}

const vocabularies = new WeakMap<object, Map<Lexicon, { readonly count: number; readonly vocabulary: Vocabulary }>>()

/** The words of a site's block types are collected once for each registry or manifest. */
function vocabularyFor(lexicon: Lexicon, registry: Registry, manifest: Manifest | undefined): Vocabulary {
  const types = knownTypes(registry, manifest)
  const known = vocabularies.get(manifest ?? registry) ?? new Map()
  vocabularies.set(manifest ?? registry, known)
  const found = known.get(lexicon)
  if (found?.count === types.length) return found.vocabulary
  const vocabulary = createVocabulary(lexicon, types)
  known.set(lexicon, { count: types.length, vocabulary })
  return vocabulary
}
