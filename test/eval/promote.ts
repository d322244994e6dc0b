import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { Page } from '../../plugins/content/page.ts'
import { categories } from './case.ts'
import { EvalError } from './data-set.ts'

/** A recorded run, with its initial draft. */
const Candidate = v.looseObject({
  id: v.string(),
  slug: v.string(),
  activeBlockId: v.optional(v.string()),
  activeEditablePath: v.optional(v.string()),
  prompt: v.string(),
  fixture: v.array(Page),
  outcome: v.optional(v.string()),
  opTypes: v.optional(v.array(v.string()), []),
  opCount: v.optional(v.number()),
})
type Candidate = v.InferOutput<typeof Candidate>

/** Expected status by outcome. Failures have none, since the right outcome is unknown. */
const statuses: Readonly<Record<string, string>> = {
  applied: 'applied',
  no_effective_change: 'applied',
  plan_ready_for_approval: 'plan_ready',
  needs_clarification: 'needs_clarification',
  unsupported_without_provider: 'needs_clarification',
  planning_refusal: 'needs_clarification',
  blocked_structural_capability: 'needs_clarification',
  info: 'info',
  content_answer: 'info',
  advice: 'advice',
}

/** Finds a recorded run by its id among the lines of a file. Throws an EvalError when it is not there. */
export async function findCandidate(file: string, traceId: string): Promise<Candidate> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new EvalError(
      `${file} cannot be read. Name the file that the service writes candidates to with --candidates.`,
    )
  })
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const candidates = lines.flatMap((line) => {
    const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Candidate), line)
    return success ? [output] : []
  })
  const found = candidates.find(({ id }) => id === traceId)
  if (found) return found
  throw new EvalError(
    `${file} has no candidate '${traceId}': ${candidates.length} of its ${lines.length} lines are candidates. A trace id stands in debug.traceId of a chat result.`,
  )
}

/** Converts a recorded run to a case, without the parts that need a decision. */
export function toCaseDraft({
  slug,
  activeBlockId,
  activeEditablePath,
  prompt,
  fixture,
  outcome = '',
  opTypes,
  opCount,
}: Candidate) {
  return {
    id: `candidate-${hash('sha256', prompt).slice(0, 16)}`,
    category: '',
    slug,
    message: prompt,
    tags: ['candidate'],
    activeBlockId,
    activeEditablePath,
    expectedStatus: statuses[outcome] ?? '',
    expectedOpTypes: [...new Set(opTypes)],
    expectedOpCount: opCount === undefined ? undefined : { min: opCount, max: opCount },
    assertions: [],
    fixture,
  }
}

/** What has to be done by hand before a draft is a case. */
export function remainingSteps({ expectedStatus }: ReturnType<typeof toCaseDraft>): readonly string[] {
  return [
    'This is a draft of a case. It says what happened, which need not be what was right. Left for you:',
    `  category    one of ${categories.join(', ')}`,
    '  assertions  what has to hold in the draft afterwards',
    ...(expectedStatus === '' ? ['  expectedStatus  the run failed, so the right status is unknown'] : []),
    'The message and the pages are user data: remove what is private. Then put it into test/eval/cases/.',
  ]
}
