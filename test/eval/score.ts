import { holds } from './assertions.ts'
import type { Attempt } from './attempt.ts'
import { asksForChange, mustNotChange, statusesOf, type Case } from './case.ts'
import { reads } from './content-checks.ts'
import { changesBetween, sameDraft } from './draft.ts'

/** How much each side of an answer counts. */
export const weights = { status: 0.2, opTypes: 0.3, targeting: 0.2, assertions: 0.25, content: 0.05 } as const

export type Dimension = keyof typeof weights

/** From this score on an answer will do. */
export const pass = 0.7

/**
 * What people get: all that was asked for, most of it, nothing and a word about it, or something else.
 * The last is what must not be, above all a change that nobody asked for.
 */
export const verdicts = ['exact', 'acceptable', 'refused', 'wrong'] as const
export type Verdict = (typeof verdicts)[number]

export interface Score {
  readonly total: number
  readonly verdict: Verdict
  readonly dimensions: Readonly<Record<Dimension, number>>
  /** The draft was changed by a message that must leave it alone. */
  readonly isIntrusive: boolean
  /** What was not as it should be, one line each. */
  readonly misses: readonly string[]
}

/** Judges what became of a message by what should have become of it. */
export function score(wanted: Case, attempt: Attempt): Score {
  const isIntrusive = mustNotChange(wanted) && !sameDraft(attempt.before, attempt.after)
  const misses: string[] = isIntrusive ? ['the draft was changed, and must not be'] : []
  const isAsExpected = statusesOf(wanted).includes(attempt.status)
  if (!isAsExpected) misses.push(`the answer is ${attempt.status}, not ${statusesOf(wanted).join(' or ')}`)
  const status = Number(isAsExpected)
  const dimensions = {
    status,
    opTypes: wanted.expectedOpTypes.length === 0 ? status : f1(wanted.expectedOpTypes, attempt.opTypes),
    targeting: asksForChange(wanted) && !isAsExpected ? 0 : shareOf(targetChecks(wanted, attempt), misses),
    assertions: shareOf(wanted.assertions.map((each) => [toLine(each), holds(each, attempt, wanted.slug)]), misses),
    content: shareOf(wanted.contentChecks.map((each) => [toLine(each), reads(each, attempt, wanted.slug)]), misses),
  }
  if (dimensions.opTypes < 1 && isAsExpected) misses.push(`the operations are ${listOf(attempt.opTypes)}, not ${listOf(wanted.expectedOpTypes)}`)
  const total = isIntrusive ? 0 : sum(dimensions)
  return { total, verdict: verdictOf(wanted, attempt, total), dimensions, isIntrusive, misses }
}

/** A case that could not be finished. */
export const crashed = (reason: string): Score => ({
  total: 0,
  verdict: 'wrong',
  dimensions: { status: 0, opTypes: 0, targeting: 0, assertions: 0, content: 0 },
  isIntrusive: false,
  misses: [reason],
})

function verdictOf(wanted: Case, { status, before, after }: Attempt, total: number): Verdict {
  if (total === 1) return 'exact'
  if (total >= pass) return 'acceptable'
  return asksForChange(wanted) && status !== 'applied' && sameDraft(before, after) ? 'refused' : 'wrong'
}

type Check = readonly [line: string, isKept: boolean]

function targetChecks(wanted: Case, { before, outcome, opCount }: Attempt): readonly Check[] {
  const { touched, altered } = changesBetween(before, outcome)
  const { expectedTargetBlockIds, expectedTargetBlockTypes, forbiddenBlockIds, expectedOpCount } = wanted
  return [
    ...expectedTargetBlockIds.map((id): Check => [`${id} is as it was`, touched.some((block) => block.id === id)]),
    ...expectedTargetBlockTypes.map((type): Check => [`no ${type} is changed`, touched.some((block) => block.type === type)]),
    ...forbiddenBlockIds.map((id): Check => [`${id} is changed`, !altered.has(id)]),
    ...(expectedOpCount ? [[`${opCount} operations, not ${expectedOpCount.min} to ${expectedOpCount.max}`, opCount >= expectedOpCount.min && opCount <= expectedOpCount.max] as const] : []),
  ]
}

/** The share of checks that are kept, all of them where there are none; the others are told. */
function shareOf(checks: readonly Check[], misses: string[]): number {
  const broken = checks.filter(([, isKept]) => !isKept)
  misses.push(...broken.map(([line]) => line))
  return checks.length === 0 ? 1 : 1 - broken.length / checks.length
}

/** How alike two sets are: 1 when equal, 0 when they share nothing. */
function f1(wanted: readonly string[], got: readonly string[]): number {
  const [a, b] = [new Set(wanted), new Set(got)]
  return (2 * a.intersection(b).size) / (a.size + b.size)
}

function sum(dimensions: Readonly<Record<Dimension, number>>): number {
  const { status, opTypes, targeting, assertions, content } = weights
  const total =
    status * dimensions.status + opTypes * dimensions.opTypes + targeting * dimensions.targeting + assertions * dimensions.assertions + content * dimensions.content
  return rounded(total)
}

/** Four digits are enough, and hide what adding fractions leaves behind. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

const toLine = ({ type, ...rest }: { readonly type: string }): string =>
  `${type} does not hold${Object.keys(rest).length === 0 ? '' : `: ${JSON.stringify(rest)}`}`
const listOf = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '))
