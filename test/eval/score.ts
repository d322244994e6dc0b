import { holds, passesCheck } from './assertions.ts'
import type { Attempt } from './attempt.ts'
import { asksForChange, mustNotChange, statusesOf, type Case } from './case.ts'
import { changesBetween, sameDraft } from './draft.ts'

/** The weight of each dimension of a score. */
export const weights = { status: 0.2, opTypes: 0.3, targeting: 0.2, assertions: 0.25, content: 0.05 } as const

export type Dimension = keyof typeof weights

/** The lowest score that passes. */
export const pass = 0.7

/** Everything as requested, most of it, a refusal without a change, or something else, such as an unrequested change. */
export const verdicts = ['exact', 'acceptable', 'refused', 'wrong'] as const
export type Verdict = (typeof verdicts)[number]

export interface Score {
  readonly total: number
  readonly verdict: Verdict
  readonly dimensions: Readonly<Record<Dimension, number>>
  /** The message changed a draft that it must not change. */
  readonly isIntrusive: boolean
  /** The failed checks, one line each. */
  readonly misses: readonly string[]
}

/** Scores the result of a message against its case. */
export function score(wanted: Case, attempt: Attempt): Score {
  const isIntrusive = mustNotChange(wanted) && !sameDraft(attempt.before, attempt.after)
  const misses: string[] = isIntrusive ? ['the draft was changed, and must not be'] : []
  const isAsExpected = statusesOf(wanted).includes(attempt.status)
  if (!isAsExpected) misses.push(`the answer is ${attempt.status}, not ${statusesOf(wanted).join(' or ')}`)
  const status = Number(isAsExpected)
  const dimensions = {
    status,
    opTypes: wanted.expectedOpTypes.length === 0 ? status : f1(wanted.expectedOpTypes, attempt.opTypes),
    targeting: asksForChange(wanted) && !isAsExpected ? 0 : passRate(targetChecks(wanted, attempt), misses),
    assertions: passRate(
      wanted.assertions.map((each) => [toLine(each), holds(each, attempt, wanted.slug)]),
      misses,
    ),
    content: passRate(
      wanted.contentChecks.map((each) => [toLine(each), passesCheck(each, attempt, wanted.slug)]),
      misses,
    ),
  }
  if (dimensions.opTypes < 1 && isAsExpected)
    misses.push(`the operations are ${listOf(attempt.opTypes)}, not ${listOf(wanted.expectedOpTypes)}`)
  const total = isIntrusive ? 0 : sum(dimensions)
  return { total, verdict: verdictOf(wanted, attempt, total), dimensions, isIntrusive, misses }
}

/** The score of a case that crashed. */
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

type Check = readonly [line: string, isPassed: boolean]

function targetChecks(wanted: Case, { before, outcome, opCount }: Attempt): readonly Check[] {
  const { touched, altered } = changesBetween(before, outcome)
  const { expectedTargetBlockIds, expectedTargetBlockTypes, forbiddenBlockIds, expectedOpCount } = wanted
  return [
    ...expectedTargetBlockIds.map((id): Check => [
      `${id} is unchanged`,
      touched.some((block) => block.id === id),
    ]),
    ...expectedTargetBlockTypes.map((type): Check => [
      `no ${type} is changed`,
      touched.some((block) => block.type === type),
    ]),
    ...forbiddenBlockIds.map((id): Check => [`${id} is changed`, !altered.has(id)]),
    ...(expectedOpCount
      ? [
          [
            `${opCount} operations, not ${expectedOpCount.min} to ${expectedOpCount.max}`,
            opCount >= expectedOpCount.min && opCount <= expectedOpCount.max,
          ] as const,
        ]
      : []),
  ]
}

/** The share of passed checks, 1 if there are none; adds the failed ones to the misses. */
function passRate(checks: readonly Check[], misses: string[]): number {
  const broken = checks.filter(([, isPassed]) => !isPassed)
  misses.push(...broken.map(([line]) => line))
  return checks.length === 0 ? 1 : 1 - broken.length / checks.length
}

/** The F1 score of two sets: 1 when equal, 0 when disjoint. */
function f1(wanted: readonly string[], got: readonly string[]): number {
  const [a, b] = [new Set(wanted), new Set(got)]
  return (2 * a.intersection(b).size) / (a.size + b.size)
}

function sum(dimensions: Readonly<Record<Dimension, number>>): number {
  const { status, opTypes, targeting, assertions, content } = weights
  const total =
    status * dimensions.status +
    opTypes * dimensions.opTypes +
    targeting * dimensions.targeting +
    assertions * dimensions.assertions +
    content * dimensions.content
  return rounded(total)
}

/** Four digits, which hides rounding errors. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

const toLine = ({ type, ...rest }: { readonly type: string }): string =>
  `${type} does not hold${Object.keys(rest).length === 0 ? '' : `: ${JSON.stringify(rest)}`}`
const listOf = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '))
